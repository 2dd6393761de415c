// Indexes and queries with one engine and prints its figures as JSON. usage: node run-engine.mjs NAME
import { knownItemQueries, readPages, SHORT_QUERIES } from "./corpus.mjs";
import { median, percentile } from "./figures.mjs";

const LOAD = {
  "docsearch hybrid": async () => (await import("./engines/docsearch.mjs")).docsearchEngine({ mode: "hybrid" }),
  "docsearch keyword": async () => (await import("./engines/docsearch.mjs")).docsearchEngine({ mode: "keyword" }),
  "docsearch keyword, fts5": async () =>
    (await import("./engines/docsearch.mjs")).docsearchEngine({ mode: "keyword", sqlite: { lexicalIndex: "fts5" } }),
  "docsearch semantic": async () => (await import("./engines/docsearch.mjs")).docsearchEngine({ mode: "semantic" }),
  FTS5: async () => (await import("./engines/fts5.mjs")).fts5Engine,
  MiniSearch: async () => (await import("./engines/minisearch.mjs")).miniSearchEngine,
  Orama: async () => (await import("./engines/orama.mjs")).oramaEngine,
};

const name = process.argv[2];
const create = await LOAD[name]?.();
if (create === undefined) throw new Error(`usage: run-engine.mjs ${Object.keys(LOAD).join(" | ")}`);

const pages = readPages();
const cpu = (since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};
const start = performance.now();
const startCpu = process.cpuUsage();
const engine = await create(pages);
const index = { cpu: cpu(startCpu), wall: (performance.now() - start) / 1000 };

const quality = {};
for (const { kind, text, path } of knownItemQueries(pages)) {
  const rank = (await engine.search(text, 10)).indexOf(path) + 1;
  quality[kind] ??= { queries: 0, mrr: 0, hit: 0 };
  const figures = quality[kind];
  figures.queries++;
  if (rank > 0) {
    figures.mrr += 1 / rank;
    figures.hit++;
  }
}
for (const figures of Object.values(quality)) {
  figures.mrr /= figures.queries;
  figures.hit /= figures.queries;
}

const times = [];
for (let round = 0; round < 11; round++) {
  for (const query of SHORT_QUERIES) {
    const began = performance.now();
    await engine.search(query, 10);
    if (round > 0) times.push(performance.now() - began);
  }
}
const result = {
  name,
  index,
  query: { p50: median(times), p95: percentile(times, 0.95) },
  quality,
  megabytes: { rss: process.memoryUsage().rss / 1e6, stored: (engine.bytes() ?? Number.NaN) / 1e6 },
};
await engine.close();
console.log(JSON.stringify(result));
