// Compares the engines, each in a process of its own, in turn, several times; prints and returns a Markdown table.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median, table } from "./figures.mjs";

const ENGINES = [
  "docsearch hybrid",
  "docsearch keyword",
  "docsearch keyword, fts5",
  "docsearch semantic",
  "FTS5",
  "MiniSearch",
  "Orama",
];
/** @param {number} rounds how often each engine runs */
export function compareEngines(rounds) {
  const runs = Object.fromEntries(ENGINES.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of ENGINES) {
      process.stderr.write(`bench: ${name}, round ${round + 1} of ${rounds}\n`);
      const script = fileURLToPath(new URL("run-engine.mjs", import.meta.url));
      runs[name].push(JSON.parse(execFileSync(process.execPath, [script, name], { encoding: "utf8" })));
    }
  }
  const middle = (name, pick) => median(runs[name].map(pick));
  const rows = ENGINES.map((name) => {
    const { quality } = runs[name][0];
    return [
      name,
      middle(name, ({ index }) => index.cpu).toFixed(2),
      middle(name, ({ query }) => query.p50).toFixed(2),
      middle(name, ({ query }) => query.p95).toFixed(2),
      `${quality.prose.mrr.toFixed(3)} / ${quality.lint.mrr.toFixed(3)}`,
      `${quality.prose.hit.toFixed(3)} / ${quality.lint.hit.toFixed(3)}`,
      middle(name, ({ megabytes }) => megabytes.rss).toFixed(0),
      Number.isFinite(middle(name, ({ megabytes }) => megabytes.stored))
        ? middle(name, ({ megabytes }) => megabytes.stored).toFixed(1)
        : "-",
    ];
  });
  const headings = [
    "engine",
    "index, CPU s",
    "query p50, ms",
    "p95, ms",
    "MRR@10 prose / lint",
    "hit@10 prose / lint",
    "RSS, MB",
    "stored, MB",
  ];
  return { markdown: table(headings, rows), runs };
}
