// Loads synthetic chunks into a store and measures loading, searching and opening it. Build first.
// usage: node bench/store.mjs [chunks] [int8|signs|vec0] [postings|fts5] [folder]
//
// A chunk has 60 distinct terms, drawn from 50,000 by Zipf's law, and a random vector of 256 dimensions; a document has
// ten chunks. A query of 4 terms has no term of the 50 most frequent, one of 12 terms has six of them, of weight .2.
// Figures are medians of wall time and CPU time in milliseconds.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "../dist/index.js";

const [chunks = "100000", vectorIndex = "int8", lexicalIndex = "postings", base = tmpdir(), only] =
  process.argv.slice(2);
const COUNT = Number(chunks);
const DIMENSIONS = 256;
const VOCABULARY = 50_000;
const CHUNKS_PER_DOCUMENT = 10;
const BATCH = 2000;
const SCHEMA = { embedding: { id: "bench", dimensions: DIMENSIONS }, chunking: "bench", analyzer: "bench" };
const RANKING = {
  k1: 1.2,
  fields: {
    title: { weight: 3, b: 0 },
    ancestors: { weight: 1, b: 0 },
    heading: { weight: 3, b: 0 },
    path: { weight: 2, b: 0 },
    body: { weight: 1, b: 0.5 },
    code: { weight: 1, b: 0.5 },
  },
};

let state = 12345;
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

/** A term by Zipf's law with exponent 1: the inverse of its distribution function, nearly. */
function zipfTerm() {
  return `w${Math.floor(VOCABULARY ** random())}`;
}

function field(size, repeat) {
  const terms = new Map();
  let length = 0;
  while (terms.size < size) {
    const term = zipfTerm();
    const occurrences = random() < repeat ? 1 + Math.floor(random() * 4) : 1;
    if (terms.has(term)) continue;
    terms.set(term, occurrences);
    length += occurrences;
  }
  return { terms, length };
}

function vector() {
  const values = new Float32Array(DIMENSIONS);
  for (let i = 0; i < DIMENSIONS; i++) values[i] = random() + random() + random() - 1.5;
  return values;
}

function documentChange(number) {
  const id = `docs/page-${number}.md`;
  const title = field(3, 0);
  const path = field(3, 0);
  return {
    type: "replace",
    document: {
      id,
      collection: `c${number % 10}`,
      contentHash: "0",
      mediaType: "text/markdown",
      path: id,
      metadata: { n: number },
    },
    outline: [],
    chunks: Array.from({ length: CHUNKS_PER_DOCUMENT }, (_, ordinal) => {
      const fields = { title, path, heading: field(3, 0), body: field(random() < 0.3 ? 35 : 48, 0.3) };
      if (fields.body.terms.size === 35) fields.code = field(13, 0.3);
      const text = [...fields.body.terms.keys()].join(" ").repeat(3);
      return {
        chunk: {
          id: `${number}-${ordinal}-0123456789abcdef`,
          documentId: id,
          ordinal,
          text,
          span: { startOffset: 0, endOffset: text.length, startLine: 1, endLine: 20 },
          headingPath: ["Guide", "Section"],
          metadata: {},
        },
        fields,
        embedding: { kind: "vector", vector: vector() },
      };
    }),
  };
}

/** Terms of a query: some that carry meaning, and some of the most frequent. */
function query(rare, frequent) {
  const clauses = [];
  while (clauses.length < rare + frequent) {
    const isFrequent = clauses.length >= rare;
    const term = zipfTerm();
    if (Number(term.slice(1)) <= 50 === isFrequent) clauses.push({ op: "term", term, weight: isFrequent ? 0.2 : 1 });
  }
  return { op: "or", clauses };
}

function cpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Medians of wall and CPU time, in milliseconds. */
async function measure(runs, body) {
  for (let i = 0; i < 10; i++) await body();
  const wall = [];
  const busy = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    const busyStart = cpu();
    await body();
    wall.push(performance.now() - start);
    busy.push(cpu() - busyStart);
  }
  return [round(median(wall)), round(median(busy))];
}

const round = (value) => Math.round(value * 100) / 100;
const rss = () => Math.round(process.memoryUsage().rss / 1e6);

const folder = join(base, "docsearch-bench");
const path = join(folder, `${COUNT}-${vectorIndex === "vec0" ? "vec0" : "blocks"}-${lexicalIndex}.db`);
const factory = sqliteStore({ path, vectorIndex, lexicalIndex });

async function build() {
  mkdirSync(folder, { recursive: true });
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  const store = await factory.open(SCHEMA, { mode: "write", onMismatch: "error" });
  let busy = 0;
  let wall = 0;
  for (let first = 0; first < COUNT / CHUNKS_PER_DOCUMENT; first += BATCH / CHUNKS_PER_DOCUMENT) {
    const changes = Array.from({ length: BATCH / CHUNKS_PER_DOCUMENT }, (_, i) => documentChange(first + i));
    const [start, busyStart] = [performance.now(), cpu()];
    await store.write(changes);
    wall += performance.now() - start;
    busy += cpu() - busyStart;
  }
  const start = performance.now();
  await store.close();
  return {
    "chunks/s": Math.round((COUNT / wall) * 1000),
    "chunks/CPU s": Math.round((COUNT / busy) * 1000),
    "close ms": round(performance.now() - start),
    MB: Math.round(statSync(path).size / 1e6),
    "RSS MB": rss(),
  };
}

async function search() {
  const results = {};
  const once = async (name, body) => {
    const [start, busyStart] = [performance.now(), cpu()];
    const result = await body();
    results[name] = [round(performance.now() - start), round(cpu() - busyStart)];
    return result;
  };
  const searchText = (rare, frequent, filter) =>
    store.searchText({ query: query(rare, frequent), ranking: RANKING, limit: 200, ...(filter && { filter }) });
  const searchVector = (filter) => store.searchVector({ vector: vector(), limit: 200, ...(filter && { filter }) });
  const store = await once("open", () => factory.open(SCHEMA, { mode: "read", onMismatch: "error" }));
  await once("first text search", () => searchText(4, 0));
  await once("first vector search", () => searchVector());
  const collection = { op: "in", field: "collection", values: ["c3"] };
  const number = { op: "range", field: "metadata.n", min: 100, max: 2000 };
  results["text, 4 terms"] = await measure(101, () => searchText(4, 0));
  results["text, 12 terms"] = await measure(101, () => searchText(6, 6));
  results["text, 4 terms, by collection"] = await measure(51, () => searchText(4, 0, collection));
  results["text, 4 terms, by metadata"] = await measure(51, () => searchText(4, 0, number));
  results.vector = await measure(101, () => searchVector());
  results["vector, by collection"] = await measure(51, () => searchVector(collection));
  results["RSS MB"] = rss();
  await store.close();
  return results;
}

async function update() {
  const store = await factory.open(SCHEMA, { mode: "write", onMismatch: "error" });
  let number = 0;
  const replaced = await measure(51, () => store.write([documentChange(number++)]));
  await store.close();
  return { "replace one document": replaced };
}

const STEPS = { build, search, update };
if (only === undefined) {
  for (const step of Object.keys(STEPS)) {
    const options = { stdio: ["ignore", "inherit", "inherit"] };
    execFileSync(process.execPath, [import.meta.filename, chunks, vectorIndex, lexicalIndex, base, step], options);
  }
} else {
  for (const [name, figures] of Object.entries(await STEPS[only]()))
    console.log(`${name}: ${[figures].flat().join(" / ")}`);
}
