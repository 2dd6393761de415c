import type { Block, BlockKind, BlockTree } from "./block.js";
import type { Budget } from "./budget.js";
import type { Segmenters } from "./segmenters.js";
import { siblingUnits } from "./sibling-units.js";
import { closingLine } from "./wraps.js";

/**
 * A range of the document as a row of units, at whose borders it is best cut. Frames are made only where a unit has
 * to be cut, down to the level at which every unit fits.
 */
export interface Frame {
  /** Unit `i` reaches from `bounds[i]` to `bounds[i + 1]`. */
  readonly bounds: readonly number[];
  /** Whether the unit is not cut if it fits a chunk of its own, even if that leaves its heading alone. */
  isAtomic(unit: number): boolean;
  /** Whether the unit announces the next one: a short paragraph that ends with a colon. */
  leadsIn(unit: number): boolean;
  /** The unit as a row of smaller ones; `undefined` at the last level. */
  split(unit: number): Frame | undefined;
}

const MAX_LEAD_IN = 300;
/** How deep runs of blocks are looked for in one another. */
const MAX_RUN_DEPTH = 8;

/** Makes the frames of one document. */
export class Frames {
  readonly #text: string;
  readonly #tree: BlockTree;
  readonly #budget: Budget;
  readonly #segmenters: Segmenters;

  constructor(text: string, tree: BlockTree, budget: Budget, segmenters: Segmenters) {
    this.#text = text;
    this.#tree = tree;
    this.#budget = budget;
    this.#segmenters = segmenters;
  }

  /**
   * The range as the blocks at `indices`, which are siblings. Text between blocks belongs to the one before it; text
   * before them, such as an admonition's title, is a unit without blocks.
   */
  ofBlocks(indices: readonly number[], start: number, end: number): Frame {
    const runs = siblingUnits(this.#text, this.#tree, indices);
    const first = this.#tree.blocks[indices[0]!]!;
    const units = this.#tree.lines.start(first.startLine) > start ? [[], ...runs] : runs;
    return this.#ofUnits(units, start, end, 1);
  }

  /** Units are blocks, or runs of blocks that tags or directives hold together. */
  #ofUnits(units: readonly (readonly number[])[], start: number, end: number, depth: number): Frame {
    const { blocks, lines } = this.#tree;
    const bounds = [start, ...units.slice(1).map((unit) => lines.start(blocks[unit[0]!]!.startLine)), end];
    const kindOf = (unit: number): BlockKind | undefined =>
      units[unit]!.length === 1 ? blocks[units[unit]![0]!]!.kind : undefined;
    return {
      bounds,
      isAtomic: (unit) => kindOf(unit) === "fence" || kindOf(unit) === "indented",
      leadsIn: (unit) =>
        units[unit]!.length === 0 ||
        (kindOf(unit) === "paragraph" && this.#endsWithColon(bounds[unit]!, bounds[unit + 1]!)),
      split: (unit) => {
        const indices = units[unit]!;
        const [from, to] = [bounds[unit]!, bounds[unit + 1]!];
        if (indices.length === 0) return this.#ofLines(from, to);
        if (indices.length === 1) return this.#ofBlock(indices[0]!, from, to);
        // Without its first and last block the run is no run any more, but runs inside it are.
        const inside = indices.slice(1, -1);
        const inner =
          depth < MAX_RUN_DEPTH ? siblingUnits(this.#text, this.#tree, inside) : inside.map((index) => [index]);
        return this.#ofUnits([[indices[0]!], ...inner, [indices.at(-1)!]], from, to, depth + 1);
      },
    };
  }

  #endsWithColon(start: number, end: number): boolean {
    return end - start <= MAX_LEAD_IN && /[:：]\s*$/.test(this.#text.slice(start, end));
  }

  #ofBlock(index: number, start: number, end: number): Frame {
    const block = this.#tree.blocks[index]!;
    switch (block.kind) {
      case "fence":
      case "indented":
        return this.#ofCode(block, start, end);
      case "table":
        return this.#ofTable(block, start, end);
      case "html":
      case "esm":
      case "jsx":
      case "expression":
      case "math":
        return this.#ofLines(start, end);
      default: {
        const children = this.#children(index);
        return children.length > 0 ? this.ofBlocks(children, start, end) : this.#ofSentences(start, end);
      }
    }
  }

  #children(index: number): number[] {
    const { blocks } = this.#tree;
    const children: number[] = [];
    for (let child = index + 1; child < blocks[index]!.next; child = blocks[child]!.next) children.push(child);
    return children;
  }

