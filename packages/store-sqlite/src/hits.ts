import type { DocumentHit, Hit } from "@docsearch/spec";
import type { Scored } from "@docsearch/store-kit";

import type { Connection } from "./driver.js";

/** Hits for the chunks in `index` as their slot: highest score first, equal scores by chunk id, `limit` at most. */
export function chunkHits(connection: Connection, found: readonly Scored[], limit: number): Hit[] {
  const ids = connection
    .prepare<{ slot: number; chunkId: string; documentId: string }>(
      `SELECT chunk.slot, chunk.id AS chunkId, document.id AS documentId FROM json_each(?)
       CROSS JOIN chunk ON chunk.slot = value CROSS JOIN document ON document.slot = chunk.document`,
    )
    .all(slotsOf(found));
  const scores = new Map(found.map(({ index, score }) => [index, score]));
  return ids
    .map(({ slot, chunkId, documentId }): Hit => ({ chunkId, documentId, score: scores.get(slot)! }))
    .sort((a, b) => b.score - a.score || compareCodeUnits(a.chunkId, b.chunkId))
    .slice(0, limit);
}

/** Hits for the documents in `index` as their slot, ordered like chunks. */
export function documentHits(connection: Connection, found: readonly Scored[], limit: number): DocumentHit[] {
  const ids = connection
    .prepare<{ slot: number; documentId: string }>(
      `SELECT document.slot, document.id AS documentId FROM json_each(?) CROSS JOIN document ON document.slot = value`,
    )
    .all(slotsOf(found));
  const scores = new Map(found.map(({ index, score }) => [index, score]));
  return ids
    .map(({ slot, documentId }): DocumentHit => ({ documentId, score: scores.get(slot)! }))
    .sort((a, b) => b.score - a.score || compareCodeUnits(a.documentId, b.documentId))
    .slice(0, limit);
}

/** As a JSON array: one statement for all, which takes half the time of one for each. */
function slotsOf(found: readonly Scored[]): string {
  return JSON.stringify(found.map(({ index }) => index));
}

function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
