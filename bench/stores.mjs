// The stores side by side over the same synthetic chunks, each in a process of its own, one after the other.
// usage: node bench/stores.mjs [chunks, default 100000] [NAME...]     writes results/stores-DATE.md and .json
//
// A chunk has 60 distinct terms, drawn from 50,000 by Zipf's law, and a vector of 256 dimensions around one of 500
// centres; a document has ten chunks. Hybrid is a text search of 4 terms and a vector search at the same time, for 200
// hits each; the filter passes one document in ten. The memory store compares everything with everything: it takes part
// only when it is named. Figures of a busy machine are upper bounds.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { table } from "./figures.mjs";
import { BACKENDS } from "./stores-backends.mjs";

const SCRIPT = fileURLToPath(new URL("stores-one.mjs", import.meta.url));
const [chunks = "100000", ...wanted] = process.argv.slice(2);
const names = wanted.length > 0 ? wanted : ["sqlite", "sqlite, fts5", "pgvector, folder", "lancedb"];
const unknown = names.filter((name) => !Object.hasOwn(BACKENDS, name));
if (unknown.length > 0) throw new Error(`No store ${unknown.join(", ")}; known: ${Object.keys(BACKENDS).join("; ")}`);

const date = new Date().toISOString().slice(0, 10);
const machine = `${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
const results = new URL("results/", import.meta.url);
mkdirSync(results, { recursive: true });
const runs = {};
for (const name of names) {
  process.stderr.write(`bench: ${name}, ${chunks} chunks\n`);
  const load = loadavg()[0];
  const output = execFileSync(process.execPath, [SCRIPT, name, chunks], { encoding: "utf8", maxBuffer: 2 ** 24 });
  runs[name] = { ...JSON.parse(output.trim().split("\n").at(-1)), load };
  // After each: the next may take an hour.
  writeFileSync(new URL(`stores-${date}.md`, results), page());
  const raw = JSON.stringify({ date, machine, chunks, runs }, null, 1);
  writeFileSync(new URL(`stores-${date}.json`, results), `${raw}\n`);
}
console.log(page());

function page() {
  const both = ([wall, cpu]) => `${wall.toFixed(1)} / ${cpu.toFixed(1)}`;
  const measured = Object.keys(runs);
  const row = (heading, read) => [heading, ...measured.map((name) => read(runs[name]))];
  const rows = [
    row("load, chunks a second of wall / CPU", ({ rate }) => rate.map(Math.round).join(" / ")),
    row("closing after the load, with what it builds, s", ({ close }) => both(close.map((ms) => ms / 1000))),
    row("first hybrid search after opening", ({ first }) => both(first)),
    row("text search, 4 terms", ({ text }) => both(text)),
    row("vector search", ({ vector }) => both(vector)),
    row("hybrid", ({ hybrid }) => both(hybrid)),
    row("hybrid, filter that one document in ten passes", ({ filtered }) => both(filtered)),
    row("replace one document of ten chunks", ({ replace }) => both(replace)),
    row("found of the nearest 50", ({ recall }) => (recall === undefined ? "all" : `${(recall * 100).toFixed(1)} %`)),
    row("size, MB", ({ megabytes }) => Math.round(megabytes)),
    row("memory of the process, MB", ({ rss }) => Math.round(rss)),
    row("load of the machine before it began", ({ load }) => load.toFixed(1)),
  ];
  return `# Stores, ${date}

Machine: ${machine}. ${Number(chunks).toLocaleString("en")} chunks. Pairs are wall / CPU time of the process, in milliseconds where nothing else is said, medians where something was done often. \`node bench/stores.mjs\` runs it again.

${table(["", ...measured], rows)}
`;
}
