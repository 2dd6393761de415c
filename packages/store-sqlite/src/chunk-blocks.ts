import { LEXICAL_FIELDS, type LexicalFields } from "@docsearch/spec";
import { checksumOfBlobs } from "./checksum.js";
import type { Connection } from "./driver.js";
import { BLOCK_SLOTS, blockOf, type SlotMap } from "./slots.js";

/** Number of fields whose lengths are kept for each chunk. */
export const FIELD_COUNT: number = LEXICAL_FIELDS.length;

interface ChunkBlock {
  readonly documents: Int32Array<ArrayBuffer>;
  /** `BLOCK_SLOTS` lengths of one field after the other. */
  readonly lengths: Uint32Array<ArrayBuffer>;
}

/** Changes the rows of `chunk_block`. Gathers the changes of one write and stores them at its end. */
export class ChunkBlockWriter {
  readonly #connection: Connection;
  readonly #changed = new Map<number, ChunkBlock>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Puts a chunk of the document with the slot `document` into a slot that was not used before. */
  put(slot: number, document: number, fields: LexicalFields): void {
    const block = this.#block(blockOf(slot));
    const index = slot % BLOCK_SLOTS;
    block.documents[index] = document;
    LEXICAL_FIELDS.forEach((name, field) => {
      block.lengths[field * BLOCK_SLOTS + index] = (fields[name]?.length ?? 0) * 2;
    });
  }

  remove(slot: number): void {
    const block = this.#block(blockOf(slot));
    const index = slot % BLOCK_SLOTS;
    block.documents[index] = 0;
    for (let at = index; at < block.lengths.length; at += BLOCK_SLOTS) block.lengths[at] = 0;
  }

  /** Moves every chunk to its new slot. The new slots lie in blocks that do not exist yet. */
  renumber(map: SlotMap): void {
    const old = this.#connection
      .prepare<{ block: number }>("SELECT block FROM chunk_block ORDER BY block")
      .all()
      .map(({ block }) => block);
    for (const number of old) {
      const from = this.#block(number);
      for (let index = 0; index < BLOCK_SLOTS; index++) {
        const target = map.targets[number * BLOCK_SLOTS + index - map.first] ?? 0;
        if (target === 0) continue;
        const to = this.#block(blockOf(target));
        const at = target % BLOCK_SLOTS;
        to.documents[at] = from.documents[index]!;
        for (let field = 0; field < FIELD_COUNT; field++) {
          to.lengths[field * BLOCK_SLOTS + at] = from.lengths[field * BLOCK_SLOTS + index]!;
        }
      }
      this.#changed.delete(number);
      this.#connection.prepare("DELETE FROM chunk_block WHERE block = ?").run(number);
    }
  }

  finish(stamp: number): void {
    const upsert = this.#connection.prepare(
      `INSERT INTO chunk_block (block, stamp, checksum, documents, lengths) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (block) DO UPDATE SET stamp = excluded.stamp, checksum = excluded.checksum,
         documents = excluded.documents, lengths = excluded.lengths`,
    );
    for (const [number, { documents, lengths }] of this.#changed) {
      const blobs = [bytesOf(documents), bytesOf(lengths)] as const;
      upsert.run(number, stamp, checksumOfBlobs(...blobs), ...blobs);
    }
    this.#changed.clear();
  }

  #block(number: number): ChunkBlock {
    let block = this.#changed.get(number);
    if (block === undefined) {
      block = {
        documents: new Int32Array(BLOCK_SLOTS),
        lengths: new Uint32Array(BLOCK_SLOTS * FIELD_COUNT),
      };
      const stored = this.#connection
        .prepare<{ documents: Uint8Array; lengths: Uint8Array }>(
          "SELECT documents, lengths FROM chunk_block WHERE block = ?",
        )
        .get(number);
      if (stored !== undefined) {
        bytesOf(block.documents).set(stored.documents);
        bytesOf(block.lengths).set(stored.lengths);
      }
      this.#changed.set(number, block);
    }
    return block;
  }
}

/** Which slots are in use, as a map that leaves every chunk where it is. */
export function slotsInUse(connection: Connection): SlotMap {
  const { low, high } = connection
    .prepare<{ low: number | null; high: number | null }>(
      "SELECT min(block) AS low, max(block) AS high FROM chunk_block",
    )
    .get()!;
  if (low === null || high === null) return { first: 0, targets: new Int32Array(0) };
  const first = low * BLOCK_SLOTS;
  const targets = new Int32Array((high - low + 1) * BLOCK_SLOTS);
  const rows = connection.prepare<{ block: number; documents: Uint8Array }>("SELECT block, documents FROM chunk_block");
  const bytes = bytesOf(targets);
  for (const { block, documents } of rows.iterate()) bytes.set(documents, (block - low) * BLOCK_SLOTS * 4);
  for (let i = 0; i < targets.length; i++) if (targets[i] !== 0) targets[i] = first + i;
  return { first, targets };
}

/** The bytes of a typed array, shared with it. */
export function bytesOf(array: ArrayBufferView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
