// Measures the package's two bars: passages of 1,500 characters embedded per CPU second (at least 10,000) and the time
// to load and embed a first query (under 30 ms). Build first. Texts: the Markdown of bun-types.
// usage: node bench/embed.mjs [FOLDER WITH MARKDOWN]
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { importSource } from "../../../tools/import-source.mjs";
import { staticEmbedder } from "../dist/index.js";

const RUNS = 9;
const self = fileURLToPath(import.meta.url);
const corpus = process.argv[2] ?? fileURLToPath(new URL("../../../node_modules/bun-types", import.meta.url));

if (corpus === "--load") {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  const embedder = await staticEmbedder().load();
  await embedder.embedQuery("How do I configure TLS certificates for the HTTP server?");
  console.log(JSON.stringify({ wall: performance.now() - wall, cpu: cpuMs(cpu) }));
  await embedder.close();
} else {
  const loads = Array.from({ length: RUNS }, () =>
    JSON.parse(execFileSync(process.execPath, [self, "--load"], { encoding: "utf8" })),
  );
  console.log(
    `load and first query, cold process: ${median(loads.map((l) => l.cpu)).toFixed(1)} ms CPU, ${median(loads.map((l) => l.wall)).toFixed(1)} ms wall`,
  );

  const passages = readPassages(corpus);
  console.log(`${passages.length} passages of 1,500 characters`);
  const embedder = await staticEmbedder().load();
  await report("embedDocuments, kernel", passages.length, async () => {
    for (let i = 0; i < passages.length; i += embedder.maxBatchSize) {
      await embedder.embedDocuments(passages.slice(i, i + embedder.maxBatchSize));
    }
  });
  const { loadStaticModel } = await importSource(new URL("../src/load-model.ts", import.meta.url));
  const { scalarPooling } = await importSource(new URL("../src/scalar-pooling.ts", import.meta.url));
  const scalar = await loadStaticModel(fileURLToPath(new URL("../data/", import.meta.url)), scalarPooling);
  await report("plain JavaScript", passages.length, () => {
    for (const text of passages) scalar.embed(text, "document");
  });
  const query = "How do I configure TLS certificates for the HTTP server?";
  await report("embedQuery, 56 characters", 1000, async () => {
    for (let i = 0; i < 1000; i++) await embedder.embedQuery(query);
  });
}

async function report(name, texts, run) {
  await run();
  const perSecond = [];
  for (let i = 0; i < RUNS; i++) {
    const before = process.cpuUsage();
    await run();
    perSecond.push((texts / cpuMs(before)) * 1000);
  }
  perSecond.sort((a, b) => a - b);
  const [low, high] = [perSecond[0], perSecond.at(-1)].map((x) => x.toFixed(0));
  console.log(`${name}: ${median(perSecond).toFixed(0)} texts per CPU second (${low} to ${high} in ${RUNS} runs)`);
}

function readPassages(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => /\.mdx?$/.test(name))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), "utf8").match(/[\s\S]{1500}/g) ?? []);
}

function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
