import type { DocumentHit, Hit } from "@docsearch/spec";
import { compareCodeUnits, type Scored } from "@docsearch/store-kit";
import { documentOfChunk } from "./facts.js";
import type { Snapshot } from "./snapshot.js";

/** Hits for chunks: highest score first, equal scores by chunk id, `limit` at most. */
export async function chunkHits(snapshot: Snapshot, found: readonly Scored[], limit: number): Promise<Hit[]> {
  const { facts } = snapshot;
  const documents = found.map(({ index }) => documentOfChunk(facts, index));
  const names = await snapshot.names(documents);
  return found
    .map(({ index, score }, i): Hit => {
      const { id, chunkIds } = names.get(documents[i]!)!;
      return { chunkId: chunkIds[index - facts.firstChunk[documents[i]!]!]!, documentId: id, score };
    })
    .sort((a, b) => b.score - a.score || compareCodeUnits(a.chunkId, b.chunkId))
    .slice(0, limit);
}

/** Hits for documents, ordered like chunks. */
export function documentHits({ facts }: Snapshot, found: readonly Scored[], limit: number): DocumentHit[] {
  return found
    .map(({ index, score }): DocumentHit => ({ documentId: facts.ids[index]!, score }))
    .sort((a, b) => b.score - a.score || compareCodeUnits(a.documentId, b.documentId))
    .slice(0, limit);
}
