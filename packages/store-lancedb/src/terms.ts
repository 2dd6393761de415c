import type { TermCount } from "@docsearch/spec";
import { compareCodeUnits, EntryReader } from "@docsearch/store-kit";
import type { Segment } from "./facts.js";
import { bytesOf, numbersOf, textsOf } from "./rows.js";
import type { Snapshot } from "./snapshot.js";
import { isStorable, quote } from "./sql.js";

/** Terms that begin with `prefix` and the number of chunks that hold them. */
export async function listTerms({ facts, tables }: Snapshot, prefix: string, limit: number): Promise<TermCount[]> {
  if (!isStorable(prefix)) return [];
  const found = await tables.posting
    .query()
    .where(`starts_with(term, ${quote(prefix)})`)
    .select(["term", "segment", "chunks", "bytes"])
    .toArrow();
  const [segments, chunks, bytes] = [textsOf(found, "segment"), numbersOf(found, "chunks"), bytesOf(found, "bytes")];
  const counts = new Map<string, number>();
  textsOf(found, "term").forEach((term, row) => {
    const segment = facts.segments.get(segments[row]!);
    if (segment === undefined) return;
    const count = segment.isWhole ? chunks[row]! : countThere(segment, bytes[row]!);
    if (count > 0) counts.set(term, (counts.get(term) ?? 0) + count);
  });
  return [...counts]
    .map(([term, count]) => ({ term, chunks: count }))
    .sort((a, b) => compareCodeUnits(a.term, b.term))
    .slice(0, Math.max(0, limit));
}

/** Number of chunks that hold a term, in the documents of a segment that are there. */
function countThere({ documents }: Segment, bytes: Uint8Array): number {
  const reader = new EntryReader(bytes);
  let total = 0;
  while (!reader.done) {
    const isThere = (documents[reader.next()] ?? -1) >= 0;
    const count = reader.next();
    if (isThere) total += count;
    for (let i = 0; i < count; i++) {
      reader.next();
      for (let mask = reader.next(); mask !== 0; mask &= mask - 1) {
        reader.next();
        reader.next();
      }
    }
  }
  return total;
}
