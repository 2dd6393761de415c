// Measures one store; stores.mjs runs it in a process for each. Prints one line of JSON: pairs are wall and CPU time.
// usage: node bench/stores-one.mjs NAME CHUNKS
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { storeFromEnv } from "@docsearch/core";
import { allBackends, BACKENDS, withBackend } from "./stores-backends.mjs";
import { CHUNKS_PER_DOCUMENT, documentChange, query, RANKING, SCHEMA, vector } from "./synthetic-chunks.mjs";

const [name, chunks] = process.argv.slice(2);
const COUNT = Number(chunks);
const BATCH = 4000;
const LIMIT = 200;
/** So many of the nearest are looked for among those that an approximate index gives. */
const RECALL = 50;
const COLLECTION = { op: "in", field: "collection", values: ["c3"] };

/** Wall and CPU time in milliseconds. */
async function timed(body) {
  const [start, busy] = [performance.now(), process.cpuUsage()];
  await body();
  const { user, system } = process.cpuUsage(busy);
  return [performance.now() - start, (user + system) / 1000];
}

async function median(runs, body) {
  const times = [];
  for (let i = 0; i < runs; i++) times.push(await timed(body));
  return times[0].map((_, i) => times.map((time) => time[i]).sort((x, y) => x - y)[runs >> 1]);
}

function bytesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

const registry = await allBackends();
const figures = await withBackend(name, async (variables, folder) => {
  const factory = await storeFromEnv(variables, { registry });
  const keeps = name !== "memory" && !name.includes("memory://");
  let store = await factory.open(SCHEMA, { mode: "write", onMismatch: "error" });
  const loaded = [0, 0];
  for (let first = 0; first < COUNT / CHUNKS_PER_DOCUMENT; first += BATCH / CHUNKS_PER_DOCUMENT) {
    const changes = Array.from({ length: BATCH / CHUNKS_PER_DOCUMENT }, (_, i) => documentChange(first + i));
    const times = await timed(() => store.write(changes));
    for (const i of [0, 1]) loaded[i] += times[i];
  }
  const close = keeps ? await timed(() => store.close()) : [0, 0];
  if (keeps) store = await factory.open(SCHEMA, { mode: "write", onMismatch: "error" });
  const text = (filter) => store.searchText({ query: query(4, 0), ranking: RANKING, limit: LIMIT, ...filter });
  const near = (filter) => store.searchVector({ vector: vector(), limit: LIMIT, ...filter });
  const hybrid = (filter) => Promise.all([text(filter), near(filter)]);
  const measured = {
    rate: loaded.map((time) => (COUNT / time) * 1000),
    close,
    megabytes: bytesBelow(folder) / 1e6,
    first: await timed(() => hybrid()),
    text: await median(31, () => text()),
    vector: await median(31, () => near()),
    hybrid: await median(51, () => hybrid()),
    filtered: await median(31, () => hybrid({ filter: COLLECTION })),
  };
  let number = 0;
  const replace = await median(21, () => store.write([documentChange(number++)]));
  const rss = process.memoryUsage().rss / 1e6;
  const { exact } = BACKENDS[name];
  const queries = Array.from({ length: exact === undefined ? 0 : 20 }, () => vector());
  const found = await nearest(store, queries);
  await store.close();
  if (exact === undefined) return { ...measured, replace, rss };
  const oracle = await (await storeFromEnv({ ...variables, ...exact }, { registry })).open(SCHEMA, {
    mode: "read",
    onMismatch: "error",
  });
  const expected = await nearest(oracle, queries);
  await oracle.close();
  const hits = expected.flatMap((ids, i) =>
    ids.slice(0, RECALL).filter((id) => found[i].slice(0, RECALL).includes(id)),
  );
  return { ...measured, replace, rss, recall: hits.length / queries.length / RECALL };
});

async function nearest(store, queries) {
  const lists = [];
  for (const vector of queries) {
    const hits = await store.searchVector({ vector, limit: LIMIT });
    lists.push(hits.map(({ chunkId }) => chunkId));
  }
  return lists;
}

console.log(JSON.stringify(figures));
