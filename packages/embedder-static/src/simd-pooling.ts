import { KERNEL_BASE64 } from "./generated/kernel.js";
import type { Pooling } from "./pooling.js";

const PAGE_BYTES = 65_536;

interface Kernel {
  /** All but `dimensions` and `count` are byte addresses; see kernel.wat. */
  sum(rows: number, dimensions: number, ids: number, weights: number, count: number, out: number): void;
}

/**
 * Pooling by the WebAssembly SIMD kernel over rows in its memory. `undefined` where there is no WebAssembly (such as
 * under `--jitless`) or no SIMD in it, and where the address space that an engine reserves for a memory, several
 * gigabytes, is not to be had (such as under `ulimit -v`).
 */
export function simdPooling(tokens: number, dimensions: number): Pooling | undefined {
  if (typeof WebAssembly === "undefined") return undefined;
  const bytes = Buffer.from(KERNEL_BASE64, "base64");
  if (!WebAssembly.validate(bytes)) return undefined;

  // In order of size; `tokens * dimensions` is a multiple of 16, so all of them are aligned.
  const rows = 0;
  const ids = rows + tokens * dimensions;
  const weights = ids + tokens * Int32Array.BYTES_PER_ELEMENT;
  const sum = Math.ceil((weights + tokens * Float32Array.BYTES_PER_ELEMENT) / 16) * 16;
  const pages = Math.ceil((sum + dimensions * Float32Array.BYTES_PER_ELEMENT) / PAGE_BYTES);

  const memory = allocate(pages);
  if (memory === undefined) return undefined;
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  const kernel = instance.exports as Kernel;
  return {
    rows: new Int8Array(memory.buffer, rows, tokens * dimensions),
    ids: new Int32Array(memory.buffer, ids, tokens),
    weights: new Float32Array(memory.buffer, weights, tokens),
    sum: new Float32Array(memory.buffer, sum, dimensions),
    add: (count: number): void => kernel.sum(rows, dimensions, ids, weights, count, sum),
  };
}

function allocate(pages: number): WebAssembly.Memory | undefined {
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
