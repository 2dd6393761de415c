// Measures the open sets through the library and writes results.md, .svg and .json beside this file.
// usage: node eval/run.mjs [--sets FOLDER] [--save FOLDER] [SET...]      build first: npm run build
//
// The folder of sets may also stand in DOCSEARCH_EVAL_SETS; default ../shared/eval beside the repository.
// With names, only those are measured and printed, and nothing is written. `sizes` is the table of chunk sizes.
// --save keeps every run with its queries as JSON, for `docsearch eval --compare`.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measure, measureSizes, NAMES } from "./measure.mjs";
import { resultsChart } from "./results-chart.mjs";
import { kindsTable, resultsPage, resultsTable, sizesTable, withMeans } from "./results-page.mjs";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { sets: { type: "string" }, save: { type: "string" } },
});
const folder =
  flags.sets ?? process.env.DOCSEARCH_EVAL_SETS ?? fileURLToPath(new URL("../../shared/eval", import.meta.url));
const known = [...NAMES, "sizes"];
const unknown = positionals.find((name) => !known.includes(name));
if (unknown !== undefined) fail(`there is no set ${unknown}; known: ${known.join(", ")}`);
const wanted = positionals.length > 0 ? positionals : known;
if (!existsSync(folder) && wanted.some((name) => name !== "bun")) {
  fail(`the sets are not in ${folder}; give their folder with --sets or DOCSEARCH_EVAL_SETS, or run the set bun alone`);
}

const started = performance.now();
const rows = [];
for (const name of wanted.filter((one) => one !== "sizes")) {
  const start = performance.now();
  const measured = await measure(folder, name);
  rows.push(...measured.rows);
  if (flags.save !== undefined) save(flags.save, measured.runs);
  process.stderr.write(`eval: ${name} ${seconds(start)} s\n`);
}
const all = withMeans(rows);
const sizes = wanted.includes("sizes") ? await measureSizes(folder) : [];
process.stderr.write(`eval: ${seconds(started)} s in all\n`);

if (positionals.length > 0) {
  if (all.length > 0) console.log(resultsTable(all));
  if (all.some(({ kinds }) => kinds !== undefined)) console.log(kindsTable(all));
  if (sizes.length > 0) console.log(sizesTable(sizes));
} else {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const results = { date, machine, rows: all, sizes };
  const page = resultsPage(results);
  writeFileSync(new URL("results.md", import.meta.url), page);
  writeFileSync(new URL("results.svg", import.meta.url), resultsChart(results.rows));
  writeFileSync(new URL("results.json", import.meta.url), `${JSON.stringify(results, null, 1)}\n`);
  console.log(page);
}

function save(target, runs) {
  mkdirSync(target, { recursive: true });
  for (const [name, run] of Object.entries(runs)) writeFileSync(join(target, `${name}.json`), JSON.stringify(run));
}

function seconds(start) {
  return ((performance.now() - start) / 1000).toFixed(1);
}

function fail(message) {
  process.stderr.write(`eval: ${message}\n`);
  process.exit(2);
}
