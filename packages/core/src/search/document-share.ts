import type { Hit, TextHits } from "@docsearch/spec";
import { DOCUMENT_SHARE, VECTOR_DOCUMENT_CHUNKS, VECTOR_DOCUMENT_SHARE } from "../ranking/ranking.js";

/** Chunk hits scored with a share of their document's score: a page that is about the query lifts its sections. */
export function withDocumentScore({ chunks, documents }: TextHits): Hit[] {
  const shareOf = new Map(documents.map(({ documentId, score }) => [documentId, DOCUMENT_SHARE * score]));
  return sorted(chunks.map((hit) => ({ ...hit, score: hit.score + (shareOf.get(hit.documentId) ?? 0) })));
}

/**
 * Vector hits scored by half with the mean of their document's best three chunks. Where a document has fewer among
 * the hits, `absent` stands in for the others: one near chunk is less than a page about the matter.
 *
 * @param absent similarity of a chunk that is not among the hits
 */
export function withDocumentMean(hits: readonly Hit[], absent: number): Hit[] {
  const best = new Map<string, number[]>();
  for (const { documentId, score } of hits) {
    const scores = best.get(documentId) ?? [];
    if (scores.length < VECTOR_DOCUMENT_CHUNKS) best.set(documentId, [...scores, score]);
  }
  const meanOf = new Map(
    [...best].map(([documentId, scores]) => {
      const sum = scores.reduce((total, score) => total + score, (VECTOR_DOCUMENT_CHUNKS - scores.length) * absent);
      return [documentId, sum / VECTOR_DOCUMENT_CHUNKS] as const;
    }),
  );
  const ofDocument = VECTOR_DOCUMENT_SHARE;
  return sorted(
    hits.map((hit) => ({
      ...hit,
      score: (1 - ofDocument) * hit.score + ofDocument * (meanOf.get(hit.documentId) ?? hit.score),
    })),
  );
}

function sorted(hits: Hit[]): Hit[] {
  return hits.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}
