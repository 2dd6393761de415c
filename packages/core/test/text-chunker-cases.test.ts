import { readFileSync } from "node:fs";
import { type ChunkResult, isDocsearchError } from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { CHARACTERS, chunk } from "./text-chunk.js";
import { expectCoverage, expectSpans } from "./text-guarantees.js";

// Runs the fault cases in fixtures/text-cases.jsonl: inputs on which tools of this kind have failed, each with the
// checks that tell a right result. Times are measured in bench/chunk-text.mjs; here it counts that the run ended.

interface Options {
  readonly max_chars?: number;
  readonly overlap?: number;
}

interface Row {
  readonly options: Options;
  readonly text?: string;
  readonly chunks?: readonly string[];
  readonly max_chars?: number;
  readonly coverage?: boolean;
  readonly throws?: string;
}

interface Check {
  readonly op: string;
  readonly value?: number;
  readonly contains?: string;
  readonly start_at_most?: number;
  readonly end_at_least?: number;
  readonly rows?: readonly Row[];
}

interface Part {
  readonly repeat?: string;
  readonly count?: number;
  readonly each?: string;
  readonly from?: number;
  readonly to?: number;
}

interface Case {
  readonly id: string;
  readonly expect: string;
  readonly input_gen?: readonly { readonly file: string; readonly parts: readonly Part[] }[];
  readonly options: Options;
  readonly checks: readonly Check[];
}

const source = readFileSync(new URL("./fixtures/text-cases.jsonl", import.meta.url), "utf8");
const cases = source
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Case);

function run(text: string, { max_chars = 1500, overlap = 0 }: Options): ChunkResult {
  return chunk(text, { maxSize: max_chars, overlap });
}

function generate(parts: readonly Part[]): string {
  return parts
    .map(({ repeat, count = 0, each = "", from = 0, to = -1 }) =>
      repeat === undefined
        ? Array.from({ length: to - from + 1 }, (_, n) => each.replaceAll("{i}", String(from + n))).join("")
        : repeat.repeat(count),
    )
    .join("");
}

function check({ op, value, contains, start_at_most, end_at_least }: Check, text: string, result: ChunkResult): void {
  const { chunks } = result;
  switch (op) {
    case "max_chars":
      for (const draft of chunks) expect(draft.text.length).toBeLessThanOrEqual(value!);
      return;
    case "rejoin":
      expect(chunks.map((draft) => draft.text).join("") === text).toBe(true);
      return;
    case "offsets":
    case "starts_increase":
    case "line_of_offset":
      expectSpans(text, result);
      return;
    case "lines": {
      const holder = chunks.find((draft) => draft.text.includes(contains!));
      if (holder === undefined) return;
      expect(holder.span.startLine).toBeLessThanOrEqual(start_at_most!);
      expect(holder.span.endLine).toBeGreaterThanOrEqual(end_at_least!);
      return;
    }
    case "max_ms":
      return;
    default:
      throw new Error(`unknown check "${op}"`);
  }
}

function checkRow({ options, text = "x", chunks, max_chars, coverage, throws }: Row): void {
  if (throws !== undefined) {
    try {
      run(text, options);
      expect.unreachable(JSON.stringify(options));
    } catch (error) {
      expect(isDocsearchError(error, "CONFIG_INVALID")).toBe(true);
    }
    return;
  }
  const result = run(text, options);
  if (chunks !== undefined) expect(result.chunks.map((draft) => draft.text)).toEqual(chunks);
  if (max_chars !== undefined) {
    for (const draft of result.chunks) expect(draft.text.length).toBeLessThanOrEqual(max_chars);
  }
  if (coverage) expectCoverage(text, result, { ...CHARACTERS, overlap: options.overlap ?? 0 });
}

describe("fault cases", () => {
  for (const { id, expect: statement, input_gen = [], options, checks } of cases) {
    test(`${id}: ${statement}`, () => {
      for (const { parts } of input_gen) {
        const text = generate(parts);
        const result = run(text, options);
        for (const each of checks) check(each, text, result);
      }
      for (const { rows = [] } of checks) for (const row of rows) checkRow(row);
    });
  }

  test("line 200 of a repeated text stands in line 200", () => {
    const text = generate(cases.find(({ id }) => id === "tx-offsets-repeated-text")!.input_gen![0]!.parts);
    const { chunks } = run(text, { max_chars: 120, overlap: 40 });
    const { span } = chunks.find((draft) => draft.text.includes("line 200 "))!;
    expect([span.startLine, span.endLine]).toEqual([199, 202]);
  });
});
