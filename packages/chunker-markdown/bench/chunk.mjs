// usage: node bench/chunk.mjs [corpus | hostile]    (after a build)
// Speed on bun-types' Markdown in MB per CPU second, and times on hostile shapes.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { markdownChunker } from "../dist/index.js";
import { SHAPES } from "./hostile-shapes.mjs";

const mode = process.argv[2] ?? "corpus";
const options = { maxSize: 1500, overlap: 0, measure: (text) => text.length };

function cpuMilliseconds(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function document(file, text) {
  const mediaType = "text/markdown";
  return { id: file, collection: "bench", text, contentHash: "", mediaType, path: file, metadata: {} };
}

async function corpus() {
  const load = process.cpuUsage();
  const chunker = await markdownChunker().load();
  const loaded = process.cpuUsage(load);
  console.log(`load: ${((loaded.user + loaded.system) / 1000).toFixed(1)} ms CPU`);
  const root = path.dirname(createRequire(import.meta.url).resolve("bun-types/package.json"));
  const files = readdirSync(root, { recursive: true }).filter((file) => /\.mdx?$/.test(file));
  const documents = files.map((file) => document(file, readFileSync(path.join(root, file), "utf8")));
  const megabytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6;
  const runs = [];
  let chunks = 0;
  for (let run = 0; run < 9; run++) {
    chunks = 0;
    const chunkAll = () => {
      for (const each of documents) chunks += chunker.chunk(each, options).chunks.length;
    };
    runs.push(cpuMilliseconds(chunkAll));
  }
  const sorted = runs.toSorted((a, b) => a - b);
  const rate = (milliseconds) => (megabytes / milliseconds) * 1000;
  console.log(`${documents.length} files, ${megabytes.toFixed(2)} MB, ${chunks} chunks`);
  console.log(
    `first run ${rate(runs[0]).toFixed(1)} MB/s, median of 9 ${rate(sorted[4]).toFixed(1)} MB/s, best ${rate(sorted[0]).toFixed(1)} MB/s`,
  );
}

async function hostile() {
  const chunker = await markdownChunker().load();
  for (const [name, make] of Object.entries(SHAPES)) {
    const text = make();
    let result;
    const time = cpuMilliseconds(
      () => (result = chunker.chunk(document(name.startsWith("mdx") ? "a.mdx" : "a.md", text), options)),
    );
    console.log(
      `${time.toFixed(0).padStart(7)} ms  ${name} (${(text.length / 1e6).toFixed(1)} MB, ${result.chunks.length} chunks)`,
    );
  }
}

await (mode === "hostile" ? hostile() : corpus());
