// Every chunk has a slot, a number above zero that no other chunk of a numbering ever gets. What queries need of chunks is packed
// into blobs of 256 slots each, so that it can be read at once and changed in place.

/** Slots of a block. Block 0 begins with slot 0, which is not used. */
export const BLOCK_SLOTS = 256;

export function blockOf(slot: number): number {
  return Math.floor(slot / BLOCK_SLOTS);
}

/** Where slots go when chunks are moved; it also tells which slots are in use. Order stays. */
export interface SlotMap {
  /** First slot of `targets`. */
  readonly first: number;
  /** New slot by old slot, less `first`; 0 for a slot that is not in use. */
  readonly targets: Int32Array;
}

/** The new slot of a slot; 0 for one that is not in use. */
export function targetOf(map: SlotMap, slot: number): number {
  return map.targets[slot - map.first] ?? 0;
}
