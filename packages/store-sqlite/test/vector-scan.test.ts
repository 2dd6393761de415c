import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cosine, normalize, type ScanHit, VectorScan } from "../src/vector/index.js";
import { gaussianVectors, pack, uniforms } from "./vector-data.js";

/** Scores every slot, sorts all of them, and cuts behind the ties of the last. */
function naiveSearch(
  scales: Float32Array,
  rows: Int8Array,
  query: Float32Array,
  limit: number,
  allowed?: Uint8Array,
): ScanHit[] {
  const unit = normalize(query);
  const hits: ScanHit[] = [];
  scales.forEach((scale, slot) => {
    if (scale === 0 || (allowed !== undefined && !allowed[slot])) return;
    const row = rows.subarray(slot * query.length, (slot + 1) * query.length);
    hits.push({ slot, score: cosine(unit, row, scale) });
  });
  hits.sort((a, b) => b.score - a.score || a.slot - b.slot);
  const last = hits[limit - 1];
  return limit <= 0 ? [] : hits.filter((hit, i) => i < limit || hit.score === last?.score);
}

const kernels = [
  { name: "WebAssembly", wasm: true },
  { name: "plain JavaScript", wasm: false },
];

describe.each(kernels)("$name", ({ wasm }) => {
  test.each([1, 3, 4, 16, 50, 63, 64, 80, 256, 384])("equals scoring every slot at %i dimensions", (dimensions) => {
    const { scales, rows } = pack(gaussianVectors(dimensions, 2500, dimensions));
    const uniform = uniforms(9);
    for (let slot = 0; slot < 2500; slot++) if (uniform() < 0.1) scales[slot] = 0;
    const scan = new VectorScan(dimensions, { wasm });
    scan.load(0, scales, rows);
    const half = Uint8Array.from({ length: 2500 }, () => (uniform() < 0.5 ? 0 : 1));
    const few = Uint8Array.from({ length: 2500 }, () => (uniform() < 0.99 ? 0 : 255));
    for (const query of gaussianVectors(dimensions + 1, 2, dimensions)) {
      for (const limit of [1, 10, 200, 2500, 5000]) {
        for (const allowed of [undefined, half, few]) {
          expect(scan.search(query, limit, allowed)).toEqual(naiveSearch(scales, rows, query, limit, allowed));
        }
      }
    }
  });

  test("equals scoring every slot where scores lie closer than the integers of the kernel can tell", () => {
    const [center] = gaussianVectors(5, 1, 256) as [Float32Array];
    const near = gaussianVectors(6, 3000, 256).map((noise) => noise.map((x, j) => center[j]! + x * 0.004));
    const { scales, rows } = pack(near);
    const scan = new VectorScan(256, { wasm });
    scan.load(0, scales, rows);
    for (const query of [center, ...near.slice(0, 5)]) {
      expect(scan.search(query, 20)).toEqual(naiveSearch(scales, rows, query, 20));
    }
  });

  test("equals scoring every slot for any rows and scales", () => {
    const dimensions = 5;
    const slot = fc.tuple(
      fc.array(fc.integer({ min: -2, max: 2 }), { minLength: dimensions, maxLength: dimensions }),
      fc.constantFrom(0, 0.25, 1, 1, 1, 1000),
    );
    const number = fc.double({ min: -4, max: 4, noNaN: true });
    const query = fc.array(fc.oneof(fc.integer({ min: -2, max: 2 }), number), {
      minLength: dimensions,
      maxLength: dimensions,
    });
    fc.assert(
      fc.property(
        fc.array(slot, { maxLength: 60 }),
        query,
        fc.integer({ min: 0, max: 70 }),
        (slots, numbers, limit) => {
          const vector = Float32Array.from(numbers);
          fc.pre(vector.some((component) => component !== 0));
          const scales = Float32Array.from(slots, ([, scale]) => scale);
          const rows = Int8Array.from(slots.flatMap(([row]) => row));
          const scan = new VectorScan(dimensions, { wasm });
          scan.load(0, scales, rows);
          expect(scan.search(vector, limit)).toEqual(naiveSearch(scales, rows, vector, limit));
        },
      ),
    );
  });

  // Components of the query lie in pairs at 0.4 steps above and below the same integer. One row meets all of the upper,
  // the other all of the lower: the kernel cannot tell the two apart, and a slightly larger scale makes it prefer the
  // lower one.
  test("equals scoring every slot where the kernel has the order wrong", () => {
    const query = Float32Array.from({ length: 256 }, (_, j) => (j % 2 === 0 ? 20000.4 : 19999.6));
    query[254] = 32767;
    query[255] = 0;
    const upper = Int8Array.from(query, (_, j) => (j < 254 && j % 2 === 0 ? 127 : 0));
    const lower = Int8Array.from(query, (_, j) => (j < 254 && j % 2 === 1 ? 127 : 0));
    const scale = 1 / (127 * Math.sqrt(127));
    const scales = Float32Array.of(scale * 1.00003, scale);
    const scan = new VectorScan(256, { wasm });
    scan.load(0, scales, Int8Array.of(...lower, ...upper));
    expect(scan.search(query, 1).map(({ slot }) => slot)).toEqual([1]);
    scan.load(2000, scales.subarray(1), upper);
    expect(scan.search(query, 1).map(({ slot }) => slot)).toEqual([1, 2000]);
  });

  test("the largest rows and queries of many dimensions do not overflow", () => {
    const dimensions = 8192;
    const rows = new Int8Array(3 * dimensions).fill(-127, 0, dimensions).fill(127, 2 * dimensions);
    const scales = new Float32Array(3).fill(1 / (127 * Math.sqrt(dimensions)));
    const scan = new VectorScan(dimensions, { wasm });
    scan.load(0, scales, rows);
    const query = new Float32Array(dimensions).fill(1);
    expect(scan.search(query, 1)).toEqual([{ slot: 2, score: expect.closeTo(1, 6) }]);
    expect(scan.search(query, 2)).toEqual([
      { slot: 2, score: expect.closeTo(1, 6) },
      { slot: 1, score: 0 },
    ]);
    expect(scan.search(query.fill(-1), 1)).toEqual([{ slot: 0, score: expect.closeTo(1, 6) }]);
  });

  test("the last slot of a block answers however little memory lies behind it", () => {
    for (let blocks = 1; blocks <= 16; blocks++) {
      const scan = new VectorScan(256, { wasm });
      const scales = new Float32Array(blocks * 1024);
      scales[blocks * 1024 - 1] = 1 / 16;
      scan.load(0, scales, new Int8Array(blocks * 1024 * 256).fill(1));
      expect(scan.search(new Float32Array(256).fill(1), 1)).toEqual([{ slot: blocks * 1024 - 1, score: 1 }]);
    }
  });

  test("ties with the last hit are returned too, by slot", () => {
    const east = Float32Array.of(1, 0, 0);
    const north = Float32Array.of(0, 1, 0);
    const up = Float32Array.of(0, 0, 1);
    const { scales, rows } = pack([up, north, east, north, up, north, east]);
    const scan = new VectorScan(3, { wasm });
    scan.load(0, scales, rows);
    const query = Float32Array.of(2, 1, -1);
    const slots = (limit: number) => scan.search(query, limit).map(({ slot }) => slot);
    expect(slots(0)).toEqual([]);
    expect(slots(1)).toEqual([2, 6]);
    expect(slots(2)).toEqual([2, 6]);
    expect(slots(3)).toEqual([2, 6, 1, 3, 5]);
    expect(slots(5)).toEqual([2, 6, 1, 3, 5]);
    expect(slots(6)).toEqual([2, 6, 1, 3, 5, 0, 4]);
    expect(slots(100)).toEqual([2, 6, 1, 3, 5, 0, 4]);
  });

  test("five thousand copies of one vector tie across blocks", () => {
    const { scales, rows } = pack(new Array(5000).fill(Float32Array.of(1, 2, 3, 4)));
    const scan = new VectorScan(4, { wasm });
    scan.load(0, scales, rows);
    const hits = scan.search(Float32Array.of(4, 3, 2, 1), 10);
    expect(hits.map(({ slot }) => slot)).toEqual(Array.from({ length: 5000 }, (_, slot) => slot));
  });

  test("the length of the query does not matter", () => {
    const { scales, rows } = pack(gaussianVectors(7, 300, 16));
    const scan = new VectorScan(16, { wasm });
    scan.load(0, scales, rows);
    const [query] = gaussianVectors(8, 1, 16) as [Float32Array];
    const hits = scan.search(query, 10);
    expect(
      scan.search(
        query.map((x) => x * 2 ** 90),
        10,
      ),
    ).toEqual(hits);
    expect(
      scan.search(
        query.map((x) => x * 2 ** -90),
        10,
      ),
    ).toEqual(hits);
  });

  test("slots never loaded, and slots with scale 0, are absent", () => {
    const scan = new VectorScan(3, { wasm });
    const query = Float32Array.of(1, 1, 1);
    expect(scan.search(query, 10)).toEqual([]);
    const { scales, rows } = pack([query, query]);
    scan.load(3000, scales, rows);
    expect(scan.search(query, 10).map(({ slot }) => slot)).toEqual([3000, 3001]);
    scan.load(3000, Float32Array.of(0), Int8Array.of(127, 127, 127));
    expect(scan.search(query, 10).map(({ slot }) => slot)).toEqual([3001]);
    scan.load(3001, Float32Array.of(0), Int8Array.of(0, 0, 0));
    expect(scan.search(query, 10)).toEqual([]);
    scan.load(0, new Float32Array(0), new Int8Array(0));
    expect(scan.search(query, 10)).toEqual([]);
  });

  test("loading again overwrites, and touches nothing beside it", () => {
    const dimensions = 20;
    const { scales, rows } = pack(gaussianVectors(10, 3000, dimensions));
    const other = pack(gaussianVectors(11, 1500, dimensions));
    const scan = new VectorScan(dimensions, { wasm });
    scan.load(0, scales, rows);
    scan.load(700, other.scales, other.rows);
    scales.set(other.scales, 700);
    rows.set(other.rows, 700 * dimensions);
    for (const query of gaussianVectors(12, 3, dimensions)) {
      expect(scan.search(query, 3000)).toEqual(naiveSearch(scales, rows, query, 3000));
    }
  });

  test.each([48, 50])("growing keeps what was loaded, in any order, at %i dimensions", (dimensions) => {
    const { scales, rows } = pack(gaussianVectors(13, 9000, dimensions));
    const scan = new VectorScan(dimensions, { wasm });
    const [query] = gaussianVectors(14, 1, dimensions) as [Float32Array];
    const seen = new Float32Array(9000);
    for (const [first, end] of [
      [10, 20],
      [0, 10],
      [1000, 1030],
      [2040, 5000],
      [20, 1000],
      [8999, 9000],
      [5000, 8999],
      [1030, 2040],
    ] as const) {
      scan.load(first, scales.subarray(first, end), rows.subarray(first * dimensions, end * dimensions));
      seen.set(scales.subarray(first, end), first);
      expect(scan.search(query, 50)).toEqual(naiveSearch(seen, rows, query, 50));
    }
  });

  test("slots behind the end of the filter are not allowed, and a filter does not outlive its search", () => {
    const { scales, rows } = pack(gaussianVectors(15, 2000, 4));
    const scan = new VectorScan(4, { wasm });
    scan.load(0, scales, rows);
    const [query] = gaussianVectors(16, 1, 4) as [Float32Array];
    const all = scan.search(query, 2000);
    expect(all.length).toBe(2000);
    expect(scan.search(query, 2000, new Uint8Array(1500).fill(1))).toEqual(all.filter(({ slot }) => slot < 1500));
    expect(scan.search(query, 2000, new Uint8Array(0))).toEqual([]);
    expect(scan.search(query, 2000, new Uint8Array(2000))).toEqual([]);
    expect(scan.search(query, 2000, new Uint8Array(5000).fill(1))).toEqual(all);
    expect(scan.search(query, 2000)).toEqual(all);
  });

  test("rows that do not belong to the scales are refused", () => {
    const scan = new VectorScan(4, { wasm });
    expect(() => scan.load(0, new Float32Array(2), new Int8Array(7))).toThrow("2 scales need 8 bytes of rows, got 7");
  });

  test("what memory cannot hold is refused, and the rest still answers", () => {
    const scan = new VectorScan(4096, { wasm });
    const { scales, rows } = pack([new Float32Array(4096).fill(1)]);
    scan.load(0, scales, rows);
    expect(() => scan.load(4_000_000, scales, rows)).toThrow(
      expect.objectContaining({ code: "STORE_FAILED", details: { operation: "load vectors" } }),
    );
    expect(scan.search(new Float32Array(4096).fill(1), 2).map(({ slot }) => slot)).toEqual([0]);
  });
});

test("both kernels give the same bits", () => {
  for (const dimensions of [3, 16, 50, 256]) {
    const { scales, rows } = pack(gaussianVectors(17, 3000, dimensions));
    const scans = kernels.map(({ wasm }) => new VectorScan(dimensions, { wasm }));
    for (const scan of scans) scan.load(0, scales, rows);
    for (const query of gaussianVectors(18, 5, dimensions)) {
      const [fast, plain] = scans.map((scan) => scan.search(query, 100));
      expect(fast).toEqual(plain);
    }
  }
});
