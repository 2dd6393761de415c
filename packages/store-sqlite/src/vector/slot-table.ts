import { DocsearchError } from "@docsearch/spec";
import { type Kernel, READ_AHEAD } from "./kernel.js";
import { plainKernel } from "./plain-kernel.js";
import { wasmKernel } from "./wasm-kernel.js";

/** Slots of a block. The kernel is called once for each block. */
const BLOCK_SLOTS = 1024;

/** Slots from `slot` to `end`, exclusive, of one block. */
interface SlotRange {
  readonly slot: number;
  readonly end: number;
}

const PAGE = 65536;
/** Memory doubles up to this many pages more at a time, 16 MB, so that a large table has little to spare. */
const LARGEST_STEP = 256;

/**
 * Rows of bytes of one width, by slot, each with a mark of a few bytes that tells whether it is there (0: no), in the
 * memory of a kernel. Blocks follow one another, each `BLOCK_SLOTS` rows and then their marks; before them lie the
 * query, the filter and the records of the block at work. New memory is zero, hence new slots are absent.
 */
export class SlotTable {
  readonly kernel: Kernel;
  /** Bytes from row to row, a multiple of 16. */
  readonly width: number;
  /** Address for the query. */
  readonly query: number = 0;
  /** Address of the filter of the block at work, one byte a slot. */
  readonly allowed: number;
  /** Address for the records of a block, up to 16 bytes a slot. */
  readonly records: number;
  readonly #markBytes: number;
  readonly #firstBlock: number;
  readonly #blockBytes: number;
  #bytes: Uint8Array;
  #slots = 0;

  /** `queryBytes` is a multiple of 16. `wasm: false` uses plain JavaScript even where SIMD is there. */
  constructor(shape: {
    readonly width: number;
    readonly markBytes: number;
    readonly queryBytes: number;
    readonly wasm: boolean;
  }) {
    this.kernel = (shape.wasm ? wasmKernel() : null) ?? plainKernel();
    this.width = shape.width;
    this.#markBytes = shape.markBytes;
    this.allowed = this.query + shape.queryBytes;
    this.records = this.allowed + BLOCK_SLOTS;
    this.#firstBlock = this.records + BLOCK_SLOTS * 16;
    this.#blockBytes = BLOCK_SLOTS * (shape.width + shape.markBytes);
    this.#bytes = new Uint8Array(this.kernel.memory.buffer);
    this.#reserve(this.#firstBlock);
  }

  /** One above the highest slot that was made. */
  get slots(): number {
    return this.#slots;
  }

  /** The whole memory. Holds until the next `extend`. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Makes all slots below `slots`. `STORE_FAILED` when there is not the memory for them. */
  extend(slots: number): void {
    if (slots <= this.#slots) return;
    const blocks = Math.ceil(slots / BLOCK_SLOTS);
    this.#reserve(this.#firstBlock + blocks * this.#blockBytes + READ_AHEAD);
    this.#slots = slots;
  }

  /** Address of a slot's row. Rows of one block are adjacent. */
  row(slot: number): number {
    return this.#block(slot) + (slot % BLOCK_SLOTS) * this.width;
  }

  /** Address of a slot's mark. Marks of one block are adjacent. */
  mark(slot: number): number {
    return this.#block(slot) + BLOCK_SLOTS * this.width + (slot % BLOCK_SLOTS) * this.#markBytes;
  }

  /** The slots from `first` to `end`, exclusive, in parts that lie within one block each. */
  *parts(first: number, end: number): Generator<SlotRange> {
    for (let slot = first; slot < end; ) {
      const next = Math.min(end, (Math.floor(slot / BLOCK_SLOTS) + 1) * BLOCK_SLOTS);
      yield { slot, end: next };
      slot = next;
    }
  }

  /**
   * All slots block by block, with `this.allowed` set to the part of `allowed` that belongs to the block at hand. Ends
   * where `allowed` ends.
   */
  *blocks(allowed: Uint8Array | undefined): Generator<SlotRange> {
    if (allowed === undefined) this.#bytes.fill(1, this.allowed, this.allowed + BLOCK_SLOTS);
    for (const block of this.parts(0, Math.min(this.#slots, allowed?.length ?? this.#slots))) {
      if (allowed !== undefined) this.#bytes.set(allowed.subarray(block.slot, block.end), this.allowed);
      yield block;
    }
  }

  #block(slot: number): number {
    return this.#firstBlock + Math.floor(slot / BLOCK_SLOTS) * this.#blockBytes;
  }

  #reserve(bytes: number): void {
    const { memory } = this.kernel;
    const pages = memory.buffer.byteLength / PAGE;
    const wanted = Math.ceil(bytes / PAGE);
    if (wanted <= pages) return;
    try {
      memory.grow(Math.max(wanted, Math.min(pages * 2, pages + LARGEST_STEP)) - pages);
    } catch (cause) {
      throw new DocsearchError(
        "STORE_FAILED",
        `The vectors of this index need ${Math.ceil(bytes / 1e6)} MB in memory, which could not be had. Free memory, split the index, or use a store that keeps vectors on a server.`,
        { operation: "load vectors" },
        { cause },
      );
    }
    this.#bytes = new Uint8Array(memory.buffer);
  }
}
