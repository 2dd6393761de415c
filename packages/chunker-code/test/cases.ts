import { readFileSync } from "node:fs";
import type { ChunkDraft, ChunkOptions, ChunkResult } from "@docsearch/spec";
import { expect } from "vitest";
import { expectPromises } from "./check.js";
import { CHARACTERS, chunk, shown, symbolsOf } from "./chunk.js";

// Runs the fault cases in fixtures/cases.jsonl: inputs on which tools of this kind have failed, each with the
// checks that tell a right result. Chunks are looked at as they are shown: `standaloneText`, else `text`.

const FIXTURES = new URL("./fixtures/", import.meta.url);

export interface Case {
  readonly id: string;
  readonly expect: string;
  readonly input_file?: string;
  readonly input_gen?: readonly { readonly file: string; readonly parts: readonly GeneratorPart[] }[];
  readonly options?: CaseOptions;
  readonly checks: readonly Check[];
}

interface CaseOptions {
  readonly max_chars?: number;
  readonly overlap?: number;
}

/** `op` says which of the other fields a check has. */
type Check = Readonly<Record<string, unknown>> & { readonly op: string };

interface GeneratorPart {
  readonly text?: string;
  readonly repeat?: string;
  readonly count?: number;
  readonly each?: string;
  readonly from?: number;
  readonly to?: number;
}

interface View {
  readonly file: string;
  readonly text: string;
  readonly options: ChunkOptions;
  readonly result: ChunkResult;
}

export function readCases(): Case[] {
  const source = readFileSync(new URL("cases.jsonl", FIXTURES), "utf8");
  return source
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Case);
}

export function runCase({ input_file, input_gen, options, checks }: Case): void {
  const views: View[] = [];
  if (input_file !== undefined) views.push(viewOf(input_file, readCase(input_file), options));
  for (const { file, parts } of input_gen ?? []) views.push(viewOf(file, generate(parts), options));
  for (const check of checks) run(check, views, options);
}

function readCase(file: string): string {
  return readFileSync(new URL(`cases/${file}`, FIXTURES), "utf8");
}

function viewOf(file: string, text: string, { max_chars = 1500, overlap = 0 }: CaseOptions = {}): View {
  const options = { ...CHARACTERS, maxSize: max_chars, overlap };
  return { file, text, options, result: chunk(text, file, options) };
}

function run(check: Check, views: readonly View[], options: CaseOptions | undefined): void {
  if (check.op === "table") {
    for (const row of check.rows as readonly { readonly file: string; readonly same_chunk: string[][] }[]) {
      const view = viewOf(row.file, readCase(row.file), options);
      for (const all of row.same_chunk) OPS.same_chunk!({ op: "same_chunk", all }, view);
    }
    return;
  }
  if (check.op === "indexed_includes" || check.op === "run_ok") {
    for (const { result } of views) expect(result.chunks.length).toBeGreaterThan(0);
    return;
  }
  const op = OPS[check.op];
  if (op === undefined) throw new Error(`unknown check "${check.op}"`);
  // Of several files one answers the question.
  if (check.op === "findable" && views.length > 1) expect(views.some((view) => isFindable(check, view))).toBe(true);
  else for (const view of views) op(check, view);
}

/** The chunk that holds `check.contains`. */
function holder(check: Check, { result }: View): ChunkDraft {
  const draft = result.chunks.find((each) => shown(each).includes(check.contains as string));
  expect(draft, `a chunk that holds ${JSON.stringify(check.contains)}`).toBeDefined();
  return draft!;
}

