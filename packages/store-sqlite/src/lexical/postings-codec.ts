// A posting list names the chunks that hold a term, by rising slot, and how often each field holds it.
//
// An entry is the varint `distance * 2 + simple`. `distance` is counted from the slot before, for the first entry from
// the first slot of the segment. `simple` is 1 for one occurrence in the body, which is most of all entries. Else there
// follows a varint of the fields that hold the term, the bit `1 << i` standing for LEXICAL_FIELDS[i], and for each of
// them a varint of its occurrences in half units.

import { LEXICAL_FIELDS } from "@docsearch/spec";

/** The field that simple entries mean. */
export const BODY: number = LEXICAL_FIELDS.indexOf("body");
const BODY_MASK = 1 << BODY;
/** One occurrence, in half units. */
export const ONE: number = 2;

/** Writes one posting list after the other. Slots only rise within a list. */
export class PostingListWriter {
  #bytes = new Uint8Array(256);
  #length = 0;
  #entries = 0;
  #previous = 0;
  /** The slot whose fields are being gathered, its fields as bits, and their occurrences. */
  #slot = -1;
  #mask = 0;
  readonly #occurrences: number[] = [0, 0, 0, 0, 0, 0];

  /** Begins a list in a segment with this first slot. */
  begin(firstSlot: number): void {
    this.#length = 0;
    this.#entries = 0;
    this.#previous = firstSlot;
    this.#slot = -1;
    this.#mask = 0;
  }

  /** Number of entries. */
  get entries(): number {
    return this.#entries;
  }

  /** The slot added last; -1 at the start. */
  get lastSlot(): number {
    return this.#slot;
  }

  /**
   * Adds one field of a slot. The fields of a slot come one after the other, in any order.
   *
   * @param field index in LEXICAL_FIELDS
   * @param occurrences in half units, above 0
   * @returns true when the slot is new to this list
   */
  add(slot: number, field: number, occurrences: number): boolean {
    const isNew = slot !== this.#slot;
    if (isNew) {
      this.#flush();
      this.#slot = slot;
      this.#entries++;
    }
    this.#mask |= 1 << field;
    this.#occurrences[field] = occurrences;
    return isNew;
  }

  /** Adds an entry of `DecodedPostings`, whose occurrences begin at `at`. */
  append(slot: number, mask: number, occurrences: Uint32Array, at: number): void {
    this.#slot = slot;
    this.#entries++;
    this.#beginEntry(slot, mask === 0 ? 1 : 0);
    if (mask === 0) return;
    this.#varint(mask);
    for (let rest = mask, next = at; rest !== 0; rest &= rest - 1) this.#varint(occurrences[next++]!);
  }

  /** The encoded list, until the next begins. Nothing can be added to it. */
  finish(): Uint8Array {
    this.#flush();
    return this.#bytes.subarray(0, this.#length);
  }

  /** Writes what was gathered. */
  #flush(): void {
    const mask = this.#mask;
    if (mask === 0) return;
    this.#mask = 0;
    const simple = mask === BODY_MASK && this.#occurrences[BODY] === ONE;
    this.#beginEntry(this.#slot, simple ? 1 : 0);
    if (simple) return;
    this.#varint(mask);
    for (let field = 0; mask >> field !== 0; field++) {
      if ((mask >> field) & 1) this.#varint(this.#occurrences[field]!);
    }
  }

  #beginEntry(slot: number, simple: number): void {
    this.#varint((slot - this.#previous) * 2 + simple);
    this.#previous = slot;
  }

  #varint(value: number): void {
    if (this.#length + 5 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }
}

/** Posting lists laid out for scoring; grows as needed and is used again for every term. */
export class DecodedPostings {
  /** Number of entries. */
  length = 0;
  /** Slot by entry. */
  slots: Int32Array = new Int32Array(1024);
  /** Fields by entry, as bits; 0 for one occurrence in the body, which takes no place in `occurrences`. */
  masks: Uint8Array = new Uint8Array(1024);
  /** Occurrences in half units, of the fields of one entry after the other. */
  occurrences: Uint32Array = new Uint32Array(1024);
  #occurrenceCount = 0;

  clear(): void {
    this.length = 0;
    this.#occurrenceCount = 0;
  }

  /**
   * Appends an encoded list.
   *
   * @param entries number of entries in `bytes`
   */
  append(bytes: Uint8Array, firstSlot: number, entries: number): void {
    this.#reserve(entries, bytes.length);
    const { slots, masks, occurrences } = this;
    let entry = this.length;
    let at = this.#occurrenceCount;
    let slot = firstSlot;
    let position = 0;
    const end = bytes.length;
    while (position < end) {
      let value = bytes[position++]!;
      if (value > 127) {
        value &= 127;
        let shift = 7;
        let byte: number;
        do {
          byte = bytes[position++]!;
          value |= (byte & 127) << shift;
          shift += 7;
        } while (byte > 127);
      }
      slot += value >>> 1;
      slots[entry] = slot;
      if ((value & 1) === 1) {
        masks[entry++] = 0;
        continue;
      }
      // LEXICAL_FIELDS are six, so a mask is one byte.
      const mask = bytes[position++]!;
      masks[entry++] = mask;
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        let count = bytes[position++]!;
        if (count > 127) {
          count &= 127;
          let shift = 7;
          let byte: number;
          do {
            byte = bytes[position++]!;
            count |= (byte & 127) << shift;
            shift += 7;
          } while (byte > 127);
        }
        occurrences[at++] = count;
      }
    }
    this.length = entry;
    this.#occurrenceCount = at;
  }

  /** Brings lists that were appended out of order into the order of their slots. */
  sortBySlot(): void {
    const { length, slots, masks, occurrences } = this;
    let entry = 1;
    while (entry < length && slots[entry - 1]! < slots[entry]!) entry++;
    if (entry >= length) return;
    const starts = new Int32Array(length);
    for (let i = 1; i < length; i++) starts[i] = starts[i - 1]! + bitCount(masks[i - 1]!);
    const order = Int32Array.from({ length }, (_, i) => i).sort((a, b) => slots[a]! - slots[b]!);
    this.slots = order.map((i) => slots[i]!);
    this.masks = Uint8Array.from(order, (i) => masks[i]!);
    this.occurrences = new Uint32Array(this.#occurrenceCount);
    let at = 0;
    for (const i of order) {
      const count = bitCount(masks[i]!);
      this.occurrences.set(occurrences.subarray(starts[i], starts[i]! + count), at);
      at += count;
    }
  }

  #reserve(entries: number, bytes: number): void {
    const length = this.length + entries;
    if (length > this.slots.length) {
      const capacity = length * 2;
      const { slots, masks } = this;
      this.slots = new Int32Array(capacity);
      this.slots.set(slots);
      this.masks = new Uint8Array(capacity);
      this.masks.set(masks);
    }
    // An occurrence takes at least one byte.
    const count = this.#occurrenceCount + bytes;
    if (count > this.occurrences.length) {
      const { occurrences } = this;
      this.occurrences = new Uint32Array(count * 2);
      this.occurrences.set(occurrences);
    }
  }
}

function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
