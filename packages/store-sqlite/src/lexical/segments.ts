// Postings are kept in segments. A write appends one; a row of `posting` holds one term's list in one segment. Segments
// of about one size are merged when there are eight of them, so there are never many, and each posting is rewritten
// once for every factor of eight by which the index grows.

import type { Connection } from "../driver.js";
import { type SlotMap, targetOf } from "../slots.js";
import { DecodedPostings, PostingListWriter } from "./postings-codec.js";
import { termsOf } from "./term-cursor.js";

export interface Segment {
  readonly id: number;
  readonly first_slot: number;
  readonly last_slot: number;
  /** Entries of all lists, those of chunks that are gone included. */
  readonly postings: number;
}

/** Segments of one tier that are merged into one. */
const MERGE_FACTOR = 8;
/** Segments with fewer postings are of tier 0; every further tier begins at `MERGE_FACTOR` times as many. */
const TIER_POSTINGS = 4096;

/** By age. */
export function listSegments(connection: Connection): Segment[] {
  return connection.prepare<Segment>("SELECT id, first_slot, last_slot, postings FROM segment ORDER BY id").all();
}

/** Whether more than half of the postings belong to chunks that are gone, so that all should be merged. */
export function isMostlyDead(segments: readonly Segment[], livePostings: number): boolean {
  return segments.reduce((sum, segment) => sum + segment.postings, 0) > 2 * livePostings;
}

/** Eight or more segments of one tier, which should be merged; none when no tier has so many. */
export function dueForMerge(segments: readonly Segment[]): readonly Segment[] {
  const tiers = new Map<number, Segment[]>();
  for (const segment of segments) {
    const members = tiers.get(tierOf(segment)) ?? [];
    members.push(segment);
    tiers.set(tierOf(segment), members);
  }
  for (const members of tiers.values()) if (members.length >= MERGE_FACTOR) return members;
  return [];
}

function tierOf({ postings }: Segment): number {
  let tier = 0;
  for (let limit = TIER_POSTINGS; postings >= limit; limit *= MERGE_FACTOR) tier++;
  return tier;
}

/** Puts one segment in place of several, without the chunks that are gone, every chunk at its new slot. */
export function mergeSegments(connection: Connection, segments: readonly Segment[], map: SlotMap): void {
  const firstSlot = firstTarget(segments, map);
  const merged = insertSegment(connection, firstSlot, firstSlot, 0);
  const decoded = new DecodedPostings();
  const writer = new PostingListWriter();
  let postings = 0;
  let lastSlot = firstSlot;
  for (const { term, lists } of termsOf(connection, segments)) {
    decoded.clear();
    for (const list of lists) decoded.append(list.bytes, list.firstSlot, list.chunks);
    writer.begin(firstSlot);
    copyLive(decoded, map, writer);
    if (writer.entries === 0) continue;
    insertList(connection, merged, term, writer);
    postings += writer.entries;
    lastSlot = Math.max(lastSlot, writer.lastSlot);
  }
  for (const { id } of segments) deleteSegment(connection, id);
  if (postings === 0) deleteSegment(connection, merged);
  else
    connection.prepare("UPDATE segment SET last_slot = ?, postings = ? WHERE id = ?").run(lastSlot, postings, merged);
}

/** The new slot of the first chunk that is still there; 0 when there is none. */
function firstTarget(segments: readonly Segment[], map: SlotMap): number {
  let first = 0;
  for (const { first_slot, last_slot } of segments) {
    let slot = first_slot;
    while (slot <= last_slot && targetOf(map, slot) === 0) slot++;
    if (slot <= last_slot && (first === 0 || targetOf(map, slot) < first)) first = targetOf(map, slot);
  }
  return first;
}

function copyLive(decoded: DecodedPostings, map: SlotMap, writer: PostingListWriter): void {
  decoded.sortBySlot();
  const { length, slots, masks, occurrences } = decoded;
  let at = 0;
  for (let entry = 0; entry < length; entry++) {
    const mask = masks[entry]!;
    const target = targetOf(map, slots[entry]!);
    if (target !== 0) writer.append(target, mask, occurrences, at);
    for (let rest = mask; rest !== 0; rest &= rest - 1) at++;
  }
}

export function insertSegment(connection: Connection, firstSlot: number, lastSlot: number, postings: number): number {
  return connection
    .prepare<{ id: number }>("INSERT INTO segment (first_slot, last_slot, postings) VALUES (?, ?, ?) RETURNING id")
    .get(firstSlot, lastSlot, postings)!.id;
}

export function insertList(connection: Connection, segment: number, term: Uint8Array, list: PostingListWriter): void {
  connection
    .prepare("INSERT INTO posting (segment, term, chunks, bytes) VALUES (?, ?, ?, ?)")
    .run(segment, term, list.entries, list.finish());
}

function deleteSegment(connection: Connection, id: number): void {
  connection.prepare("DELETE FROM posting WHERE segment = ?").run(id);
  connection.prepare("DELETE FROM segment WHERE id = ?").run(id);
}