function isFindable({ query }: Check, { result }: View): boolean {
  return result.chunks.some((draft) => [...draft.headingPath, shown(draft)].join("\n").includes(query as string));
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Lines of comments and decorators at the start of a definition may count as part of it or not. */
function isLeadIn(text: string, from: number, to: number): boolean {
  const lines = text.split("\n").slice(from - 1, to - 1);
  return lines.every((line) => /^\s*(?:@|#|\/\/|\/?\*)/.test(line));
}

const OPS: Readonly<Record<string, (check: Check, view: View) => void>> = {
  coverage: (_, { text, file, result, options }) => expectPromises(text, file, result, options),
  offsets: (_, { text, file, result, options }) => expectPromises(text, file, result, options),
  each_once: ({ pattern, from = 0, to = 0 }, { result }) => {
    const texts = result.chunks.map(({ text }) => text).join("\0");
    for (let i = from as number; i <= (to as number); i++)
      expect(occurrences(texts, fillIn(pattern as string, i)), fillIn(pattern as string, i)).toBe(1);
  },
  symbol: ({ name, kind, lines, parent }, { text, result }) => {
    const [start, end] = lines as [number, number];
    const found = symbolsOf(result).filter((symbol) => symbol.name === name && symbol.endLine === end);
    const qualified = parent === undefined ? name : `${parent as string}.${name as string}`;
    const symbol = found.find((each) => each.qualifiedName === qualified);
    expect(symbol, `${qualified as string} ends in line ${end}`).toBeDefined();
    expect(symbol!.kind).toBe(kind);
    if (symbol!.line !== start)
      expect(isLeadIn(text, Math.min(start, symbol!.line), Math.max(start, symbol!.line))).toBe(true);
  },
  symbol_named: ({ name, kind }, { result }) =>
    expect(
      symbolsOf(result)
        .filter((symbol) => symbol.name === name)
        .map((symbol) => symbol.kind),
    ).toEqual([kind]),
  no_symbol: ({ name }, { result }) => expect(symbolsOf(result).map((symbol) => symbol.name)).not.toContain(name),
  symbol_text: ({ name, starts = "", ends }, { text, result }) => {
    const { line, endLine } = symbolsOf(result).find((symbol) => symbol.name === name)!;
    const source = text
      .split("\n")
      .slice(line - 1, endLine)
      .join("\n");
    expect(source.startsWith(starts as string)).toBe(true);
    expect(source.endsWith(ends as string)).toBe(true);
  },
  same_chunk: ({ all }, { result }) =>
    expect(result.chunks.some((draft) => (all as string[]).every((part) => shown(draft).includes(part)))).toBe(true),
  some_chunk: (check, view) => void holder(check, view),
  no_chunk: ({ contains }, { result }) => {
    for (const { text, standaloneText = "" } of result.chunks) expect(text + standaloneText).not.toContain(contains);
  },
  findable: (check, view) => expect(isFindable(check, view)).toBe(true),
  heading_path: (check, view) => expect(holder(check, view).headingPath).toEqual(check.path),
  parent_of: (check, view) => {
    const { symbols = [] } = holder(check, view);
    const name = /^\w+/.exec(check.contains as string)![0];
    expect(symbols.map(({ qualifiedName }) => qualifiedName)).toContain(`${check.value as string}.${name}`);
  },
  all_embed_contain: ({ value, where }, { result }) => {
    for (const { headingPath, context = "", text } of result.chunks) {
      if (text.includes(where as string)) expect([...headingPath, context, text].join("\n")).toContain(value);
    }
  },
  max_chars: ({ value }, { result }) => {
    for (const { text } of result.chunks) expect(text.length).toBeLessThanOrEqual(value as number);
  },
  lines: (check, view) => {
    const { span } = holder(check, view);
    expect(span.startLine).toBeLessThanOrEqual(check.start_at_most as number);
    expect(span.endLine).toBeGreaterThanOrEqual(check.end_at_least as number);
  },
  locator: (check, view) => expect(holder(check, view).metadata).toEqual(check.value),
  no_throw: (_, { result }) => expect(result.chunks.length).toBeGreaterThan(0),
  // Times are measured in bench/; here it counts that the run ended.
  max_ms: () => {},
};

function generate(parts: readonly GeneratorPart[]): string {
  return parts
    .map(({ text, repeat, count = 0, each = "", from = 0, to = -1 }) => {
      if (text !== undefined) return text;
      if (repeat !== undefined) return repeat.repeat(count);
      return Array.from({ length: to - from + 1 }, (_, index) => fillIn(each, from + index)).join("");
    })
    .join("");
}

/** Replaces `{i}` and `{i:03d}`. */
function fillIn(template: string, i: number): string {
  return template.replace(/\{i(?::0(\d)d)?\}/g, (_, width) => String(i).padStart(Number(width ?? 0), "0"));
}
