import { DocsearchError, type IndexSchema } from "@docsearch/spec";

/** What makes an index anew. */
export const REBUILD_COMMAND = "docsearch index --rebuild";

/** @param place such as `at .docsearch/index.db` */
export function schemaMismatch(
  place: string,
  stored: IndexSchema,
  wanted: IndexSchema,
): DocsearchError<"INDEX_MISMATCH"> {
  return new DocsearchError(
    "INDEX_MISMATCH",
    `The index ${place} was made with ${describeSchema(stored)}; now it is asked for with ${describeSchema(wanted)}. Use the settings of the index, or make it anew: ${REBUILD_COMMAND}`,
    { stored, requested: wanted, command: REBUILD_COMMAND },
  );
}

function describeSchema({ embedding, chunking, analyzer }: IndexSchema): string {
  const model = embedding === null ? "no embedder" : `embedder ${embedding.id} of ${embedding.dimensions} dimensions`;
  return `${model}, chunking ${chunking}, analyzer ${analyzer}`;
}
