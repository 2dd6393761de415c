import type { Range } from "@docsearch/text-split";
import { type Definition, isSection } from "./definition.js";
import type { Findings, Found } from "./findings.js";
import { lastBefore } from "./last-before.js";

const FUNCTIONS: ReadonlySet<string> = new Set(["function", "method", "constructor"]);
const TYPES: ReadonlySet<string> = new Set(
  "class struct interface trait enum record object impl protocol union actor extension instance".split(" "),
);
/** Definitions that lie deeper are part of the one at this depth: names in full grow with the depth. */
const MAX_DEPTH = 32;
/** What may stand behind a definition in its line and belongs to it. */
const REST = /[ \t]*[;,]?[ \t]*(?=\r?\n|\r|$)|[ \t]*[;,]/y;

type Writable = { -readonly [K in keyof Definition]: Definition[K] };

interface OpenWrapper extends Range {
  /** How many definitions are open around it. */
  readonly depth: number;
  claimed: boolean;
}

/**
 * Puts what was found in its place: which definition lies in which, what belongs to each in front of it, and what they
 * are called in full. One pass over offsets; the tree is not looked at.
 */
export function placeDefinitions(text: string, findings: Findings): Definition[] {
  const { wrappers, leading, docstrings } = findings;
  const placed: Writable[] = [];
  const open: number[] = [];
  const openWrappers: OpenWrapper[] = [];
  const attach = new Leading(text, leading, new Set(findings.comments));
  let nextWrapper = 0;
  let nextDocstring = 0;

  const closeBefore = (offset: number): void => {
    while (open.length > 0 && placed[open.at(-1)!]!.coreEnd <= offset) open.pop();
    while (openWrappers.length > 0 && openWrappers.at(-1)!.end <= offset) openWrappers.pop();
  };
  const takeDocstrings = (offset: number): void => {
    for (; nextDocstring < docstrings.length && docstrings[nextDocstring]!.start < offset; nextDocstring++) {
      const docstring = docstrings[nextDocstring]!;
      closeBefore(docstring.start);
      const around = open.at(-1);
      if (around !== undefined) placed[around]!.documentation = [docstring];
    }
  };

  for (const found of findings.definitions) {
    takeDocstrings(found.start);
    for (; nextWrapper < wrappers.length && wrappers[nextWrapper]!.start <= found.start; nextWrapper++) {
      // Not spread: that was half of the time of this function.
      const { start, end } = wrappers[nextWrapper]!;
      closeBefore(start);
      openWrappers.push({ start, end, depth: open.length, claimed: false });
    }
    closeBefore(found.start);
    let parent = open.at(-1) ?? -1;
    const last = placed[parent];
    // Two names of one node, as in `attr_reader :name, :size`, stand beside each other.
    if (last !== undefined && last.nodeStart === found.start && last.coreEnd === found.end) parent = last.parent;
    const around = placed[parent];
    // What reaches over the end of what it lies in was found in a broken part of the tree.
    if (around !== undefined && found.end > around.coreEnd) continue;
    if (open.length >= MAX_DEPTH || (found.isValue && isInFunction(placed, parent))) continue;
    let outerStart = found.start;
    for (const wrapper of openWrappers) {
      if (wrapper.claimed || wrapper.depth !== open.length || wrapper.end < found.end) continue;
      wrapper.claimed = true;
      outerStart = Math.min(outerStart, wrapper.start);
    }
    // `typedef enum mode { ... } mode` says one thing twice.
    if (around?.name === found.name && around.bodyStart === found.bodyStart && found.bodyStart < found.end) continue;
    const before = attach.before(outerStart, around === undefined ? 0 : around.coreStart);
    const core = attach.behind(outerStart, found.bodyStart);
    const limit = around === undefined ? text.length : around.coreEnd;
    placed.push({
      kind: kindOf(found, placed, parent),
      name: found.name,
      path: pathOf(scopePath(placed, parent, found), found),
      start: before.start,
      coreStart: core.start,
      coreEnd: found.end,
      nodeStart: found.start,
      end: Math.min(withRest(text, found.end), limit),
      bodyStart: found.bodyStart,
      parent,
      documentation: [...before.comments, ...core.comments],
    });
    open.push(placed.length - 1);
  }
  takeDocstrings(text.length);
  return placed;
}

