import {
  type Budget,
  type Frame,
  type Lines,
  type Range,
  rowOf,
  type Segmenters,
  TextFrames,
} from "@docsearch/text-split";
import type { Node, Tree } from "web-tree-sitter";

/** A tree and the part of the document that it was made from. */
export interface TreePart extends Range {
  readonly tree: Tree;
}

/** Deeper than this a text is cut by its lines. */
const MAX_DEPTH = 40;
/** Fewer borders than these are not enough to choose from. */
const FEW = 3;
const COMMENT_LINE = /^\s*(?:\/\/|#|--|;|%|\/?\*)/;

/** Makes frames of a text from its trees: statements, then what they consist of, then lines. */
export class NodeFrames {
  readonly #text: string;
  readonly #lines: Lines;
  readonly #trees: readonly TreePart[];
  readonly #inner: TextFrames;
  readonly #starts = new Map<string, readonly number[]>();

  constructor(text: string, lines: Lines, trees: readonly TreePart[], budget: Budget, segmenters: Segmenters) {
    this.#text = text;
    this.#lines = lines;
    this.#trees = trees;
    this.#inner = new TextFrames(text, lines, budget, segmenters);
  }

  /** The range as groups of nodes between blank lines, then as single nodes. */
  of(start: number, end: number, depth = 0): Frame {
    const borders = depth < MAX_DEPTH ? this.#bordersIn(start, end) : [];
    if (borders.length === 0)
      return this.#inner.ofCode(start, end, this.#lines.at(start) + 1, this.#lines.at(end - 1) + 1);
    const groups = borders.filter((border) => this.#followsBlankLine(border));
    const nodes = (from: number, to: number): Frame =>
      this.#row([from, ...borders.filter((border) => border > from && border < to), to], depth);
    return groups.length === 0 ? nodes(start, end) : rowOf([start, ...groups, end], "chunk", nodes);
  }

  #row(bounds: readonly number[], depth: number): Frame {
    const row = rowOf(bounds, "chunk", (from, to) => this.of(from, to, depth + 1));
    // A comment announces the statement behind it.
    return { ...row, leadsIn: (unit) => COMMENT_LINE.test(this.#text.slice(bounds[unit]!, bounds[unit]! + 80)) };
  }

  /** Where nodes begin behind `start` and before `end`: at lines if any does, else within them. */
  #bordersIn(start: number, end: number): number[] {
    const index = this.#trees.findLastIndex((part) => part.start <= start && end <= part.end);
    const part = this.#trees[index];
    if (part === undefined) return [];
    const range = this.#text.slice(start, end);
    const first = start + range.length - range.trimStart().length;
    const last = start + range.trimEnd().length;
    let around = first < last ? part.tree.rootNode.descendantForIndex(first, last) : null;
    const lineStarts = new Set<number>();
    let within: readonly number[] = [];
    // A function is a signature and a body, and a body may be braces and a list: what matters lies deeper.
    for (let depth = 0; around !== null && depth < MAX_DEPTH; depth++) {
      const starts = between(this.#startsOfChildren(around, index), first, last);
      for (const at of starts) if (this.#beginsLine(at)) lineStarts.add(this.#startOfLine(at));
      lineStarts.delete(start);
      if (within.length === 0) within = starts;
      if (lineStarts.size >= FEW) break;
      around = largestChild(around, first, last);
    }
    return lineStarts.size > 0 ? [...lineStarts].sort((a, b) => a - b) : [...within];
  }

  /** Kept: many pieces may lie in one node, such as the file itself. */
  #startsOfChildren(node: Node, tree: number): readonly number[] {
    const key = `${tree}:${node.id}`;
    const known = this.#starts.get(key);
    if (known !== undefined) return known;
    const starts = node.children.map(({ startIndex }) => startIndex);
    this.#starts.set(key, starts);
    return starts;
  }

  #startOfLine(offset: number): number {
    return this.#lines.start(this.#lines.at(offset));
  }

  #beginsLine(offset: number): boolean {
    return this.#text.slice(this.#startOfLine(offset), offset).trim() === "";
  }

  #followsBlankLine(offset: number): boolean {
    const line = this.#lines.at(offset);
    return line > 0 && this.#text.slice(this.#lines.start(line - 1), this.#lines.start(line)).trim() === "";
  }
}

/** The child that holds most of the range; `null` when none holds more than half. */
function largestChild(node: Node, start: number, end: number): Node | null {
  // Such a child lies over the middle: no other has to be made an object of, which takes longer than to cut the range.
  const child = node.firstChildForIndex((start + end) >> 1);
  if (child === null) return null;
  const size = Math.min(child.endIndex, end) - Math.max(child.startIndex, start);
  return size > (end - start) / 2 ? child : null;
}

/** Those of ascending `values` that lie behind `low` and before `high`. */
function between(values: readonly number[], low: number, high: number): number[] {
  let from = 0;
  let to = values.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (values[middle]! <= low) from = middle + 1;
    else to = middle;
  }
  let end = from;
  while (end < values.length && values[end]! < high) end++;
  return values.slice(from, end);
}
