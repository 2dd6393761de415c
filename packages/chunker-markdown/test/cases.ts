import { readFileSync } from "node:fs";
import type { ChunkDraft, ChunkOptions, ChunkResult, OutlineEntry } from "@docsearch/spec";
import { shortHeading } from "@docsearch/text-split";
import { expect } from "vitest";
import { composeEmbedText } from "../../core/src/indexing/embed-text.js";
import { withShortHeadings } from "../../core/src/indexing/short-headings.js";
import { CHARACTERS, chunker, document, shown } from "./chunk.js";
import { expectCoverage, expectOffsets } from "./invariants.js";

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
export interface Check extends Readonly<Record<string, unknown>> {
  readonly op: string;
  /** Wanted, not required. */
  readonly stretch?: boolean;
}

interface GeneratorPart {
  readonly text?: string;
  readonly repeat?: string;
  readonly count?: number;
  readonly each?: string;
  readonly from?: number;
  readonly to?: number;
  readonly nested?: string;
  readonly indent?: string;
  readonly depth?: number;
}

interface Input {
  readonly file: string;
  readonly text: string;
}

interface View {
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

export function runCase({ input_file, input_gen, options, checks: all }: Case, stretch: boolean): void {
  const checks = all.filter((check) => (check.stretch ?? false) === stretch);
  const inputs: Input[] = input_gen?.map(({ file, parts }) => ({ file, text: generate(parts) })) ?? [];
  if (input_file !== undefined) {
    inputs.push({ file: input_file, text: readFileSync(new URL(`cases/${input_file}`, FIXTURES), "utf8") });
  }
  for (const input of inputs) runChecks(input, options ?? {}, checks);
  if (inputs.length === 0) for (const check of checks) runTable(check);
}

function runChecks(
  { file, text }: Input,
  { max_chars = 1500, overlap = 0 }: CaseOptions,
  checks: readonly Check[],
): void {
  const options = { ...CHARACTERS, maxSize: max_chars, overlap };
  const view = { text, options, result: chunker.chunk(document(text, file), options) };
  for (const check of checks) {
    const run = OPS[check.op];
    if (run === undefined) throw new Error(`unknown check "${check.op}"`);
    run(check, view);
  }
}

/** Rows that bring their own text and options. */
function runTable({ op, rows }: Check): void {
  expect(op).toBe("table");
  for (const row of rows as readonly Readonly<Record<string, unknown>>[]) {
    const checks: Check[] = [];
    for (const path of (row.heading_path ?? []) as object[]) checks.push({ op: "heading_path", ...path });
    for (const query of (row.findable ?? []) as string[]) checks.push({ op: "findable", query });
    if (row.chunks !== undefined) checks.push({ op: "chunks", value: row.chunks });
    if (row.coverage === true) checks.push({ op: "coverage" });
    runChecks({ file: "row.md", text: row.text as string }, (row.options ?? {}) as CaseOptions, checks);
  }
}

/** What the indexer embeds. */
function embedText(draft: ChunkDraft, { title }: ChunkResult): string {
  return composeEmbedText(shortHeading(title), withShortHeadings(draft));
}

function textOf(check: Check, { result }: View): (draft: ChunkDraft) => string {
  return check.field === "embed_text" ? (draft) => embedText(draft, result) : shown;
}

function sectionPaths(outline: readonly OutlineEntry[]): string[][] {
  const paths: string[][] = [];
  for (const { heading, parent } of outline) paths.push([...(parent === undefined ? [] : paths[parent]!), heading]);
  return paths;
}

/** The chunk that holds `check.contains`, or `check.where`. */
function holder(check: Check, view: View): ChunkDraft {
  const draft = view.result.chunks.find(({ text }) => text.includes(check.contains as string));
  expect(draft, `a chunk that holds ${JSON.stringify(check.contains)}`).toBeDefined();
  return draft!;
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

const OPS: Readonly<Record<string, (check: Check, view: View) => void>> = {
  headings_equal: ({ value }, { result }) => expect(sectionPaths(result.outline)).toEqual(value),
  no_heading: ({ text }, { result }) => expect(result.outline.map(({ heading }) => heading)).not.toContain(text),
  heading_line: ({ value, line }, { result }) =>
    expect(result.outline.find(({ heading }) => heading === value)?.line).toBe(line),
  no_path_matches: ({ regex }, { result }) => {
    for (const { headingPath } of result.chunks)
      expect(headingPath.join("\n")).not.toMatch(new RegExp((regex as string).replace("\\n", "")));
  },
  heading_path: (check, view) => expect(holder(check, view).headingPath).toEqual(check.path),
  heading_last: (check, view) => expect(holder(check, view).headingPath.at(-1)).toBe(check.value),
  heading_last_matches: (check, view) =>
    expect(holder(check, view).headingPath.at(-1)).toMatch(new RegExp(check.regex as string)),
  heading_tail: (check, view) => {
    const tail = check.path as string[];
    expect(holder(check, view).headingPath.slice(-tail.length)).toEqual(tail);
  },
  anchor: (check, view) => expect(holder(check, view).anchor).toBe(check.value),
  doc_title: ({ value }, { result }) => expect(result.title).toBe(value),
  metadata: ({ value }, { result }) => {
    for (const [key, wanted] of Object.entries(value as Record<string, unknown>)) {
      // Metadata is flat: lists are joined, and what is nested has the key above in front.
      if (Array.isArray(wanted)) expect(result.metadata?.[key]).toBe(wanted.join(", "));
      else if (typeof wanted === "object" && wanted !== null) {
        for (const [name, value] of Object.entries(wanted)) expect(result.metadata?.[`${key}.${name}`]).toBe(value);
      } else expect(result.metadata?.[key]).toBe(wanted);
    }
  },
  warn: ({ match }, { result }) => {
    expect(result.diagnostics).toHaveLength(1);
    expect(result.diagnostics[0]!.message).toContain(match);
  },
  no_throw: (_, { result }) => expect(result.chunks.length).toBeGreaterThan(0),
  // Times are measured in bench/chunk.mjs; here it counts that the run ended.
  max_ms: () => {},
  repeatable: ({ then_text, then_headings }, { text, options, result }) => {
    const after = chunker.chunk(document(then_text as string), options);
    expect(sectionPaths(after.outline)).toEqual(then_headings);
    expect(chunker.chunk(document(text), options).chunks).toEqual(result.chunks);
  },
  coverage: (_, { text, result, options }) => expectCoverage(text, result, options.overlap === 0),
  offsets: (_, { text, result }) => expectOffsets(text, result),
  lines: (check, view) => {
    const { span } = holder(check, view);
    if (check.start !== undefined) expect(span.startLine).toBe(check.start);
    if (check.end !== undefined) expect(span.endLine).toBe(check.end);
    if (check.start_at_most !== undefined) expect(span.startLine).toBeLessThanOrEqual(check.start_at_most as number);
    if (check.end_at_least !== undefined) expect(span.endLine).toBeGreaterThanOrEqual(check.end_at_least as number);
  },
  chunks: ({ value }, { result }) => expect(result.chunks.map(({ text }) => text)).toEqual(value),
  some_chunk: (check, view) => void holder(check, view),
  same_chunk: ({ all }, { result }) => {
    const parts = all as string[];
    expect(result.chunks.some(({ text }) => parts.every((part) => text.includes(part)))).toBe(true);
  },
  no_chunk: (check, view) => {
    for (const draft of view.result.chunks) expect(textOf(check, view)(draft)).not.toContain(check.contains);
  },
  verbatim: ({ text }, { result }) =>
    expect(result.chunks.some((draft) => draft.text.includes(text as string))).toBe(true),
  unique_ids: (_, { result }) => {
    const identities = result.chunks.map(({ headingPath, text }) => JSON.stringify([headingPath, text]));
    expect(new Set(identities).size).toBe(identities.length);
  },
  findable: ({ query }, { result }) => {
    const found = result.chunks.some(({ headingPath, text }) =>
      [...headingPath, text].join("\n").includes(query as string),
    );
    expect(found, `${query} in a chunk or a path`).toBe(true);
  },
  max_chars: (check, view) => {
    const limit = (check.value as number) + ((check.slack as number | undefined) ?? 0);
    for (const draft of view.result.chunks) expect(textOf(check, view)(draft).length).toBeLessThanOrEqual(limit);
  },
  each_once: ({ pattern, from = 0, to = 0 }, { result }) => {
    const texts = result.chunks.map(({ text }) => text).join("\0");
    for (let i = from as number; i <= (to as number); i++) {
      expect(occurrences(texts, fillIn(pattern as string, i)), fillIn(pattern as string, i)).toBe(1);
    }
  },
  count_per_chunk: (check, view) => {
    for (const draft of view.result.chunks) {
      if (!draft.text.includes(check.where as string)) continue;
      expect(occurrences(textOf(check, view)(draft), check.text as string)).toBe(check.value);
    }
  },
  balanced_fences: (_, { result }) => {
    for (const draft of result.chunks) expect((shown(draft).match(/^\s*(?:```|~~~)/gm) ?? []).length % 2).toBe(0);
  },
  code_lang: (check, view) => expect(holder(check, view).language).toBe(check.lang),
  table_header_repeated: ({ header }, { result }) => {
    for (const draft of result.chunks) {
      if (!/^\| P-/m.test(draft.text)) continue;
      expect(shown(draft)).toMatch(new RegExp(`${(header as string).replaceAll("|", "\\|")}\n\\|[ :|-]+\\|\n\\| P-`));
    }
  },
};

function generate(parts: readonly GeneratorPart[]): string {
  return parts
    .map((part) => {
      if (part.text !== undefined) return part.text;
      if (part.repeat !== undefined) return part.repeat.repeat(part.count!);
      if (part.each !== undefined) {
        let rows = "";
        for (let i = part.from!; i <= part.to!; i++) rows += fillIn(part.each, i);
        return rows;
      }
      return Array.from({ length: part.depth! }, (_, depth) => part.indent!.repeat(depth) + part.nested).join("\n");
    })
    .join("");
}

/** Replaces `{i}` and `{i:03d}`. */
function fillIn(template: string, i: number): string {
  return template.replace(/\{i(?::0(\d)d)?\}/g, (_, width) => String(i).padStart(Number(width ?? 0), "0"));
}
