// usage: node bench/chunk-text.mjs    (after a build)
// CPU time of the plain-text chunker on texts that were made to hurt, and its speed on bun-types read as plain text.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { textChunker } from "../dist/index.js";
import { TEXTS } from "./hostile-texts.mjs";

const options = { maxSize: 1500, overlap: 0, measure: (text) => text.length };
const chunker = await textChunker().load();

function chunk(text) {
  const document = { id: "a.txt", collection: "bench", text, contentHash: "", mediaType: "text/plain", metadata: {} };
  return chunker.chunk(document, options).chunks.length;
}

function cpuMilliseconds(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const root = path.dirname(createRequire(import.meta.url).resolve("bun-types/package.json"));
const files = readdirSync(root, { recursive: true }).filter((file) => /\.mdx?$/.test(file));
const texts = files.map((file) => readFileSync(path.join(root, file), "utf8"));
const megabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6;
const runs = Array.from({ length: 9 }, () =>
  cpuMilliseconds(() => {
    for (const text of texts) chunk(text);
  }),
);
const median = runs.toSorted((a, b) => a - b)[4];
console.log(
  `${texts.length} files, ${megabytes.toFixed(2)} MB: ${((megabytes / median) * 1000).toFixed(1)} MB/s, median of 9`,
);

for (const [name, make] of Object.entries(TEXTS)) {
  const text = make();
  let chunks = 0;
  const time = cpuMilliseconds(() => {
    chunks = chunk(text);
  });
  console.log(`${time.toFixed(0).padStart(7)} ms  ${name} (${(text.length / 1e6).toFixed(1)} MB, ${chunks} chunks)`);
}
