// Loads synthetic chunks into a store and measures loading, searching and updating. Build first.
// usage: node bench/store.mjs [chunks] [url] [exactLimit]
//
// A chunk has 60 distinct terms, drawn from 50,000 by Zipf's law, and a vector of 256 dimensions around one of 500
// centres; a document has ten chunks. A query of 4 terms has no term of the 50 most frequent, one of 12 terms has six of
// them, of weight .2. Hybrid is a text and a vector search at the same time. Figures are medians of wall time and CPU time
// of this process in milliseconds; PGlite does all of its work in it. The tables in the schema `docsearch_bench` are
// emptied first.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CHUNKS_PER_DOCUMENT,
  documentChange,
  query,
  RANKING,
  SCHEMA,
  vector,
} from "../../../bench/synthetic-chunks.mjs";
import { pgvectorStore } from "../dist/index.js";

const [chunks = "10000", url = join(tmpdir(), "docsearch-bench-pglite"), exactLimit = "20000"] = process.argv.slice(2);
const COUNT = Number(chunks);
const BATCH = 2000;
const LIMIT = 200;

function cpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Wall and CPU time. */
async function timed(body) {
  const [start, busy] = [performance.now(), cpu()];
  await body();
  return [performance.now() - start, cpu() - busy];
}

async function median(runs, body) {
  const times = [];
  for (let i = 0; i < runs; i++) times.push(await timed(body));
  return times[0].map((_, i) => times.map((time) => time[i]).sort((x, y) => x - y)[runs >> 1]);
}

const round = (value) => Math.round(value * 10) / 10;
const say = (name, values) => console.log(`${name}: ${[values].flat().map(round).join(" / ")}`);
const rss = () => say("RSS MB", Math.round(process.memoryUsage().rss / 1e6));

const isServer = /^postgres/.test(url);
if (!isServer) rmSync(url, { recursive: true, force: true });
const factory = pgvectorStore({ url, schema: "docsearch_bench", exactLimit: Number(exactLimit) });
const store = await factory.open(SCHEMA, { mode: "write", onMismatch: "recreate" });
await store.clear();

const load = [0, 0];
for (let first = 0; first < COUNT / CHUNKS_PER_DOCUMENT; first += BATCH / CHUNKS_PER_DOCUMENT) {
  const changes = Array.from({ length: BATCH / CHUNKS_PER_DOCUMENT }, (_, i) => documentChange(first + i));
  const times = await timed(() => store.write(changes));
  load.forEach((_, i) => {
    load[i] += times[i];
  });
}
say(
  "load, chunks/s",
  load.map((time) => Math.round((COUNT / time) * 1000)),
);
say("close, with HNSW where there is one", await timed(() => store.close()));
if (!isServer)
  say("folder MB", execFileSync("du", ["-sm", url], { encoding: "utf8" }).split("\t").slice(0, 1).map(Number));

const reader = await factory.open(SCHEMA, { mode: "write", onMismatch: "error" });
const collection = { op: "in", field: "collection", values: ["c3"] };
const text = (rare, frequent, filter) =>
  reader.searchText({ query: query(rare, frequent), ranking: RANKING, limit: LIMIT, ...(filter && { filter }) });
const near = (filter, of = vector()) => reader.searchVector({ vector: of, limit: LIMIT, ...(filter && { filter }) });
say("first hybrid search", await timed(() => Promise.all([text(4, 0), near()])));
say("text, 4 terms", await median(51, () => text(4, 0)));
say("text, 12 terms", await median(51, () => text(6, 6)));
say("vector", await median(31, () => near()));
say("vector, by collection", await median(31, () => near(collection)));
say("hybrid, 4 terms", await median(51, () => Promise.all([text(4, 0), near()])));
say("hybrid, 12 terms", await median(51, () => Promise.all([text(6, 6), near()])));
say("hybrid, 4 terms, by collection", await median(51, () => Promise.all([text(4, 0, collection), near(collection)])));
let number = 0;
say("replace one document", await median(21, () => reader.write([documentChange(number++)])));
rss();

// The same vectors compared one by one.
const exact = await pgvectorStore({ url, schema: "docsearch_bench", vectorIndex: "exact" });
const queries = Array.from({ length: 20 }, () => vector());
const found = [];
for (const each of queries) found.push((await near(undefined, each)).map(({ chunkId }) => chunkId));
await reader.close();
const oracle = await exact.open(SCHEMA, { mode: "read", onMismatch: "error" });
let hits = 0;
for (const [i, each] of queries.entries()) {
  for (const { chunkId } of (await oracle.searchVector({ vector: each, limit: 50 })) ?? []) {
    if (found[i].slice(0, 50).includes(chunkId)) hits++;
  }
}
say("recall of the first 50, %", (hits / queries.length / 50) * 100);
await oracle.close();
