// Indexes each set, runs all arms, and turns the outcome into the rows of the table.
import { compareArms, DEFAULT_ARMS, evaluate, pairedBootstrap } from "../packages/eval/dist/index.js";
import { handWritten, knownItems } from "./bun.mjs";
import { meanOf, measureChunking } from "./chunking.mjs";
import { withIndex } from "./open-index.mjs";
import { documentQueries, linkQueries, readSet, SETS } from "./sets.mjs";

const METRICS = ["ndcg@10", "mrr@10", "recall@10", "hit@3", "hit@5", "hit@10", "section-mrr@10", "section-hit@5"];

/**
 * One row: a set's metric in each arm, and how far hybrid is from the better of its two legs.
 *
 * @typedef {{ name: string, metric: string, queries: number, documents: number, chunks: number,
 *   values: Record<string, number>, difference: { leg: string, interval: object },
 *   kinds?: Record<string, { queries: number, sums: Record<string, number> }> }} Row
 */

/** Names of what can be measured: the open sets and `bun`. */
export const NAMES = [...Object.keys(SETS), "bun"];

/** @returns {Promise<{ rows: Row[], runs: Record<string, object> }>} `runs` by name, with all queries */
export async function measure(folder, name) {
  if (name === "bun") return measureBun();
  const set = readSet(folder, name);
  return withIndex(set.documents, async (docsearch) => {
    if (name === "chunking-dev") return chunkingRows(docsearch, set);
    if (name === "doc-links-dev") return linkRows(docsearch, set);
    const run = await evaluate(docsearch, documentQueries(set), { metrics: METRICS });
    const rows = [rowOf(name, run, SETS[name].lead)];
    if (name.startsWith("code-")) rows[0].kinds = kindsOf(run, SETS[name].lead);
    if (name.startsWith("xquad-")) rows.push(rowOf(`${name} recall`, run, "recall@10"));
    return { rows, runs: { [name]: run } };
  });
}

async function linkRows(docsearch, set) {
  const run = await evaluate(docsearch, linkQueries(set, { exclude: true }), { metrics: METRICS });
  const all = await evaluate(docsearch, linkQueries(set, { exclude: false }), { metrics: METRICS });
  return {
    rows: [
      rowOf("doc-links-dev pages", run, "mrr@10"),
      rowOf("doc-links-dev sections", run, "section-hit@5"),
      rowOf("doc-links-dev pages, sources count", all, "mrr@10"),
      rowOf("doc-links-dev sections, sources count", all, "section-hit@5"),
    ],
    runs: { "doc-links-dev": run, "doc-links-dev-sources-count": all },
  };
}

async function chunkingRows(docsearch, set) {
  const overlaps = await measureChunking(docsearch, set, DEFAULT_ARMS);
  const { stats } = await docsearch.status();
  const row = (label, key) => {
    const values = Object.fromEntries(DEFAULT_ARMS.map(({ name }) => [name, meanOf(overlaps[name], key)]));
    const leg = betterLeg(values);
    const valuesOf = (arm) => overlaps[arm].map((overlap) => overlap[key]);
    return {
      name: `chunking-dev ${key}`,
      metric: label,
      queries: set.queries.length,
      documents: stats.documents,
      chunks: stats.chunks,
      values,
      difference: { leg, interval: pairedBootstrap(valuesOf(leg), valuesOf("hybrid")) },
    };
  };
  return {
    rows: [row("recall of characters, 5 chunks", "recall"), row("IoU of characters, 5 chunks", "iou")],
    runs: {},
  };
}

async function measureBun() {
  const hand = await handWritten();
  const handRun = await withIndex(hand.documents, (docsearch) =>
    evaluate(docsearch, hand.queries, { metrics: METRICS }),
  );
  const known = knownItems();
  return withIndex(known.documents, async (docsearch) => {
    const runs = {};
    for (const kind of ["prose", "lint"]) {
      const queries = known.queries.filter((query) => query.kind === kind);
      runs[`bun-known-items-${kind}`] = await evaluate(docsearch, queries, { metrics: METRICS });
    }
    return {
      rows: [
        rowOf("bun, 30 queries", handRun, "mrr@10"),
        rowOf("bun, 30 queries, hit@3", handRun, "hit@3"),
        rowOf("bun known items, prose", runs["bun-known-items-prose"], "mrr@10"),
        rowOf("bun known items, lint", runs["bun-known-items-lint"], "mrr@10"),
      ],
      runs: { "bun-queries": handRun, ...runs },
    };
  });
}

/** The same for several sizes and overlaps of chunks, for choosing the default. */
export async function measureSizes(folder) {
  const links = readSet(folder, "doc-links-dev");
  const chunking = readSet(folder, "chunking-dev");
  const arms = DEFAULT_ARMS.filter(({ name }) => name === "keyword" || name === "hybrid");
  const rows = [];
  for (const maxSize of [600, 1000, 1500, 2500]) {
    for (const overlap of [0, 100, 200]) {
      const options = { chunking: { maxSize, overlap } };
      const run = await withIndex(
        links.documents,
        (docsearch) =>
          evaluate(docsearch, linkQueries(links, { exclude: true }), { arms, metrics: ["mrr@10", "section-hit@5"] }),
        options,
      );
      const overlaps = await withIndex(
        chunking.documents,
        (docsearch) => measureChunking(docsearch, chunking, arms),
        options,
      );
      const values = run.arms.map(({ name, metrics }) => [
        name,
        {
          pages: metrics["mrr@10"],
          sections: metrics["section-hit@5"],
          recall: meanOf(overlaps[name], "recall"),
          iou: meanOf(overlaps[name], "iou"),
        },
      ]);
      rows.push({ maxSize, overlap, chunks: run.index.chunks, ...Object.fromEntries(values) });
    }
  }
  return rows;
}

function rowOf(name, run, metric) {
  const values = Object.fromEntries(run.arms.map((arm) => [arm.name, arm.metrics[metric]]));
  const leg = betterLeg(values);
  const armOf = (wanted) => run.arms.find((arm) => arm.name === wanted);
  const [change] = compareArms(armOf(leg), armOf("hybrid"), [metric]).metrics;
  const { documents, chunks } = run.index;
  const queries = run.arms[0].queries.length;
  return { name, metric, queries, documents, chunks, values, difference: { leg, interval: change.interval } };
}

/** Per kind of query its number and, by arm, the sum of the metric: what means over several sets are made of. */
function kindsOf(run, metric) {
  const kinds = {};
  for (const { name, queries } of run.arms) {
    for (const { kind, metrics } of queries) {
      kinds[kind] ??= { queries: 0, sums: {} };
      if (name === run.arms[0].name) kinds[kind].queries++;
      kinds[kind].sums[name] = (kinds[kind].sums[name] ?? 0) + metrics[metric];
    }
  }
  return kinds;
}

function betterLeg({ keyword, semantic }) {
  return keyword >= semantic ? "keyword" : "semantic";
}
