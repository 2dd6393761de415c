// usage: node bench/chunk-sizes.mjs [FOLDER]    (after a build)
//
// The figures behind the default sizes (docs/adr/0008-chunk-sizes.md), through the library, for each size and overlap:
//   chunking-dev   share of the reference characters in the first five chunks (recall), share of the returned
//                  characters that are reference characters (precision), and their intersection over union, each the
//                  mean over the queries; a character that two chunks return counts once
//   doc-links-dev  section hit@5 and page MRR@10 by keywords; the pages that have a link do not count for it
//   scifact, cranfield   nDCG@10
// FOLDER holds the sets; it may also stand in DOCSEARCH_EVAL_SETS.
import { withIndex } from "../../../eval/open-index.mjs";
import { codeUnits, documentQueries, linkQueries, readSet } from "../../../eval/sets.mjs";
import { characterOverlap, evaluate } from "../../eval/dist/index.js";

const folder = process.argv[2] ?? process.env.DOCSEARCH_EVAL_SETS;
if (folder === undefined) throw new Error("give the folder of the sets");
const SIZES = [600, 1000, 1500, 2500];
const OVERLAPS = [0, 100, 200];
const KEYWORD = { name: "keyword", request: { mode: "keyword" } };
const HYBRID = { name: "hybrid", request: { mode: "hybrid" } };

const links = readSet(folder, "doc-links-dev");
const chunking = readSet(folder, "chunking-dev");
const abstracts = [readSet(folder, "scifact"), readSet(folder, "cranfield")];

const headings = [
  "size",
  "overlap",
  "chunks",
  "recall",
  "precision",
  "IoU",
  "section hit@5",
  "page MRR@10",
  "scifact",
  "cranfield",
];
console.log(`| ${headings.join(" | ")} |\n|${" --- |".repeat(headings.length)}`);
for (const maxSize of SIZES) {
  for (const overlap of OVERLAPS) console.log(`| ${(await row({ maxSize, overlap })).join(" | ")} |`);
}

/** Two figures in a cell are keyword and hybrid. */
async function row(sizes) {
  const options = { chunking: sizes };
  const cells = [String(sizes.maxSize), String(sizes.overlap)];
  await withIndex(
    chunking.documents,
    async (docsearch) => {
      cells.push(String((await docsearch.status()).stats.chunks));
      const arms = [await answers(docsearch, KEYWORD), await answers(docsearch, HYBRID)];
      for (const key of ["recall", "precision", "iou"])
        cells.push(arms.map((overlaps) => mean(overlaps.map((overlap) => overlap[key])).toFixed(3)).join(" / "));
    },
    options,
  );
  const run = await measure(
    links.documents,
    linkQueries(links, { exclude: true }),
    ["section-hit@5", "mrr@10"],
    [KEYWORD],
  );
  cells.push(...run[0]);
  for (const set of abstracts) {
    const arms = await measure(set.documents, documentQueries(set), ["ndcg@10"], [KEYWORD, HYBRID]);
    cells.push(arms.map(([ndcg]) => ndcg).join(" / "));
  }
  return cells;

  async function measure(documents, queries, metrics, arms) {
    const { arms: runs } = await withIndex(
      documents,
      (docsearch) => evaluate(docsearch, queries, { metrics, arms }),
      options,
    );
    return runs.map((arm) => metrics.map((metric) => arm.metrics[metric].toFixed(3)));
  }
}

/** Overlap of the first five chunks with the reference ranges, for each question. */
async function answers(docsearch, { request }) {
  const texts = new Map(chunking.documents.map(({ id, text }) => [id, text]));
  const overlaps = [];
  for (const { text: query, corpus, references } of chunking.queries) {
    const { results } = await docsearch.search({ ...request, query, limit: 5 });
    const wanted = references.map(({ start_index, end_index }) => {
      const [startOffset, endOffset] = codeUnits(texts.get(corpus), [start_index, end_index]);
      return { documentId: corpus, startOffset, endOffset };
    });
    overlaps.push(characterOverlap(countedOnce(results.map(({ chunk }) => chunk)), wanted));
  }
  return overlaps;
}

/** The ranges of the chunks, each without what an earlier one has already returned. */
function countedOnce(chunks) {
  const ordered = chunks.toSorted((a, b) => a.span.startOffset - b.span.startOffset);
  const ends = new Map();
  return ordered.map(({ documentId, span }) => {
    const startOffset = Math.max(span.startOffset, ends.get(documentId) ?? 0);
    const endOffset = Math.max(span.endOffset, startOffset);
    ends.set(documentId, endOffset);
    return { documentId, startOffset, endOffset };
  });
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
