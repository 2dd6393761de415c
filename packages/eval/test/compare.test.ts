import { describe, expect, test } from "vitest";
import {
  type ArmRun,
  compareArms,
  compareRuns,
  type EvalRun,
  failedGates,
  formatComparison,
  formatGateFailures,
  formatRun,
  parseGate,
  parseRun,
} from "../src/index.js";

function arm(name: string, values: readonly number[], ids = values.map((_, index) => `q${index}`)): ArmRun {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    name,
    request: {},
    metrics: { "mrr@10": mean },
    kinds: [{ kind: "question", queries: values.length, metrics: { "mrr@10": mean } }],
    zeroHitRate: 0.25,
    latency: { p50: 1.25, p95: 3 },
    queries: values.map((value, index) => ({
      id: ids[index] as string,
      query: `query | ${index}`,
      metrics: { "mrr@10": value },
      results: 1,
      top: [],
      milliseconds: 1,
    })),
  };
}

function run(...arms: ArmRun[]): EvalRun {
  return {
    format: 1,
    date: "2026-11-30T10:00:00.000Z",
    index: { store: "memory", documents: 3, chunks: 6, vectors: 0, embedder: null, chunking: "c", analyzer: "a" },
    metrics: ["mrr@10", "section-hit@5"],
    missing: ["gone.md"],
    arms,
  };
}

const keyword = arm("keyword", [1, 0.5, 0.25, 0]);
const hybrid = arm("hybrid", [1, 1, 0, 0]);

describe("comparison", () => {
  test("of two arms: means, wins, losses, and the queries behind them", () => {
    const comparison = compareArms(keyword, hybrid, ["mrr@10", "section-hit@5"]);
    expect(comparison).toMatchObject({ before: "keyword", after: "hybrid", queries: 4 });
    expect(comparison.metrics).toHaveLength(1);
    expect(comparison.metrics[0]).toMatchObject({ before: 0.4375, after: 0.5, wins: 1, losses: 1, ties: 2 });
    expect(comparison.metrics[0]?.interval.difference).toBe(0.0625);
    expect(comparison.wins).toEqual([{ id: "q1", query: "query | 1", before: 0.5, after: 1 }]);
    expect(comparison.losses).toEqual([{ id: "q2", query: "query | 2", before: 0.25, after: 0 }]);
  });

  test("of two runs: by id, and queries of one side only are left out and named", () => {
    const later = arm("keyword", [0, 1], ["q0", "new"]);
    const comparison = compareRuns(run(keyword, hybrid), run(later));
    expect(comparison.arms.map(({ after, queries }) => [after, queries])).toEqual([["keyword", 1]]);
    expect(comparison.arms[0]?.metrics[0]).toMatchObject({ before: 1, after: 0, losses: 1 });
    expect(comparison.unmatched).toEqual(["q1", "q2", "q3", "new"]);
  });

  test("as Markdown, largest changes first, pipes escaped", () => {
    const text = formatComparison(
      compareRuns(run(keyword), { ...run(arm("keyword", [0.9, 0, 0.25, 1])), date: "2026-12-01T09:00:00.000Z" }),
    );
    expect(text).toMatchInlineSnapshot(`
      "Run of 2026-12-01T09:00:00.000Z against run of 2026-11-30T10:00:00.000Z

      ### keyword

      | metric | before | after | difference [95 %] | better | worse | equal |
      | --- | --- | --- | --- | --- | --- | --- |
      | mrr@10 | 0.438 | 0.537 | +0.100 [-0.375, +0.725] | 1 | 2 | 1 |

      | Better, by mrr@10 | before | after |
      | --- | --- | --- |
      | query \\| 3 | 0.000 | 1.000 |

      | Worse, by mrr@10 | before | after |
      | --- | --- | --- |
      | query \\| 1 | 0.500 | 0.000 |
      | query \\| 0 | 1.000 | 0.900 |"
    `);
  });
});

describe("report", () => {
  test("of a run", () => {
    expect(formatRun(run(keyword, hybrid))).toMatchInlineSnapshot(`
      "2026-11-30: 4 queries, 3 documents, 6 chunks, store memory, embedder none

      Not in the index, counted as not found: gone.md

      | arm | mrr@10 | nothing found | p50 ms | p95 ms |
      | --- | --- | --- | --- | --- |
      | keyword | 0.438 | 25.0 % | 1.3 | 3.0 |
      | hybrid | 0.500 | 25.0 % | 1.3 | 3.0 |

      | difference in mrr@10 | [95 %] | better | worse | equal |
      | --- | --- | --- | --- | --- |
      | hybrid - keyword | +0.063 [-0.188, +0.375] | 1 | 1 | 2 |

      | mrr@10 by kind | question (4) |
      | --- | --- |
      | keyword | 0.438 |
      | hybrid | 0.500 |"
    `);
  });

  test("says when one leg is better than both", () => {
    const text = formatRun(run(arm("keyword", [1, 1, 1, 1]), arm("hybrid", [0.5, 0.5, 0.5, 0.5])));
    expect(text).toContain(
      "On this collection keyword is ahead of hybrid by 0.500, more than the choice of queries explains.",
    );
  });
});

describe("gates", () => {
  test("are on the hybrid arm where none is named", () => {
    const gates = ["mrr@10=0.5", "mrr@10=.51", "keyword:mrr@10=0.9", "section-hit@5=0.1"].map(parseGate);
    const failures = failedGates(run(keyword, hybrid), gates);
    expect(formatGateFailures(failures)).toBe(
      [
        "hybrid: mrr@10 must be at least 0.51; it is 0.5000",
        "keyword: mrr@10 must be at least 0.9; it is 0.4375",
        "hybrid: section-hit@5 must be at least 0.1; no query has it",
      ].join("\n"),
    );
  });

  test("are on the only arm of a run", () => {
    expect(failedGates(run(keyword), [parseGate("mrr@10=0.4")])).toEqual([]);
  });

  test.each(["mrr@10", "mrr@10=", "mrr@10=2", "mrr@10=-1", "=1", "mrr@10=x", "speed@10=1"])("%s is refused", (text) => {
    expect(() => parseGate(text)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  test("on what was not run is an error, not a pass", () => {
    expect(() => failedGates(run(keyword), [parseGate("rrf:mrr@10=0.1")])).toThrow("one of the arms keyword in front");
    expect(() => failedGates(run(keyword), [parseGate("ndcg@10=0.1")])).toThrow(
      "expected one of mrr@10, section-hit@5",
    );
    expect(() => failedGates(run(keyword, arm("rrf", [1])), [parseGate("mrr@10=0")])).toThrow(
      "one of the arms keyword, rrf",
    );
  });
});

describe("saved runs", () => {
  test("are read back as they were", () => {
    const original = run(keyword);
    expect(parseRun(JSON.stringify(original), "run.json")).toEqual(original);
  });

  test.each(["", "null", "[]", '{"format":2,"arms":[],"metrics":[]}', '{"format":1}'])("%s is none", (text) => {
    expect(() => parseRun(text, "run.json")).toThrow("run.json is not a saved run");
  });
});
