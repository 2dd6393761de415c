import type { Kernel, KernelMemory } from "./kernel.js";

const PAGE = 65536;

class PlainMemory implements KernelMemory {
  buffer: ArrayBuffer = new ArrayBuffer(PAGE);

  grow(pages: number): void {
    const grown = new ArrayBuffer(this.buffer.byteLength + pages * PAGE);
    new Uint8Array(grown).set(new Uint8Array(this.buffer));
    this.buffer = grown;
  }
}

/** The kernel of kernel.wat in plain JavaScript: dot products take 10 to 20 times as long, distances 3 to 5 times. */
export function plainKernel(): Kernel {
  const memory = new PlainMemory();

  function dot(
    query: number,
    row: number,
    width: number,
    scale: number,
    allowed: number,
    slot: number,
    end: number,
    floor: number,
    out: number,
  ): number {
    const { buffer } = memory;
    const count = end - slot;
    const numbers = new Int16Array(buffer, query, width);
    const rows = new Int8Array(buffer, row, count * width);
    const scales = new Float32Array(buffer, scale, count);
    const allow = new Uint8Array(buffer, allowed, count);
    const records = new DataView(buffer, out, count * 16);
    let written = 0;
    for (let i = 0; i < count; i++) {
      if (allow[i] === 0 || scales[i] === 0) continue;
      let a = 0;
      let b = 0;
      for (let j = 0, r = i * width; j < width; j += 2, r += 2) {
        a = (a + numbers[j]! * rows[r]!) | 0;
        b = (b + numbers[j + 1]! * rows[r + 1]!) | 0;
      }
      const score = ((a + b) | 0) * scales[i]!;
      if (!(score >= floor)) continue;
      records.setFloat64(written, score, true);
      records.setInt32(written + 8, slot + i, true);
      written += 16;
    }
    return out + written;
  }

  function hamming(
    query: number,
    row: number,
    width: number,
    present: number,
    allowed: number,
    slot: number,
    end: number,
    ceiling: number,
    out: number,
  ): number {
    const { buffer } = memory;
    const count = end - slot;
    const words = width / 4;
    const numbers = new Int32Array(buffer, query, words);
    const rows = new Int32Array(buffer, row, count * words);
    const presence = new Uint8Array(buffer, present, count);
    const allow = new Uint8Array(buffer, allowed, count);
    const records = new DataView(buffer, out, count * 8);
    let written = 0;
    for (let i = 0; i < count; i++) {
      if (allow[i] === 0 || presence[i] === 0) continue;
      let distance = 0;
      for (let j = 0, r = i * words; j < words; j++, r++) distance += ones(numbers[j]! ^ rows[r]!);
      if (distance > ceiling) continue;
      records.setInt32(written, slot + i, true);
      records.setInt32(written + 4, distance, true);
      written += 8;
    }
    return out + written;
  }

  return { memory, dot, hamming };
}

/** Number of bits set among 32: counted in pairs, in fours, in bytes, then all bytes added by one product. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
