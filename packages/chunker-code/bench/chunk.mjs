// usage: node bench/chunk.mjs [runs]    (after a build)
// Speed of parsing and chunking in MB per CPU second beside that of parsing alone, for each language that has real files
// on this machine: those of the repository, of node_modules, of the libraries of Python and Go; and for the rest the
// fixtures, repeated with other names. The first run includes the start-up: what the first file of a language costs
// before it is parsed, measured with an empty one.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { Language, Parser } from "web-tree-sitter";
import { codeChunker } from "../dist/index.js";

const ROOT = path.join(import.meta.dirname, "../../..");
const FIXTURES = path.join(import.meta.dirname, "../test/fixtures");
const MAX_FILES = 400;
const MAX_FILE_BYTES = 400_000;
const PYTHON = ["/usr/lib/python3", "/usr/lib/python3.11", "/usr/lib/python3.12", "/usr/lib/python3.13"];
const GO = ["/usr/lib/go/src", "/usr/local/go/src"];
const SETS = [
  [
    "TypeScript",
    "typescript",
    ["packages", "apps", "tools"].map((folder) => path.join(ROOT, folder)),
    /(?<!\.d)\.m?ts$/,
  ],
  ["TypeScript declarations", "typescript", [path.join(ROOT, "node_modules/.pnpm")], /\.d\.ts$/],
  ["JavaScript", "javascript", [path.join(ROOT, "node_modules/.pnpm")], /(?<!\.min)\.m?js$/],
  ["Python", "python", PYTHON.filter((folder) => existsSync(folder)), /\.py$/],
  ["Go", "go", GO.filter((folder) => existsSync(folder)), /\.go$/],
];
const REPEATED = [
  ["Go", "go", "go/sample.go"],
  ["Java", "java", "java/Sample.java"],
  ["Rust", "rust", "rust/sample.rs"],
  ["C", "c", "c/sample.c"],
  ["C#", "csharp", "csharp/Sample.cs"],
];
const RUNS = Number(process.argv[2] ?? 3);
const options = { maxSize: 1500, overlap: 0, measure: (text) => text.length };

function filesIn(folders, pattern) {
  const files = [];
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !pattern.test(entry.name) || /\/(?:test|dist)\//.test(`${entry.parentPath}/`)) continue;
      const text = readFileSync(path.join(entry.parentPath, entry.name), "utf8");
      if (text.length <= MAX_FILE_BYTES) files.push(document(entry.name, text));
      if (files.length === MAX_FILES) return files;
    }
  }
  return files;
}

/** Files of some 40 kB made of a sample, whose words get numbers. */
function repeated(sample) {
  const file = path.basename(sample);
  const text = readFileSync(path.join(FIXTURES, sample), "utf8");
  const copies = Math.ceil(40_000 / text.length);
  const long = Array.from({ length: copies }, (_, n) => text.replaceAll(/\b[A-Z][a-z]+\b/g, (word) => `${word}${n}`));
  return Array.from({ length: 25 }, () => document(file, long.join("\n")));
}

function document(file, text) {
  return { id: file, collection: "bench", text, contentHash: "", mediaType: "text/plain", path: file, metadata: {} };
}

/** The parser of a grammar and nothing else, for comparison. */
function bareParser(grammar) {
  const file = path.join(import.meta.dirname, `../data/${grammar}.wasm.br`);
  const parser = new Parser();
  parser.setLanguage(Language.loadSync(new WebAssembly.Module(brotliDecompressSync(readFileSync(file)))));
  return (text) => parser.parse(text).delete();
}

function cpuSeconds(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

const before = process.cpuUsage();
const chunker = await codeChunker().load();
const load = process.cpuUsage(before);
console.log(`load: ${((load.user + load.system) / 1000).toFixed(0)} ms of CPU\n`);
console.log(
  "| language | files | MB | chunks | mean size | start-up, ms | MB per CPU second, first run | best of runs | parsing alone |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
const sets = [
  ...SETS.map(([name, grammar, folders, pattern]) => [name, grammar, filesIn(folders, pattern)]),
  ...REPEATED.map(([name, grammar, sample]) => [`${name} (fixture, repeated)`, grammar, repeated(sample)]),
];
for (const [name, grammar, documents] of sets) {
  if (documents.length === 0) continue;
  const megabytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6;
  const startUp = cpuSeconds(() => chunker.chunk(document(documents[0].path, ""), options));
  const parse = bareParser(grammar);
  const seconds = [];
  const parsing = [];
  let chunks = 0;
  for (let run = 0; run < RUNS; run++) {
    chunks = 0;
    seconds.push(
      cpuSeconds(() => {
        for (const each of documents) chunks += chunker.chunk(each, options).chunks.length;
      }),
    );
    parsing.push(
      cpuSeconds(() => {
        for (const { text } of documents) parse(text);
      }),
    );
  }
  const rate = (time) => (megabytes / time).toFixed(1);
  const mean = Math.round((megabytes * 1e6) / chunks);
  const rates = [startUp + seconds[0], Math.min(...seconds), Math.min(...parsing)].map(rate);
  console.log(
    `| ${[name, documents.length, megabytes.toFixed(1), chunks, mean, Math.round(startUp * 1000), ...rates].join(" | ")} |`,
  );
}
