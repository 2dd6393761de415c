import type { CallOptions, VectorStore } from "@docsearch/spec";
import { isCode } from "../ranking/code-place.js";
import { CONVEX_WEIGHTS, NEAR_COSINE } from "../ranking/ranking.js";
import type { Retrieved } from "./retrieve.js";
import type { FusionOptions } from "./search-request.js";

/** Documents of each retriever that say whether a search is one of code. */
const LOOKED_AT = 10;

/** Whether most of the documents that the retrievers put first are code. */
export async function isAboutCode(
  store: VectorStore,
  { text, vector }: Retrieved,
  call: CallOptions,
): Promise<boolean> {
  const first = [text?.chunks, vector].flatMap((hits) => (hits ?? []).slice(0, LOOKED_AT));
  const ids = [...new Set(first.map(({ documentId }) => documentId))];
  const documents = ids.length === 0 ? [] : await store.getDocuments(ids, call);
  const code = documents.filter((document) => document !== undefined && isCode(document)).length;
  return code > documents.length / 2;
}

/**
 * Weight of the vectors beside the words, in a convex combination. In prose it falls with the fourth power of how near
 * the nearest chunk is: where even that one is far, small differences of cosine say little, while words that are found
 * still do. Code seldom has the words of a question, so there vectors always have their whole weight.
 *
 * @param nearest score of the nearest chunk
 */
export function vectorWeight(nearest: number, isCodeSearch: boolean, options: FusionOptions): number {
  const { weights: { vector: weight = CONVEX_WEIGHTS.vector } = {}, nearCosine = NEAR_COSINE } = options;
  const isWhole = isCodeSearch || nearest >= nearCosine;
  return isWhole ? weight : weight * Math.max(0, nearest / nearCosine) ** 4;
}
