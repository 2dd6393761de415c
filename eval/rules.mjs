// Measures what each ranking rule is worth: every set with the rule left out, less the set with all of them.
// usage: node eval/rules.mjs [--sets FOLDER]      build first: npm run build. Writes rules.md beside this file.
import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { table } from "../bench/figures.mjs";
import { RULES } from "../packages/core/dist/index.js";
import { evaluate } from "../packages/eval/dist/index.js";
import { knownItems } from "./bun.mjs";
import { withIndex } from "./open-index.mjs";
import { documentQueries, linkQueries, readSet } from "./sets.mjs";

const CODE = ["code-axum", "code-cobra", "code-pydantic", "code-zod"];
/** Columns: the sets that are averaged, and the metric. */
const COLUMNS = [
  { name: "code", sets: CODE, metric: "ndcg@10" },
  { name: "cosqa-dev", sets: ["cosqa-dev"], metric: "mrr@10" },
  { name: "pages", sets: ["doc-links-dev"], metric: "mrr@10" },
  { name: "sections", sets: ["doc-links-dev"], metric: "section-hit@5" },
  { name: "qmd-docs", sets: ["qmd-docs"], metric: "mrr@10" },
  { name: "bun prose", sets: ["bun prose"], metric: "mrr@10" },
  { name: "bun lint", sets: ["bun lint"], metric: "mrr@10" },
];
const MODES = ["keyword", "hybrid"];
/** Rules that can apply to prose, and to functions without a path; the others need code, or a file's name. */
const OF_PROSE = ["heading", "linked", "path", "hint", "saturation"];
const OF_FUNCTIONS = ["heading", "definition", "path", "hint", "coherence", "codeSaturation"];
const ALL = "all rules";
const NONE = "without any";

const { values: flags } = parseArgs({ options: { sets: { type: "string" } } });
const folder =
  flags.sets ?? process.env.DOCSEARCH_EVAL_SETS ?? fileURLToPath(new URL("../../shared/eval", import.meta.url));
if (!existsSync(folder)) {
  process.stderr.write(`eval: the sets are not in ${folder}; give their folder with --sets or DOCSEARCH_EVAL_SETS\n`);
  process.exit(2);
}

const names = Object.keys(RULES);
function armsOf(set) {
  const own = CODE.includes(set) ? names : set === "cosqa-dev" ? OF_FUNCTIONS : OF_PROSE;
  return MODES.flatMap((mode) => [
    { name: `${mode} ${ALL}`, request: { mode } },
    ...own.map((rule) => ({ name: `${mode} ${rule}`, request: { mode, rules: { [rule]: false } } })),
    { name: `${mode} ${NONE}`, request: { mode, rules: Object.fromEntries(names.map((rule) => [rule, false])) } },
  ]);
}
const measured = {};
for (const set of [...CODE, "cosqa-dev", "doc-links-dev", "qmd-docs", "bun"]) {
  const start = performance.now();
  await measureSet(set);
  process.stderr.write(`eval: ${set} ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}

const headings = ["left out", "weight", ...MODES.flatMap((mode) => COLUMNS.map(({ name }) => `${name}, ${mode}`))];
const rows = [ALL, ...names, NONE].map((rule) => [
  rule,
  names.includes(rule) ? String(RULES[rule]) : "",
  ...MODES.flatMap((mode) => COLUMNS.map((column) => cell(column, mode, rule))),
]);
const page = `# What each ranking rule is worth, ${new Date().toISOString().slice(0, 10)}

Made by \`node eval/rules.mjs\`. The first row is the value with all rules; each other row is the value without one rule, less the first row: below zero, the rule helps. "code" is the mean nDCG@10 over files of code-axum, -cobra, -pydantic and -zod; "pages" and "sections" are doc-links-dev (MRR@10, hit@5); the others MRR@10. One query more or less at the first place is .003 in code, .002 in cosqa-dev, .006 in pages, .03 in qmd-docs.

Code is judged by file, so a rule that orders the chunks of one (codeSaturation, innerTests) cannot show there; saturation of prose shows in sections. Rules with 0 everywhere are for trees that these sets are not: examples, benchmarks, vendored and generated code, stubs. Where a cell is empty the rule cannot apply: cosqa-dev has functions without a path, the sets behind it have no code.

${table(headings, rows)}
`;
writeFileSync(new URL("rules.md", import.meta.url), page);
console.log(page);

async function measureSet(name) {
  const options = { arms: armsOf(name), metrics: [...new Set(COLUMNS.map(({ metric }) => metric))] };
  if (name === "bun") {
    const { documents, queries } = knownItems();
    await withIndex(documents, async (docsearch) => {
      for (const kind of ["prose", "lint"]) {
        const own = queries.filter((query) => query.kind === kind);
        keep(`bun ${kind}`, await evaluate(docsearch, own, options));
      }
    });
    return;
  }
  const set = readSet(folder, name);
  const queries = name === "doc-links-dev" ? linkQueries(set, { exclude: true }) : documentQueries(set);
  await withIndex(set.documents, async (docsearch) => keep(name, await evaluate(docsearch, queries, options)));
}

function keep(name, run) {
  measured[name] = Object.fromEntries(run.arms.map((arm) => [arm.name, arm.metrics]));
}

function cell({ sets, metric }, mode, rule) {
  if (measured[sets[0]][`${mode} ${rule}`] === undefined) return "";
  const mean = (name) => sets.reduce((sum, set) => sum + measured[set][`${mode} ${name}`][metric], 0) / sets.length;
  if (rule === ALL) return mean(ALL).toFixed(3);
  const difference = (mean(rule) - mean(ALL)).toFixed(3);
  return Number(difference) === 0 ? "0" : difference.startsWith("-") ? difference : `+${difference}`;
}
