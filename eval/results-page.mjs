// The committed page: the table with its bars, and what it says in words.

import { table } from "../bench/figures.mjs";
import { formatInterval } from "../packages/eval/dist/index.js";
import { barOf, MEAN_GAIN, SYMBOL_BAR, WORST_LOSS } from "./bars.mjs";

const ARMS = ["keyword", "semantic", "hybrid", "rrf"];

/** Rows that count in the mean over the sets; languages and repositories count once, as their mean. */
const MEAN_ROWS = [
  "qmd-docs",
  "doc-links-dev pages",
  "doc-links-dev sections",
  "scifact",
  "cranfield",
  "vaswani",
  "cosqa-dev",
  "code, mean",
  "xquad, mean",
];

/** Adds the means over repositories, over languages, and over all. */
export function withMeans(rows) {
  const all = [...rows];
  const add = (name, prefix, metric) => {
    const own = all.filter((row) => row.name.startsWith(prefix));
    const parts = own.filter((row) => row.metric === metric);
    if (parts.length === 0) return;
    const values = Object.fromEntries(ARMS.map((arm) => [arm, mean(parts.map((row) => row.values[arm]))]));
    const queries = parts.reduce((sum, row) => sum + row.queries, 0);
    all.splice(all.indexOf(own.at(-1)) + 1, 0, { name, metric, queries, values });
  };
  add("code, mean", "code-", "ndcg@10");
  add("xquad, mean", "xquad-", "ndcg@10");
  if (MEAN_ROWS.every((name) => all.some((row) => row.name === name))) {
    const parts = all.filter(({ name }) => MEAN_ROWS.includes(name));
    const values = Object.fromEntries(ARMS.map((arm) => [arm, mean(parts.map((row) => row.values[arm]))]));
    all.push({
      name: "mean over the sets",
      metric: "",
      queries: parts.reduce((sum, row) => sum + row.queries, 0),
      values,
    });
  }
  return all;
}

export function resultsTable(rows) {
  const headings = ["set", "metric", "queries", ...ARMS, "bar keyword", "bar hybrid", "hybrid - better leg [95 %]"];
  return table(
    headings,
    rows.map((row) => [
      row.name,
      row.metric,
      String(row.queries),
      ...ARMS.map((arm) => row.values[arm].toFixed(3)),
      verdict(row, "keyword"),
      verdict(row, "hybrid"),
      row.difference === undefined ? "" : formatInterval(row.difference.interval),
    ]),
  );
}

function verdict({ name, values }, arm) {
  const bar = name === "mean over the sets" && arm === "hybrid" ? values.keyword + MEAN_GAIN : barOf(name, arm);
  if (bar === undefined) return "";
  return `${bar.toFixed(3)} ${values[arm] >= bar ? "met" : "**missed**"}`;
}

/** The sets of code by kind of query, and all of them together; empty without such a set. */
export function kindsTable(rows) {
  const sets = rows.filter(({ kinds }) => kinds !== undefined);
  if (sets.length === 0) return "";
  const kinds = [...new Set(sets.flatMap((row) => Object.keys(row.kinds)))].sort();
  const arms = ["keyword", "hybrid"];
  const cells = (some) =>
    kinds.flatMap((kind) => {
      const own = some.flatMap((row) => row.kinds[kind] ?? []);
      const queries = own.reduce((sum, each) => sum + each.queries, 0);
      const of = (arm) => own.reduce((sum, each) => sum + each.sums[arm], 0) / queries;
      return [String(queries), ...arms.map((arm) => (queries === 0 ? "" : of(arm).toFixed(3)))];
    });
  return table(
    ["set", ...kinds.flatMap((kind) => [`${kind} queries`, ...arms])],
    [...sets.map((row) => [row.name, ...cells([row])]), ["all queries", ...cells(sets)]],
  );
}

export function sizesTable(sizes) {
  const keys = ["pages", "sections", "recall", "iou"];
  const headings = ["size", "overlap", "chunks", ...keys.flatMap((key) => [`${key} keyword`, "hybrid"])];
  return table(
    headings,
    sizes.map((row) => [
      String(row.maxSize),
      String(row.overlap),
      String(row.chunks),
      ...keys.flatMap((key) => [row.keyword[key].toFixed(3), row.hybrid[key].toFixed(3)]),
    ]),
  );
}

/** Where hybrid is further below its better leg than it may be. */
export function losses(rows) {
  return rows
    .filter(({ difference }) => difference !== undefined && difference.interval.difference < -WORST_LOSS)
    .map(({ name, difference: { leg, interval } }) => `${name}: ${formatInterval(interval)} against ${leg}`);
}

export function resultsPage({ date, machine, rows, sizes }) {
  const lost = losses(rows);
  return `# Search quality, ${date}

Machine: ${machine}. Made by \`node eval/run.mjs\`, which indexes each set through the library with its defaults and searches it; [README.md](README.md) says what each set is and what it proves. No setting was chosen per set.

Arms: \`keyword\` and \`semantic\` are the two retrievers alone, \`hybrid\` joins them by a convex combination (the default), \`rrf\` by reciprocal rank fusion. The last column is hybrid minus the better of keyword and semantic, with the 95 % interval of a paired bootstrap over the queries.

![Score of each way of searching, by set](results.svg)

${resultsTable(rows)}

In the mean over the sets the repositories of code and the languages of xquad count once each. The bundled model has seen the descriptions of Bun's pages, so its arms prove nothing on "known items".

${lost.length === 0 ? `Hybrid is nowhere more than ${WORST_LOSS} below its better leg.` : `Hybrid is more than ${WORST_LOSS} below its better leg on:\n\n${lost.map((line) => `- ${line}`).join("\n")}`}

## Code by kind of query

nDCG@10. A symbol query is one name; its bar is ${SYMBOL_BAR}. The last row is over all queries of the sets, each counted once.

${kindsTable(rows)}

What each ranking rule is worth: [rules.md](rules.md).

## Size and overlap of chunks

doc-links-dev (pages: mrr@10, sections: section-hit@5) and chunking-dev (recall and IoU of the reference characters in 5 chunks); \`chunks\` are those of doc-links-dev.

${sizesTable(sizes)}
`;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
