// Every write begins a segment, and a search reads the postings of a term from each. So small ones are made into one now
// and then. What was deleted or replaced stays behind.

import { EntryReader } from "@docsearch/store-kit";
import type { Facts, Segment } from "./facts.js";
import { newName } from "./names.js";
import { postingTable } from "./new-rows.js";
import { type Posting, postingOf } from "./posting-codec.js";
import { retryConflicts } from "./retry.js";
import { bytesOf, textsOf } from "./rows.js";
import { isOneOf, quote } from "./sql.js";
import type { Target } from "./write.js";

/** So many segments of about the same size are made into one. */
const FEW = 8;

/** So many at most are merged at a time, with so many chunks: it bounds the memory that a merge takes. */
const MOST = 32;
const MOST_CHUNKS = 150_000;

/** Names of segments that should become one; none when there are few enough. */
export function segmentsToMerge(segments: Facts["segments"]): string[] {
  const bySize = [...segments].sort(([, a], [, b]) => a.chunks - b.chunks);
  for (let first = 0; first + FEW <= bySize.length; first++) {
    // The sizes of one tier are at most eight times those of the smallest.
    const largest = Math.max(512, 8 * bySize[first]![1].chunks);
    let end = first;
    let chunks = 0;
    while (end < bySize.length && end - first < MOST && bySize[end]![1].chunks <= largest) {
      chunks += bySize[end]![1].chunks;
      if (chunks > MOST_CHUNKS) break;
      end++;
    }
    if (end - first >= FEW) return bySize.slice(first, end).map(([name]) => name);
  }
  return [];
}

/** Makes segments into one. A process that is killed meanwhile leaves some of the documents in the old ones. */
export async function mergeSegments(target: Target, facts: Facts, names: readonly string[]): Promise<void> {
  const { lance, tables, place } = target;
  const found = await tables.posting
    .query()
    .where(isOneOf("segment", names))
    .select(["term", "segment", "bytes"])
    .toArrow();
  const offsets = new Map<string, number>();
  let end = 0;
  let size = 0;
  for (const name of names) {
    const { documents } = facts.segments.get(name)!;
    offsets.set(name, end);
    end += documents.length;
    size += documents.reduce((count, index) => (index < 0 ? count : count + 1), 0);
  }
  const merged = new Map<string, Posting>();
  const [segments, bytes] = [textsOf(found, "segment"), bytesOf(found, "bytes")];
  textsOf(found, "term").forEach((term, row) => {
    const name = segments[row]!;
    appendEntries(postingOf(merged, term), bytes[row]!, facts.segments.get(name)!, offsets.get(name)!);
  });
  for (const [term, { chunks }] of merged) if (chunks === 0) merged.delete(term);
  const segment = newName();
  if (merged.size > 0) {
    const rows = postingTable(lance, segment, merged);
    await retryConflicts(place, () => tables.posting.add(rows));
  }
  for (const [name, offset] of offsets) {
    await retryConflicts(place, () =>
      tables.document.update({
        where: `segment = ${quote(name)}`,
        valuesSql: { segment: quote(segment), segment_size: String(size), number: `number + ${offset}` },
      }),
    );
  }
  await retryConflicts(place, () => tables.posting.delete(isOneOf("segment", names)));
}

/** Appends the entries of documents that are there. */
function appendEntries(posting: Posting, bytes: Uint8Array, { documents }: Segment, offset: number): void {
  const reader = new EntryReader(bytes);
  while (!reader.done) {
    const number = reader.next();
    const count = reader.next();
    const isThere = (documents[number] ?? -1) >= 0;
    if (isThere) {
      posting.chunks += count;
      posting.bytes.push(number + offset);
      posting.bytes.push(count);
    }
    for (let i = 0; i < count; i++) {
      const place = reader.next();
      const mask = reader.next();
      if (isThere) {
        posting.bytes.push(place);
        posting.bytes.push(mask);
      }
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        const [occurrences, length] = [reader.next(), reader.next()];
        if (!isThere) continue;
        posting.bytes.push(occurrences);
        posting.bytes.push(length);
      }
    }
  }
}
