import type { PlannedDocument, StoredDocument } from "@docsearch/store-kit";

/** A document that is there, with its slot and those of its chunks by their ids. */
export interface StoredSlots extends StoredDocument {
  readonly slot: number;
  readonly chunks: ReadonlyMap<string, number>;
}

/** A document that is written, with the slots that it and its chunks get. */
export interface PlacedDocument extends PlannedDocument {
  readonly slot: number;
  /** By the index of the chunk. */
  readonly slots: readonly number[];
}

export interface Placement {
  readonly documents: readonly PlacedDocument[];
  readonly nextSlot: number;
}

/**
 * Gives slots to what is written. Documents and chunks that were there under the same id keep theirs, so that the vector
 * of such a chunk can stay where it is; slots that became free in the same write are used before new ones.
 */
export function placeDocuments(
  removed: readonly StoredSlots[],
  written: readonly PlannedDocument[],
  nextSlot: number,
): Placement {
  const before = new Map(removed.map((document) => [document.id, document]));
  const free = new Set<number>();
  for (const { slot, chunks } of removed) for (const each of [slot, ...chunks.values()]) free.add(each);
  const keeping = written.map((planned) => {
    const stored = before.get(planned.change.document.id);
    // A chunk that was deleted and came anew may keep its slot all the same: its vector is then written or removed.
    const slots = planned.chunks.map(({ chunk }) => stored?.chunks.get(chunk.id));
    for (const each of [stored?.slot, ...slots]) if (each !== undefined) free.delete(each);
    return { planned, slot: stored?.slot, slots };
  });
  const freed = [...free];
  let next = nextSlot;
  const take = (): number => freed.pop() ?? next++;
  const documents = keeping.map(({ planned, slot, slots }) => ({
    ...planned,
    slot: slot ?? take(),
    slots: slots.map((each) => each ?? take()),
  }));
  return { documents, nextSlot: next };
}
