// How many of the characters that answer a question the best chunks return.
import { characterOverlap } from "../packages/eval/dist/index.js";
import { codeUnits } from "./sets.mjs";

const CHUNKS = 5;

/** Recall, precision and IoU of reference characters for each query, by arm. */
export async function measureChunking(docsearch, { documents, queries }, arms) {
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const runs = {};
  for (const { name, request } of arms) {
    runs[name] = [];
    for (const { text: query, corpus, references } of queries) {
      const { results } = await docsearch.search({ ...request, query, limit: CHUNKS });
      const returned = results
        .flatMap(({ chunk, adjacent = [] }) => [chunk, ...adjacent])
        .map(({ documentId, span }) => ({ documentId, ...span }));
      const wanted = references.map(({ start_index, end_index }) => {
        const [startOffset, endOffset] = codeUnits(texts.get(corpus), [start_index, end_index]);
        return { documentId: corpus, startOffset, endOffset };
      });
      runs[name].push(characterOverlap(returned, wanted));
    }
  }
  return runs;
}

export function meanOf(overlaps, key) {
  return overlaps.reduce((sum, overlap) => sum + overlap[key], 0) / overlaps.length;
}
