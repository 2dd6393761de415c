// Proof that a store is swapped by a variable: indexes the same documents in every store with nothing but
// DOCS_STORE_BACKEND and DOCS_STORE_URL changed, asks the same questions, and compares the first ten results.
// usage: node bench/stores-swap.mjs [--only "NAME;NAME"] [--queries N] [--eval FOLDER SET...]
//
// Without --eval: the Markdown of bun-types and its questions. With it: sets of a folder in the format of BEIR (a
// folder for each with corpus.jsonl.gz and queries.jsonl). Exits with 1 when a store with the capabilities of the
// memory store shares less than .95 of the first ten with it, by keywords or hybrid.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { docsearchFromEnv } from "@docsearch/core";
import { knownItemQueries, readPages, SHORT_QUERIES } from "./corpus.mjs";
import { percentile, table } from "./figures.mjs";
import { allBackends, BACKENDS, withBackend } from "./stores-backends.mjs";

const LEAST_OVERLAP = 0.95;
const LIMIT = 10;
const MODES = ["keyword", "hybrid"];
const DEMO_QUERIES = [
  "what about sinon",
  "find out which lines my tests miss",
  "share code between several packages in one repository",
];

const { values, positionals } = parseArgs({
  options: { only: { type: "string" }, queries: { type: "string", default: "50" }, eval: { type: "string" } },
  allowPositionals: true,
});
const names = values.only?.split(/;\s*/) ?? Object.keys(BACKENDS);
const unknown = names.filter((name) => !Object.hasOwn(BACKENDS, name));
if (unknown.length > 0) throw new Error(`No store ${unknown.join(", ")}; known: ${Object.keys(BACKENDS).join("; ")}`);

const registry = await allBackends();
const sets = values.eval === undefined ? [bunTypes()] : positionals.map((name) => readSet(values.eval, name));
let sound = true;
for (const set of sets) {
  const oracle = await answersOf("memory", set);
  const rows = [];
  for (const name of names) {
    if (name === "memory") continue;
    const found = await answersOf(name, set);
    const isSame = found.capabilities.lexical === oracle.capabilities.lexical;
    const agreements = MODES.map((mode) => agreement(oracle.answers[mode], found.answers[mode]));
    const isAgreed = agreements.every(({ overlap }) => overlap >= LEAST_OVERLAP);
    if (isSame && !isAgreed) sound = false;
    const verdict = isSame ? (isAgreed ? "agrees" : "DIFFERS") : "other capabilities";
    const { lexical, vector, vectorTolerance } = found.capabilities;
    const cells = agreements.flatMap(({ overlap, same, least }) => [overlap.toFixed(3), `${same}`, least.toFixed(1)]);
    rows.push([name, `${lexical}, ${vector}, ${vectorTolerance}`, ...cells, verdict]);
  }
  const count = set.queries.length;
  const columns = MODES.flatMap((mode) => [`${mode}: overlap`, `same order, of ${count}`, "least of a query"]);
  console.log(`\n${set.name}: ${oracle.chunks} chunks, ${count} queries, first ${LIMIT} against those of memory\n`);
  console.log(table(["store", "text, vectors, error", ...columns, ""], rows));
}
process.exitCode = sound ? 0 : 1;

/** What a store answers to all queries of a set, in each mode: ids of chunks. */
async function answersOf(name, { name: setName, documents, queries }) {
  const started = performance.now();
  return withBackend(name, async (variables) => {
    const docsearch = await docsearchFromEnv(variables, { registry });
    try {
      await docsearch.index({ documents: asSource(documents) });
      const answers = {};
      for (const mode of MODES) {
        answers[mode] = [];
        for (const query of queries) {
          const { results } = await docsearch.search({ query, mode, limit: LIMIT });
          answers[mode].push(results.map(({ chunk }) => chunk.id));
        }
      }
      const { capabilities, stats } = await docsearch.status();
      const seconds = Math.round((performance.now() - started) / 1000);
      process.stderr.write(`${setName}: ${name}, ${stats.chunks} chunks, ${seconds} s\n`);
      return { answers, capabilities, chunks: stats.chunks };
    } finally {
      await docsearch.close();
    }
  });
}

async function* asSource(documents) {
  for (const document of documents) yield { type: "document", document };
}

/** How far two lists of answers agree. `overlap`: shared part of the first ten, on average; `least`: of the worst query. */
function agreement(expected, found) {
  const overlaps = expected.map((ids, i) => {
    const shared = ids.filter((id) => found[i].includes(id)).length;
    return Math.max(ids.length, found[i].length) === 0 ? 1 : shared / Math.max(ids.length, found[i].length);
  });
  return {
    overlap: overlaps.reduce((sum, overlap) => sum + overlap, 0) / overlaps.length,
    same: expected.filter((ids, i) => ids.join(" ") === found[i].join(" ")).length,
    least: percentile(overlaps, 0),
  };
}

function bunTypes() {
  const pages = readPages();
  const described = knownItemQueries(pages).map(({ text }) => text);
  return {
    name: "bun-types",
    documents: pages.map(({ path, text }) => asDocument("bun-types", path, text, { path, mediaType: "text/markdown" })),
    queries: [...DEMO_QUERIES, ...SHORT_QUERIES, ...described].slice(0, Number(values.queries)),
  };
}

function readSet(folder, name) {
  const lines = (text) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const corpus = lines(gunzipSync(readFileSync(join(folder, name, "corpus.jsonl.gz"))).toString("utf8"));
  const queries = lines(readFileSync(join(folder, name, "queries.jsonl"), "utf8"));
  return {
    name,
    documents: corpus.map(({ _id: id, title, text }) =>
      asDocument(name, id, text, {
        mediaType: /\.mdx?$/.test(id) ? "text/markdown" : "text/plain",
        ...(/\.\w+$/.test(id) && { path: id }),
        ...(title && { title }),
      }),
    ),
    queries: queries.slice(0, Number(values.queries)).map(({ text }) => text),
  };
}

function asDocument(collection, id, text, rest) {
  const contentHash = createHash("sha256").update(text).digest("hex");
  return { id, collection, text, contentHash, metadata: {}, ...rest };
}
