import { describe, expect, test } from "vitest";
import { cosine, normalize, SignScan, signBytes, VectorScan } from "../src/vector/index.js";
import { gaussianVectors, pack, uniforms } from "./vector-data.js";

/** Counts the differing signs of every slot, and sorts all of them. */
function naiveSearch(
  vectors: readonly (Float32Array | null)[],
  query: Float32Array,
  candidates: number,
  allowed?: Uint8Array,
): number[] {
  const found: { slot: number; distance: number }[] = [];
  vectors.forEach((vector, slot) => {
    if (vector === null || (allowed !== undefined && !allowed[slot])) return;
    let distance = 0;
    vector.forEach((component, j) => {
      if (component > 0 !== query[j]! > 0) distance++;
    });
    found.push({ slot, distance });
  });
  found.sort((a, b) => a.distance - b.distance || a.slot - b.slot);
  return found.slice(0, Math.max(0, candidates)).map(({ slot }) => slot);
}

const kernels = [
  { name: "WebAssembly", wasm: true },
  { name: "plain JavaScript", wasm: false },
];

describe.each(kernels)("$name", ({ wasm }) => {
  test.each([1, 3, 4, 16, 50, 128, 129, 256, 384])(
    "orders by Hamming distance, then slot, at %i dimensions",
    (dimensions) => {
      const vectors = gaussianVectors(dimensions, 2500, dimensions);
      const { signs, present } = pack(vectors);
      const uniform = uniforms(9);
      const known = vectors.map((vector, slot) => {
        if (uniform() >= 0.1) return vector;
        present[slot] = 0;
        return null;
      });
      const scan = new SignScan(dimensions, { wasm });
      scan.load(0, signs, present);
      const half = Uint8Array.from({ length: 2500 }, () => (uniform() < 0.5 ? 0 : 1));
      for (const query of gaussianVectors(dimensions + 1, 2, dimensions)) {
        for (const candidates of [-1, 0, 1, 10, 400, 2500, 5000]) {
          for (const allowed of [undefined, half]) {
            expect(scan.search(query, candidates, allowed)).toEqual(naiveSearch(known, query, candidates, allowed));
          }
        }
      }
    },
  );

  test("distances span all bits", () => {
    const up = new Float32Array(384).fill(1);
    const down = new Float32Array(384).fill(-1);
    const { signs, present } = pack([down, up, down, up]);
    const scan = new SignScan(384, { wasm });
    scan.load(0, signs, present);
    expect(scan.search(up, 4)).toEqual([1, 3, 0, 2]);
    expect(scan.search(up, 3)).toEqual([1, 3, 0]);
    expect(scan.search(down, 1)).toEqual([0]);
  });

  test("among equals the lowest slots are taken, across blocks", () => {
    const { signs, present } = pack(new Array(5000).fill(Float32Array.of(1, -1)));
    const scan = new SignScan(2, { wasm });
    scan.load(0, signs, present);
    expect(scan.search(Float32Array.of(1, 1), 1500)).toEqual(Array.from({ length: 1500 }, (_, slot) => slot));
  });

  test("loads in parts, overwrites, and leaves the rest alone", () => {
    const vectors: (Float32Array | null)[] = new Array(3000).fill(null);
    const scan = new SignScan(50, { wasm });
    const [query] = gaussianVectors(20, 1, 50) as [Float32Array];
    expect(scan.search(query, 5)).toEqual([]);
    for (const [seed, first, count] of [
      [21, 100, 50],
      [22, 0, 100],
      [23, 2000, 1000],
      [24, 120, 1500],
    ] as const) {
      const part = gaussianVectors(seed, count, 50);
      const { signs, present } = pack(part);
      scan.load(first, signs, present);
      vectors.splice(first, count, ...part);
      expect(scan.search(query, 3000)).toEqual(naiveSearch(vectors, query, 3000));
    }
    scan.load(0, new Uint8Array(200 * signBytes(50)), new Uint8Array(200));
    vectors.fill(null, 0, 200);
    expect(scan.search(query, 3000)).toEqual(naiveSearch(vectors, query, 3000));
  });

  test("slots behind the end of the filter are not allowed, and a filter does not outlive its search", () => {
    const vectors = gaussianVectors(25, 2000, 16);
    const { signs, present } = pack(vectors);
    const scan = new SignScan(16, { wasm });
    scan.load(0, signs, present);
    const [query] = gaussianVectors(26, 1, 16) as [Float32Array];
    const all = scan.search(query, 2000);
    expect(all.length).toBe(2000);
    expect(scan.search(query, 2000, new Uint8Array(1500).fill(1))).toEqual(all.filter((slot) => slot < 1500));
    expect(scan.search(query, 2000, new Uint8Array(2000))).toEqual([]);
    expect(scan.search(query, 2000)).toEqual(all);
  });

  test("signs that do not belong to the slots are refused", () => {
    const scan = new SignScan(4, { wasm });
    expect(() => scan.load(0, new Uint8Array(16), new Uint8Array(2))).toThrow("2 slots need 32 bytes of signs, got 16");
  });
});

// 20,000 vectors in 40 clusters, so that a cluster has more members than there are candidates. With a bias all vectors
// lean to one side, as those of many models do: then fewer signs differ.
test.each([
  { bias: 0, floor: { 10: 0.97, 50: 0.96 } },
  { bias: 2, floor: { 10: 0.94, 50: 0.91 } },
])("recall of 400 candidates, rescored, on clustered vectors with a bias of $bias", ({ bias, floor }) => {
  const dimensions = 256;
  const centers = gaussianVectors(30, 40, dimensions);
  const [lean] = gaussianVectors(31, 1, dimensions) as [Float32Array];
  const members = (seed: number, count: number) =>
    gaussianVectors(seed, count, dimensions).map((noise, i) =>
      noise.map((x, j) => centers[i % 40]![j]! + 0.8 * x + bias * lean[j]!),
    );
  const { scales, rows, signs, present } = pack(members(32, 20_000));
  const exact = new VectorScan(dimensions);
  exact.load(0, scales, rows);
  const scan = new SignScan(dimensions);
  scan.load(0, signs, present);
  const queries = members(33, 50);
  const found = { 10: 0, 50: 0 };
  for (const query of queries) {
    const unit = normalize(query);
    const score = (slot: number) =>
      cosine(unit, rows.subarray(slot * dimensions, (slot + 1) * dimensions), scales[slot]!);
    const rescored = scan
      .search(query, 400)
      .map((slot) => ({ slot, score: score(slot) }))
      .sort((a, b) => b.score - a.score || a.slot - b.slot);
    for (const depth of [10, 50] as const) {
      const best = new Set(rescored.slice(0, depth).map(({ slot }) => slot));
      found[depth] += exact.search(query, depth).filter(({ slot }) => best.has(slot)).length;
    }
  }
  expect(found[10] / (10 * queries.length)).toBeGreaterThan(floor[10]);
  expect(found[50] / (50 * queries.length)).toBeGreaterThan(floor[50]);
});