function kindOf({ kind }: Found, placed: readonly Definition[], parent: number): string {
  let around = placed[parent];
  while (around !== undefined && isSection(around)) around = placed[around.parent];
  return kind === "function" && around !== undefined && TYPES.has(around.kind) ? "method" : kind;
}

function pathOf(scope: readonly string[], { kind, name, owner }: Found): string[] {
  // `def Harbour.open` inside of `module Harbour` names it again.
  const isRepeated = owner.length === 1 && owner[0] === scope.at(-1);
  return [...scope, ...(isRepeated ? [] : owner), ...(kind === "section" ? [] : [name])];
}

/** Two names of one body, such as those of a struct and its `typedef`, stand beside each other. */
function scopePath(placed: readonly Definition[], parent: number, { bodyStart, end }: Found): readonly string[] {
  let around = placed[parent];
  while (around !== undefined && bodyStart < end && around.bodyStart === bodyStart) around = placed[around.parent];
  return around?.path ?? [];
}

function isInFunction(placed: readonly Definition[], from: number): boolean {
  for (let at = from; at >= 0; at = placed[at]!.parent) if (FUNCTIONS.has(placed[at]!.kind)) return true;
  return false;
}

/** `end`, with a semicolon or comma behind it, and to the end of the line when nothing else follows. */
function withRest(text: string, end: number): number {
  REST.lastIndex = end;
  return end + (REST.exec(text)?.[0].length ?? 0);
}

/** Comments and attributes, and what they belong to. */
class Leading {
  readonly #text: string;
  readonly #ranges: readonly Range[];
  readonly #comments: ReadonlySet<Range>;

  constructor(text: string, ranges: readonly Range[], comments: ReadonlySet<Range>) {
    this.#text = text;
    this.#ranges = ranges;
    this.#comments = comments;
  }

  /** Start of the unbroken row of them that ends right before `offset`, and the comments of the row. */
  before(offset: number, floor: number): { readonly start: number; readonly comments: readonly Range[] } {
    const comments: Range[] = [];
    let start = this.#withIndentation(offset);
    for (let index = lastBefore(this.#ranges, offset); index >= 0; index--) {
      const range = this.#ranges[index]!;
      if (range.start < floor || range.end > offset) break;
      const between = this.#text.slice(range.end, start);
      if (between.trim() !== "" || (between.match(/\r\n?|\n/g)?.length ?? 0) > 1 || !this.#beginsLine(range.start))
        break;
      start = this.#withIndentation(range.start);
      if (this.#comments.has(range)) comments.unshift(range);
    }
    return { start, comments };
  }

  /** The first offset from `offset` on, and before `limit`, behind a row of them, and the comments of the row. */
  behind(offset: number, limit: number): { readonly start: number; readonly comments: readonly Range[] } {
    const comments: Range[] = [];
    let start = offset;
    for (let index = lastBefore(this.#ranges, offset) + 1; index < this.#ranges.length; index++) {
      const range = this.#ranges[index]!;
      if (range.start !== start || range.end >= limit) break;
      start = range.end + /^\s*/.exec(this.#text.slice(range.end, limit))![0].length;
      if (this.#comments.has(range)) comments.push(range);
    }
    return { start, comments };
  }

  /** The start of the line, when only blanks stand before `offset` in it. */
  #withIndentation(offset: number): number {
    for (let at = offset - 1; at >= 0; at--) {
      const char = this.#text[at];
      if (char === "\n" || char === "\r" || char === "\ufeff") return at + 1;
      if (char !== " " && char !== "\t") return offset;
    }
    return 0;
  }

  #beginsLine(offset: number): boolean {
    for (let at = offset - 1; at >= 0; at--) {
      const char = this.#text[at];
      if (char === "\n" || char === "\r") return true;
      if (char !== " " && char !== "\t" && char !== "\ufeff") return false;
    }
    return true;
  }
}
