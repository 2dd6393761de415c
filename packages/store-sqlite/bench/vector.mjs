// Speed and memory of vector search, on random unit vectors of 256 dimensions.
// usage: node bench/vector.mjs [SLOTS...]   (default: 10000 100000 1000000)
//
// Times are CPU milliseconds, the median of several searches. Memory is the resident memory that loading added, in MB
// of 10^6 bytes. Each line of figures comes from a process of its own.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { importSource } from "../../../tools/import-source.mjs";

const { cosine, normalize, quantize, SignScan, signBytes, VectorScan } = await importSource(
  new URL("../src/vector/index.ts", import.meta.url),
);

const DIMENSIONS = 256;
const LIMIT = 200;
const BLOCK = 1024;

/** Fills vectors with normally distributed numbers from a fixed seed: mulberry32 and Box-Muller. */
function gaussians(seed) {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return (vector) => {
    for (let j = 0; j < vector.length; j += 2) {
      const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
      const angle = 2 * Math.PI * uniform();
      vector[j] = radius * Math.cos(angle);
      vector[j + 1] = radius * Math.sin(angle);
    }
    return vector;
  };
}

function cpuMilliseconds(work) {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Median over the queries, after all of them were run once. */
function searchMilliseconds(queries, search) {
  for (const query of queries) search(query);
  const times = queries.map((query) => cpuMilliseconds(() => search(query)));
  return times.sort((a, b) => a - b)[times.length >> 1];
}

function resident() {
  globalThis.gc();
  return process.memoryUsage().rss / 1e6;
}

/** Loads `slots` random vectors, `take(first, vectors)` for each block of them. Returns CPU milliseconds of `take`. */
function load(fill, slots, take) {
  let time = 0;
  for (let first = 0; first < slots; first += BLOCK) {
    const length = Math.min(BLOCK, slots - first);
    const vectors = Array.from({ length }, () => quantize(fill(new Float32Array(DIMENSIONS))));
    time += cpuMilliseconds(() => take(first, vectors));
  }
  return time;
}

/** Resident memory once the heap has grown to what making vectors takes, so that only what is kept adds to it. */
function residentAfterMaking(fill) {
  load(fill, 50 * BLOCK, () => {});
  return resident();
}

function measureExact(slots, wasm) {
  const fill = gaussians(1);
  const scan = new VectorScan(DIMENSIONS, { wasm });
  const before = residentAfterMaking(fill);
  const loading = load(fill, slots, (first, vectors) => {
    const rows = new Int8Array(vectors.length * DIMENSIONS);
    for (const [i, { row }] of vectors.entries()) rows.set(row, i * DIMENSIONS);
    scan.load(
      first,
      Float32Array.from(vectors, ({ scale }) => scale),
      rows,
    );
  });
  const memory = resident() - before;
  const queries = Array.from({ length: slots >= 1e6 ? 11 : 31 }, () => fill(new Float32Array(DIMENSIONS)));
  const mask = (share) => Uint8Array.from({ length: slots }, (_, i) => ((i * 0.6180339887) % 1 < share ? 1 : 0));
  const [half, few] = [mask(0.5), mask(0.01)];
  return {
    "load ms": loading,
    MB: memory,
    "all ms": searchMilliseconds(queries, (query) => scan.search(query, LIMIT)),
    "half allowed ms": searchMilliseconds(queries, (query) => scan.search(query, LIMIT, half)),
    "1 % allowed ms": searchMilliseconds(queries, (query) => scan.search(query, LIMIT, few)),
  };
}

function measureSigns(slots, wasm) {
  const fill = gaussians(1);
  const scan = new SignScan(DIMENSIONS, { wasm });
  const before = residentAfterMaking(fill);
  const loading = load(fill, slots, (first, vectors) => {
    const signs = new Uint8Array(vectors.length * signBytes(DIMENSIONS));
    for (const [i, vector] of vectors.entries()) signs.set(vector.signs, i * signBytes(DIMENSIONS));
    scan.load(first, signs, new Uint8Array(vectors.length).fill(1));
  });
  const memory = resident() - before;
  const queries = Array.from({ length: 31 }, () => fill(new Float32Array(DIMENSIONS)));
  // The rows of candidates come out of a file as a rule, which is not measured here: one row stands for all.
  const { row, scale } = quantize(fill(new Float32Array(DIMENSIONS)));
  const rescored = (candidates) =>
    searchMilliseconds(queries, (query) => {
      const unit = normalize(query);
      return scan.search(query, candidates).map((slot) => ({ slot, score: cosine(unit, row, scale) }));
    });
  return { "load ms": loading, MB: memory, "400 rescored ms": rescored(400), "2000 rescored ms": rescored(2000) };
}

const [mode, slots, wasm] = process.argv.slice(2);
if (mode === "exact" || mode === "signs") {
  const measure = mode === "exact" ? measureExact : measureSigns;
  console.log(JSON.stringify(measure(Number(slots), wasm === "true")));
} else {
  const sizes = process.argv.length > 2 ? process.argv.slice(2) : ["10000", "100000", "1000000"];
  for (const search of ["exact", "signs"]) {
    console.log(search === "exact" ? `VectorScan, ${LIMIT} hits` : "SignScan and cosine");
    const table = {};
    for (const size of sizes) {
      for (const kernel of ["true", "false"]) {
        const args = ["--expose-gc", fileURLToPath(import.meta.url), search, size, kernel];
        const figures = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
        const rounded = Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(2))]);
        table[`${size}, ${kernel === "true" ? "WebAssembly" : "JavaScript"}`] = Object.fromEntries(rounded);
      }
    }
    console.table(table);
  }
}
