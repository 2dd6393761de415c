import type { Filter, Hit } from "@docsearch/spec";

/** Asks a retriever; the filter stands in place of the request's own. */
export type Ask = (limit: number, filter?: Filter) => Promise<readonly Hit[]>;

export interface CandidateLimits {
  readonly candidates: number;
  /** Documents that the candidates should hold at least. */
  readonly documents: number;
  readonly filter?: Filter;
}

/** How often a retriever is asked again without the documents that fill its list. */
const ROUNDS = 3;

/**
 * The best candidates of a retriever. One file with hundreds of chunks that fit could take all places: when a full
 * list holds fewer documents than wanted, those with more than their share keep it, and the retriever is asked again
 * without them. Where the others need less room, the further chunks come back.
 *
 * @returns best first; longer than `candidates` by no more than the shares of the documents that were left out
 */
export async function unstuffed(ask: Ask, { candidates, documents, filter }: CandidateLimits): Promise<readonly Hit[]> {
  const share = Math.max(1, Math.floor(candidates / documents));
  const stuffing = new Set<string>();
  const kept: Hit[] = [];
  const spare: Hit[] = [];
  let hits = await ask(candidates, filter);
  for (let round = 0; round < ROUNDS && hits.length >= candidates; round++) {
    const chunksOf = new Map<string, Hit[]>();
    for (const hit of hits) chunksOf.set(hit.documentId, [...(chunksOf.get(hit.documentId) ?? []), hit]);
    if (stuffing.size + chunksOf.size >= documents) break;
    for (const [documentId, chunks] of chunksOf) {
      if (chunks.length <= share) continue;
      stuffing.add(documentId);
      kept.push(...chunks.slice(0, share));
      spare.push(...chunks.slice(share));
    }
    hits = await ask(candidates, without(stuffing, filter));
  }
  if (stuffing.size === 0) return hits;
  const room = Math.max(0, candidates - kept.length - hits.length);
  return sorted([...kept, ...hits, ...sorted(spare).slice(0, room)]);
}

function without(documentIds: ReadonlySet<string>, filter: Filter | undefined): Filter {
  const others: Filter = { op: "not", clause: { op: "in", field: "id", values: [...documentIds] } };
  return filter === undefined ? others : { op: "and", clauses: [filter, others] };
}

function sorted(hits: Hit[]): Hit[] {
  return hits.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
}
