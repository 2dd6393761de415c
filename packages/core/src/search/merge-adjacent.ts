import type { Chunk } from "@docsearch/spec";
import type { RankedHit } from "../ranking/rules.js";
import type { ChunkReader } from "./chunk-reader.js";
import type { SearchRequest } from "./search-request.js";

/** A hit, and those whose chunks make one stretch of its document with it. */
export interface HitGroup {
  readonly hit: RankedHit;
  readonly adjacent: readonly RankedHit[];
}

interface Stretch {
  readonly hit: RankedHit;
  readonly adjacent: RankedHit[];
  readonly documentId: string;
  /** Positions in the document; none for a chunk that is gone. */
  readonly ordinals: Set<number>;
}

/** How many hits are read at a time. */
const BATCH = 20;

/**
 * The first `end` results that hits make: each its own, or where the request says so those joined whose chunks follow
 * each other, at the rank of the best of each stretch.
 *
 * @param offset results that earlier pages have shown: a hit behind them joins none of these
 */
export async function groupHits(
  hits: readonly RankedHit[],
  reader: ChunkReader,
  request: SearchRequest,
  offset: number,
  end: number,
): Promise<readonly HitGroup[]> {
  return isMerging(request)
    ? mergeAdjacent(hits, reader, offset, end)
    : hits.slice(0, end).map((hit) => ({ hit, adjacent: [] }));
}

/** Whether several hits may be one result. */
export function isMerging({ mergeAdjacent: isWanted, groupBy }: SearchRequest): boolean {
  return isWanted === true && groupBy !== "document";
}

async function mergeAdjacent(
  hits: readonly RankedHit[],
  reader: ChunkReader,
  offset: number,
  end: number,
): Promise<HitGroup[]> {
  const stretches: Stretch[] = [];
  for (let at = 0; at < hits.length; at += BATCH) {
    const batch = hits.slice(at, at + BATCH);
    const chunks = await reader.read(batch.map(({ chunkId }) => chunkId));
    for (const [index, hit] of batch.entries()) {
      const from = stretches.length > offset ? offset : 0;
      const [first, second] = stretches.slice(from).filter((stretch) => touches(stretch, chunks[index]));
      if (first === undefined) {
        if (stretches.length === end) return stretches;
        const ordinals = new Set(chunks[index] === undefined ? [] : [chunks[index].ordinal]);
        stretches.push({ hit, adjacent: [], documentId: hit.documentId, ordinals });
        continue;
      }
      add(first, [hit], chunks[index]?.ordinal);
      if (second === undefined) continue;
      // The chunk closes the gap between two stretches.
      add(first, [second.hit, ...second.adjacent], ...second.ordinals);
      stretches.splice(stretches.indexOf(second), 1);
    }
  }
  return stretches;
}

function touches({ documentId, ordinals }: Stretch, chunk: Chunk | undefined): boolean {
  if (chunk?.documentId !== documentId) return false;
  return ordinals.has(chunk.ordinal - 1) || ordinals.has(chunk.ordinal + 1);
}

function add(stretch: Stretch, hits: readonly RankedHit[], ...ordinals: (number | undefined)[]): void {
  stretch.adjacent.push(...hits);
  for (const ordinal of ordinals) if (ordinal !== undefined) stretch.ordinals.add(ordinal);
}
