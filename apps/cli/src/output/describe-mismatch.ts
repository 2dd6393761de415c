import type { IndexSchema } from "@docsearch/spec";

/** What two indexes differ in, what is stored first: `size=800 in the index, size=1500 now`. */
export function describeMismatch(stored: IndexSchema, requested: IndexSchema): string {
  const now = partsOf(requested);
  const differences: string[] = [];
  for (const [index, part] of partsOf(stored).entries()) {
    const other = now[index] ?? "none";
    if (part !== other) differences.push(`${part} in the index, ${other} now`);
  }
  return differences.join("; ");
}

function partsOf({ embedding, chunking, analyzer }: IndexSchema): string[] {
  const model = embedding === null ? "no embedder" : `embedder ${embedding.id} of ${embedding.dimensions} dimensions`;
  return [model, `analyzer ${analyzer}`, ...chunking.split(";").map((part) => `chunking ${part}`)];
}
