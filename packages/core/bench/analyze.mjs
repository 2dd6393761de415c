// Speed of the analyzer on the Markdown of bun-types, in CPU seconds.
// node --expose-gc packages/core/bench/analyze.mjs

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { importSource } from "../../../tools/import-source.mjs";

const root = dirname(createRequire(import.meta.url).resolve("bun-types/package.json"));
const documents = readdirSync(root, { recursive: true })
  .filter((path) => /\.mdx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
const megabytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6;

const { createAnalyzer } = await importSource(new URL("../src/analyzer/analyze.ts", import.meta.url));
const { analyzeFields, splitZones } = await importSource(new URL("../src/analyzer/fields.ts", import.meta.url));

// Chunks cut at headings; every fenced block a zone, as a Markdown chunker would have it.
const drafts = documents.flatMap(({ path, text }) =>
  text.split(/^(?=#{1,6} )/m).map((section) => ({ path, draft: draftOf(section) })),
);
console.log(`${documents.length} documents, ${megabytes.toFixed(1)} MB, ${drafts.length} chunks`);

const analyzer = createAnalyzer();
report("first pass", cpuSeconds(analyzeAll), megabytes);
const passes = Array.from({ length: 9 }, () => cpuSeconds(analyzeAll)).sort((a, b) => a - b);
report("later passes, median of 9", passes[4], megabytes);

if (globalThis.gc) {
  const heap = () => {
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const other = createAnalyzer();
  for (const { text } of documents) other.count(text, new Map());
  console.log(`cache after all documents: ${((heap() - before) / 1e6).toFixed(1)} MB`);
  other.count("", new Map());
}

for (const [name, text] of [
  ["dots", ".".repeat(1e6)],
  ["one word", "a".repeat(1e6)],
  ["a.b.c without end", "a.b.c.".repeat(1e6 / 6)],
  ["changing case", "aB".repeat(5e5)],
  ["Chinese without end", "重启服务器".repeat(2e5)],
  ["one letter with marks", `a${"\u0301".repeat(1e6)}`],
]) {
  report(
    `hostile, 1 million units: ${name}`,
    cpuSeconds(() => createAnalyzer().count(text, new Map())),
  );
}

function analyzeAll() {
  for (const { path, draft } of drafts) {
    analyzeFields(analyzer, { title: path, ancestors: ["Guide"], heading: "Install it", path, ...splitZones(draft) });
  }
}

function draftOf(text) {
  const zones = [...text.matchAll(/^```[\s\S]*?^```/gm)].map((match) => ({
    kind: "code",
    startOffset: match.index,
    endOffset: match.index + match[0].length,
  }));
  return { text, span: { startOffset: 0, endOffset: text.length, startLine: 1, endLine: 1 }, zones };
}

function cpuSeconds(body) {
  const before = process.cpuUsage();
  body();
  return secondsSince(before);
}

function secondsSince(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function report(name, seconds, size) {
  const speed = size === undefined ? "" : `, ${(size / seconds).toFixed(1)} MB/s`;
  console.log(`${name}: ${(seconds * 1000).toFixed(0)} ms CPU${speed}`);
}
