import { DocsearchError } from "@docsearch/spec";
import { type Grades, hit, ndcg, precision, recall, reciprocalRank } from "./metrics.js";

const MEASURES = { mrr: reciprocalRank, ndcg, recall, hit, precision } as const;

/** A measure, its cut-off, and the list that it is taken on. */
export interface Metric {
  /** Such as `ndcg@10`, `section-hit@5`. */
  readonly name: string;
  /**
   * `document`: the list of documents, each once, by its best chunk. `section`: the list of chunks, for queries with
   * a target that is a part of a document.
   */
  readonly level: "document" | "section";
  /** Places that count. */
  readonly k: number;
  readonly measure: (ranked: readonly string[], grades: Grades, k: number) => number;
}

/** Metrics of a run that does not say otherwise; the first is the one that tables and comparisons lead with. */
export const DEFAULT_METRICS: readonly string[] = [
  "ndcg@10",
  "mrr@10",
  "recall@10",
  "hit@1",
  "hit@3",
  "hit@5",
  "section-mrr@10",
  "section-hit@5",
  "section-recall@10",
];

/** Deepest cut-off: results behind it are not looked at by anyone. */
const MAX_K = 1000;

/**
 * Reads `mrr@10`, `ndcg@10`, `recall@10`, `hit@3` or `precision@5`, with `section-` in front for sections.
 *
 * @throws `CONFIG_INVALID`
 */
export function parseMetric(name: string): Metric {
  const match = /^(section-)?([a-z]+)@([1-9]\d{0,3})$/.exec(name);
  const [, section, measure, digits] = match ?? [];
  const k = Number(digits);
  if (measure === undefined || !Object.hasOwn(MEASURES, measure) || k > MAX_K) {
    const expected = `${Object.keys(MEASURES).join(", ")}, each with @ and a cut-off up to ${MAX_K}, such as ndcg@10 or section-hit@5`;
    throw new DocsearchError("CONFIG_INVALID", `there is no metric "${name}"; expected ${expected}`, {
      setting: "metric",
      value: name,
      expected,
    });
  }
  const level = section === undefined ? "document" : "section";
  return { name, level, k, measure: MEASURES[measure as keyof typeof MEASURES] };
}
