import type { DocumentChange, LexicalQuery, VectorStore } from "@docsearch/spec";
import { assertScores } from "../assertions.js";
import { lexicalFields, page, type SearchSettings, searchText } from "../builders.js";

// The expected scores were computed by a second implementation of the formula, not by a store.

/** Scores by id, in the order of the hits. */
export type Scores = Readonly<Record<string, number>>;

export async function assertHits(
  store: VectorStore,
  query: LexicalQuery,
  expected: { readonly chunks: Scores; readonly documents: Scores },
  settings: SearchSettings = {},
): Promise<void> {
  const { chunks, documents } = await searchText(store, query, settings);
  assertScores(
    chunks.map((hit) => [hit.chunkId, hit.score]),
    expected.chunks,
  );
  assertScores(
    documents.map((hit) => [hit.documentId, hit.score]),
    expected.documents,
  );
}

/** The expectation where each document has one chunk, `ID#0`, and a document scores like its chunk. */
export function oneChunkEach(scores: Scores): { readonly chunks: Scores; readonly documents: Scores } {
  const chunks = Object.fromEntries(Object.entries(scores).map(([id, score]) => [`${id}#0`, score]));
  return { chunks, documents: scores };
}

/** Three pages of a manual, analysed: stemmed, with identifiers as a whole and in parts. */
export const MANUAL: readonly DocumentChange[] = [
  page("guide/api-hmr", [
    {
      fields: lexicalFields({
        title: "hmr api",
        path: "guide apihmr api hmr",
        body: "hmr api the hot api let a modul accept updat",
      }),
    },
    {
      fields: lexicalFields({
        title: "hmr api",
        path: "guide apihmr api hmr",
        heading: "hot accept",
        body: "hot accept call it to accept hmr updat",
      }),
    },
  ]),
  page("guide/plugins", [
    {
      fields: lexicalFields({
        title: "plugin",
        path: "guide plugin",
        body: "plugin a plugin may handl hot updat with handlehotupdat handl hot updat",
      }),
    },
  ]),
  page("guide/build", [
    { fields: lexicalFields({ title: "build", path: "guide build", body: "build run the build to make a bundl" }) },
  ]),
];
