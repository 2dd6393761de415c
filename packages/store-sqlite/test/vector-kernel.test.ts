import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { KERNEL_BASE64 } from "../src/generated/kernel.js";
import { type Kernel, READ_AHEAD } from "../src/vector/kernel.js";
import { plainKernel } from "../src/vector/plain-kernel.js";
import { wasmKernel } from "../src/vector/wasm-kernel.js";

const SCALES = 16384;
const ALLOWED = 20480;
const RECORDS = 24576;
const ROWS = 32768;

/** A kernel whose memory holds `bytes` at the front, and scales from `scales`. */
function filled(kernel: Kernel, bytes: Uint8Array, scales: readonly number[], allowed: readonly number[]): Kernel {
  kernel.memory.grow(1);
  const memory = new Uint8Array(kernel.memory.buffer);
  memory.set(bytes.subarray(0, 4096));
  memory.set(bytes, ROWS);
  memory.set(allowed, ALLOWED);
  new Float32Array(kernel.memory.buffer, SCALES, scales.length).set(scales);
  return kernel;
}

function records(kernel: Kernel, end: number): Uint8Array {
  return new Uint8Array(kernel.memory.buffer).slice(RECORDS, end);
}

describe("the two kernels", () => {
  const slots = 12;
  const scenario = fc.record({
    width: fc.constantFrom(16, 32, 48, 64, 80, 128, 208),
    bytes: fc.uint8Array({ minLength: slots * 208, maxLength: slots * 208 }),
    scales: fc.array(fc.constantFrom(0, 0.5, 1, Math.fround(0.1), Math.fround(1e-30)), {
      minLength: slots,
      maxLength: slots,
    }),
    allowed: fc.array(fc.constantFrom(0, 1, 255), { minLength: slots, maxLength: slots }),
    first: fc.integer({ min: 0, max: 1_000_000 }),
  });

  test("write the same records for dot products", () => {
    fc.assert(
      fc.property(scenario, fc.constantFrom(Number.NEGATIVE_INFINITY, -1e6, 0, 1e5), (s, floor) => {
        const results = [wasmKernel()!, plainKernel()].map((kernel) => {
          filled(kernel, s.bytes, s.scales, s.allowed);
          const end = kernel.dot(0, ROWS, s.width, SCALES, ALLOWED, s.first, s.first + slots, floor, RECORDS);
          return [...records(kernel, end)];
        });
        expect(results[0]).toEqual(results[1]);
      }),
    );
  });

  test("write the same records for Hamming distances", () => {
    fc.assert(
      fc.property(scenario, fc.integer({ min: -1, max: 1664 }), (s, ceiling) => {
        const results = [wasmKernel()!, plainKernel()].map((kernel) => {
          filled(kernel, s.bytes, s.scales, s.allowed);
          const end = kernel.hamming(0, ROWS, s.width, ALLOWED, ALLOWED, s.first, s.first + slots, ceiling, RECORDS);
          return [...records(kernel, end)];
        });
        expect(results[0]).toEqual(results[1]);
      }),
    );
  });

  test.each([
    ["WebAssembly", wasmKernel],
    ["plain JavaScript", plainKernel],
  ] as const)("%s: records of a small case", (_, create) => {
    const kernel = create()!;
    kernel.memory.grow(1);
    const { buffer } = kernel.memory;
    new Int16Array(buffer, 0, 3).set([1000, -2, 3]);
    new Int8Array(buffer, ROWS, 16 * 4).set([1, 1, 1], 0);
    new Int8Array(buffer, ROWS + 16, 3).set([-128, 0, 127]);
    new Int8Array(buffer, ROWS + 48, 3).set([2, 0, 0]);
    new Float32Array(buffer, SCALES, 4).set([0.5, 1, 1, 0.25]);
    new Uint8Array(buffer, ALLOWED, 4).fill(1);
    const read = (end: number) =>
      Array.from({ length: (end - RECORDS) / 16 }, (_, i) => [
        new Int32Array(buffer, RECORDS + i * 16 + 8, 1)[0],
        new Float64Array(buffer, RECORDS + i * 16, 1)[0],
      ]);
    expect(read(kernel.dot(0, ROWS, 16, SCALES, ALLOWED, 7, 11, Number.NEGATIVE_INFINITY, RECORDS))).toEqual([
      [7, 500.5],
      [8, -127619],
      [9, 0],
      [10, 500],
    ]);
    expect(read(kernel.dot(0, ROWS, 16, SCALES, ALLOWED, 7, 11, 500, RECORDS))).toEqual([
      [7, 500.5],
      [10, 500],
    ]);
    expect(kernel.dot(0, ROWS, 16, SCALES, ALLOWED, 7, 7, Number.NEGATIVE_INFINITY, RECORDS)).toBe(RECORDS);
  });
});

describe("the WebAssembly kernel", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  test("is there, and small", () => {
    expect(wasmKernel()).not.toBeNull();
    expect(Buffer.from(KERNEL_BASE64, "base64").length).toBeLessThan(2048);
  });

  test("reads no further ahead than READ_AHEAD", () => {
    const kernel = wasmKernel()!;
    kernel.memory.grow(1);
    const size = kernel.memory.buffer.byteLength;
    const dot = (row: number) => kernel.dot(0, row, 256, SCALES, ALLOWED, 0, 4, 0, RECORDS);
    new Float32Array(kernel.memory.buffer, SCALES, 4).fill(1);
    new Uint8Array(kernel.memory.buffer, ALLOWED, 4).fill(1);
    expect(dot(size - READ_AHEAD - 4 * 256)).toBe(RECORDS + 64);
    expect(() => dot(size - READ_AHEAD)).toThrow("memory access out of bounds");
  });

  async function kernelWith(webAssembly: unknown): Promise<Kernel | null> {
    vi.resetModules();
    vi.stubGlobal("WebAssembly", webAssembly);
    return (await import("../src/vector/wasm-kernel.js")).wasmKernel();
  }

  test("is missing without WebAssembly", async () => {
    expect(await kernelWith(undefined)).toBeNull();
  });

  test("is missing without SIMD, which is asked for once", async () => {
    const Module = vi.fn(function Module() {
      throw new Error("Wasm SIMD unsupported");
    });
    expect(await kernelWith({ Module })).toBeNull();
    const { wasmKernel: again } = await import("../src/vector/wasm-kernel.js");
    expect(again()).toBeNull();
    expect(Module).toHaveBeenCalledTimes(1);
  });

  test("is missing where no memory can be set aside, and the scans answer without it", async () => {
    class Memory {
      constructor() {
        throw new RangeError("could not allocate memory");
      }
    }
    expect(await kernelWith({ Module: class {}, Memory })).toBeNull();
    const { quantize, VectorScan } = await import("../src/vector/index.js");
    const scan = new VectorScan(2);
    const { scale, row } = quantize(Float32Array.of(0, 5));
    scan.load(4, Float32Array.of(scale), row);
    expect(scan.search(Float32Array.of(0, 1), 1)).toEqual([{ slot: 4, score: Math.fround(1 / 127) * 127 }]);
  });

  test("importing the scans compiles nothing", async () => {
    vi.resetModules();
    const Module = vi.fn();
    vi.stubGlobal("WebAssembly", { Module });
    await import("../src/vector/index.js");
    expect(Module).not.toHaveBeenCalled();
  });
});
