import { hashParts } from "./hash.js";

/**
 * Ids of a document's chunks, in order. An id is a hash of the document's id, the text as it is embedded and
 * the text itself, so it changes exactly when the vector or the answer would; equal chunks of one document are
 * told apart by counting. No position goes in: an edit leaves the ids of all other chunks as they are.
 *
 * @param chunks the embedded text and the text of each chunk, in document order
 */
export function chunkIds(
  documentId: string,
  chunks: readonly { readonly embedText: string; readonly text: string }[],
): string[] {
  const seen = new Map<string, number>();
  return chunks.map(({ embedText, text }) => {
    const base = hashParts([documentId, embedText, text]);
    const occurrence = seen.get(base) ?? 0;
    seen.set(base, occurrence + 1);
    return occurrence === 0 ? base : hashParts([base, String(occurrence)]);
  });
}
