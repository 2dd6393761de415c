import type { PlannedChunk, PlannedDocument, StoredDocument } from "@docsearch/store-kit";

export interface StoredChunk {
  readonly slot: number;
  /** Numbers of the spaces whose model has nothing to say about it. */
  readonly silent: readonly number[];
}

/** A document that is there, with its slot and its chunks by their ids. */
export interface StoredSlots extends StoredDocument {
  readonly slot: number;
  readonly chunks: ReadonlyMap<string, StoredChunk>;
}

/** A document that is written, with the slots that it and its chunks get. */
export interface PlacedDocument extends PlannedDocument {
  readonly slot: number;
  /** By the index of the chunk. */
  readonly slots: readonly number[];
  /** The same: numbers of the spaces whose model has nothing to say about the chunk. */
  readonly silent: readonly (readonly number[])[];
}

export interface Placement {
  readonly documents: readonly PlacedDocument[];
  readonly nextSlot: number;
}

/**
 * Gives slots to what is written. Documents and chunks that were there under the same id keep theirs, so that the vector
 * of such a chunk can stay where it is; slots that became free in the same write are used before new ones.
 *
 * @param space of the store; absent in one without vectors
 */
export function placeDocuments(
  removed: readonly StoredSlots[],
  written: readonly PlannedDocument[],
  nextSlot: number,
  space: number | undefined,
): Placement {
  const before = new Map(removed.map((document) => [document.id, document]));
  const free = new Set<number>();
  for (const { slot, chunks } of removed) {
    free.add(slot);
    for (const chunk of chunks.values()) free.add(chunk.slot);
  }
  const keeping = written.map((planned) => {
    const stored = before.get(planned.change.document.id);
    // A chunk that was deleted and came anew may keep its slot all the same: its vector is then written or removed.
    const slots = planned.chunks.map(({ chunk }) => stored?.chunks.get(chunk.id)?.slot);
    for (const each of [stored?.slot, ...slots]) if (each !== undefined) free.delete(each);
    const silent = planned.chunks.map((chunk) => silentSpaces(chunk, stored?.chunks.get(chunk.chunk.id), space));
    return { planned, slot: stored?.slot, slots, silent };
  });
  const freed = [...free];
  let next = nextSlot;
  const take = (): number => freed.pop() ?? next++;
  const documents = keeping.map(({ planned, slot, slots, silent }) => ({
    ...planned,
    slot: slot ?? take(),
    slots: slots.map((each) => each ?? take()),
    silent,
  }));
  return { documents, nextSlot: next };
}

/** @param stored the chunk of the same id, which may have gone in between */
function silentSpaces(
  { vector, isLacking, stays }: PlannedChunk,
  stored: StoredChunk | undefined,
  space: number | undefined,
): readonly number[] {
  const before = stays ? (stored?.silent ?? []) : [];
  if (vector === "stored" || space === undefined) return before;
  const others = before.filter((number) => number !== space);
  return vector === undefined && !isLacking ? [...others, space] : others;
}
