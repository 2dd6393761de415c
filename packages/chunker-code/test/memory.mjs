// Chunks 2,000 files, some of them broken, and prints by how much the process has grown since the first 200.
import { readFileSync } from "node:fs";
import { codeChunker } from "../dist/index.js";

const FILES = 2000;
const chunker = await codeChunker().load();
const options = { maxSize: 1500, overlap: 0, measure: (text) => text.length };
const fixtures = [
  "python/sample.py",
  "typescript/sample.ts",
  "go/sample.go",
  "vue/sample.vue",
  "notebook/sample.ipynb",
];
const samples = fixtures.map((name) => ({
  name,
  text: readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8"),
}));

let start = 0;
for (let n = 0; n < FILES; n++) {
  if (n === 200) {
    globalThis.gc();
    start = process.memoryUsage.rss();
  }
  const { name, text } = samples[n % samples.length];
  const long = name.endsWith("ipynb") ? text : text.repeat(4);
  const path = `${n}-${name}`;
  const broken = n % 7 === 0 ? long.slice(0, long.length - 40) : long;
  chunker.chunk(
    { id: path, collection: "test", text: broken, contentHash: "", mediaType: "text/plain", path, metadata: {} },
    options,
  );
}
globalThis.gc();
console.log(JSON.stringify({ files: FILES, grownMegabytes: Math.round((process.memoryUsage.rss() - start) / 1e6) }));
