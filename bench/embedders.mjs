// What embedding costs on this machine with the model that ships: a query, and passages of the size of a chunk.
// usage: node bench/embedders.mjs      runs it alone; build first
import { pathToFileURL } from "node:url";
import { staticEmbedder } from "@docsearch/embedder-static";
import { percentile, table } from "./figures.mjs";

const QUERIES = 5000;
const PASSAGES = 6400;
/** The bar for embedding a query, in milliseconds. */
const QUERY_BAR_MS = 1;

const WORDS = "how do I retry a job that failed after the worker was restarted in the night".split(" ");

/** @returns {Promise<{ markdown: string, runs: object }>} */
export async function measureEmbedders() {
  const begin = performance.now();
  const embedder = await staticEmbedder().load();
  await embedder.embedQuery("retry a job");
  const firstMs = performance.now() - begin;
  const times = [];
  for (let i = -QUERIES; i < QUERIES; i++) {
    const query = `${WORDS.slice(Math.abs(i) % 8).join(" ")} ${i}`;
    const start = performance.now();
    await embedder.embedQuery(query);
    // The first half warms up.
    if (i >= 0) times.push(performance.now() - start);
  }
  const passage = `${WORDS.join(" ")}. `.repeat(20).slice(0, 1500);
  const cpu = process.cpuUsage();
  for (let done = 0; done < PASSAGES; done += 64) {
    await embedder.embedDocuments(Array.from({ length: 64 }, (_, i) => `${done + i} ${passage}`));
  }
  const { user, system } = process.cpuUsage(cpu);
  await embedder.close();
  const runs = {
    firstMs,
    queryP50Ms: percentile(times, 0.5),
    queryP99Ms: percentile(times, 0.99),
    passagesPerCpuSecond: (PASSAGES * 1e6) / (user + system),
  };
  const markdown = table(
    ["model", "first vector", "query p50", "p99", `bar: under ${QUERY_BAR_MS} ms`, "passages of 1,500 characters"],
    [
      [
        "static",
        `${firstMs.toFixed(0)} ms`,
        `${runs.queryP50Ms.toFixed(4)} ms`,
        `${runs.queryP99Ms.toFixed(4)} ms`,
        runs.queryP99Ms < QUERY_BAR_MS ? "reached" : "missed",
        `${Math.round(runs.passagesPerCpuSecond)} a CPU second`,
      ],
    ],
  );
  return { markdown, runs };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log((await measureEmbedders()).markdown);
