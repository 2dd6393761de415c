import type { Bm25fParameters, DocumentChange, Filter, LexicalQuery, VectorStore } from "@docsearch/spec";

/** One call of a random sequence, with all its arguments, so that a sequence can lose any of its steps. */
export type ModelStep =
  | { readonly call: "write"; readonly changes: readonly DocumentChange[] }
  | { readonly call: "clear" }
  | { readonly call: "reopen" }
  | {
      readonly call: "searchText";
      readonly query: LexicalQuery;
      readonly ranking: Bm25fParameters;
      readonly limit: number;
      readonly filter?: Filter;
    }
  | {
      readonly call: "searchVector";
      readonly vector: Float32Array;
      readonly limit: number;
      readonly filter?: Filter;
    }
  | { readonly call: "listDocuments"; readonly after?: string; readonly limit: number; readonly filter?: Filter }
  | { readonly call: "listTerms"; readonly prefix: string; readonly limit: number }
  /** Everything that can be read without a search. */
  | { readonly call: "readAll" };

export type SearchTextStep = Extract<ModelStep, { call: "searchText" }>;
export type SearchVectorStep = Extract<ModelStep, { call: "searchVector" }>;

/** Documents, outlines, chunks, counts and, if asked for, terms, as one value. */
export async function readAll(store: VectorStore, withTerms: boolean): Promise<unknown> {
  const documents = await store.listDocuments({ limit: 1_000_000 });
  const contents = [];
  for (const { id } of documents) {
    const chunkIds = await store.getChunkIds(id);
    const chunks = await store.getChunks(["absent", ...chunkIds, ...chunkIds]);
    contents.push({ id, chunkIds, chunks, outline: await store.getOutline(id) });
  }
  const again = await store.getDocuments(["absent", ...documents.map(({ id }) => id)]);
  const terms = withTerms ? await store.listTerms({ prefix: "", limit: 1_000_000 }) : [];
  return { documents, again, contents, terms, stats: await store.stats(), faults: (await store.check()).faults };
}

/** A step as one line of JSON-like text, with maps as objects and vectors as arrays. */
export function describeStep(step: ModelStep): string {
  return JSON.stringify(step, (_, value: unknown) => {
    if (value instanceof Map) return Object.fromEntries(value);
    if (value instanceof Float32Array)
      return [...value].map((component) => (Number.isFinite(component) ? component : String(component)));
    return value;
  });
}