  /** Code as groups of lines between blank lines. Fences stay with the line next to them. */
  #ofCode(block: Block, start: number, end: number): Frame {
    const fenced = block.kind === "fence";
    const close = fenced ? closingLine(this.#text, this.#tree.lines, block) : block.endLine;
    const groups: number[] = [];
    const rows: number[] = [];
    for (let line = block.startLine + (fenced ? 2 : 1); line < close; line++) {
      const offset = this.#tree.lines.start(line);
      rows.push(offset);
      if (!this.#isBlank(line) && this.#isBlank(line - 1)) groups.push(offset);
    }
    const bounds = [start, ...groups, end];
    return row(bounds, (unit) => {
      const [from, to] = [bounds[unit]!, bounds[unit + 1]!];
      const inner = rows.slice(upperBound(rows, from), upperBound(rows, to - 1));
      return row([from, ...inner, to], (at, lines) => this.#ofWords(lines[at]!, lines[at + 1]!));
    });
  }

  #isBlank(line: number): boolean {
    return this.#text.slice(this.#tree.lines.start(line), this.#tree.lines.start(line + 1)).trim() === "";
  }

  /** A table as its rows, the header with the first of them. */
  #ofTable(block: Block, start: number, end: number): Frame {
    const { lines } = this.#tree;
    const bounds = [start];
    for (let line = block.startLine + 3; line < block.endLine; line++) bounds.push(lines.start(line));
    bounds.push(end);
    return row(bounds, (unit) => {
      const [from, to] = [bounds[unit]!, bounds[unit + 1]!];
      return unit === 0 ? this.#ofLines(from, to) : this.#ofCells(from, to);
    });
  }

  /** A row as its cells, each with the mark behind it. */
  #ofCells(start: number, end: number): Frame {
    const bounds = [start];
    const text = this.#text.slice(start, end).trimEnd();
    for (let mark = text.indexOf("|", 1); mark >= 0; mark = text.indexOf("|", mark + 1)) {
      // The last mark ends the row; one behind a backslash is text; one before a combining mark is no border.
      const border = mark + 1;
      if (text[mark - 1] !== "\\" && text.charCodeAt(border) < 0x300) bounds.push(start + border);
    }
    bounds.push(end);
    return row(bounds, (unit) => this.#ofWords(bounds[unit]!, bounds[unit + 1]!));
  }

  #ofLines(start: number, end: number): Frame {
    const { lines } = this.#tree;
    const bounds = [start];
    for (let line = lines.at(start) + 1; lines.start(line) < end; line++) bounds.push(lines.start(line));
    bounds.push(end);
    return row(bounds, (unit) => this.#ofWords(bounds[unit]!, bounds[unit + 1]!));
  }

  #ofSentences(start: number, end: number): Frame {
    const starts = this.#segmenters.sentenceStarts(this.#text.slice(start, end));
    const bounds = [...starts.map((offset) => start + offset), end];
    return row(bounds, (unit) => this.#ofWords(bounds[unit]!, bounds[unit + 1]!));
  }

  #ofWords(start: number, end: number): Frame {
    const starts = this.#segmenters.wordStarts(this.#text.slice(start, end));
    const bounds = [...starts.map((offset) => start + offset), end];
    return row(bounds, (unit) => this.#ofCuts(bounds[unit]!, bounds[unit + 1]!));
  }

  /** The last resort: as much as fits, as often as it takes. */
  #ofCuts(start: number, end: number): Frame {
    const bounds = [start];
    for (let from = start; from < end; ) {
      from = this.#budget.fits(from, end) ? end : this.#segmenters.cut(this.#text, from, this.#reach(from, end));
      bounds.push(Math.min(from, end));
    }
    return row(bounds, () => undefined);
  }

  /** The largest offset up to which the text from `start` fits, at least `start`. */
  #reach(start: number, end: number): number {
    let step = 1;
    let low = start;
    while (low + step < end && this.#budget.fits(start, low + step)) {
      low += step;
      step *= 2;
    }
    let high = Math.min(low + step, end) - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#budget.fits(start, middle)) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function row(bounds: readonly number[], split: (unit: number, bounds: readonly number[]) => Frame | undefined): Frame {
  return { bounds, isAtomic: () => true, leadsIn: () => false, split: (unit) => split(unit, bounds) };
}

/** Number of `values`, which ascend, that are at most `limit`. */
function upperBound(values: readonly number[], limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
