import { type Budget, type Frame, rowOf, type Segmenters, type Size, TextFrames } from "@docsearch/text-split";
import type { Block, BlockKind, BlockTree } from "./block.js";
import { siblingUnits } from "./sibling-units.js";
import { closingLine } from "./wraps.js";

const MAX_LEAD_IN = 300;
/** How deep runs of blocks are looked for in one another. */
const MAX_RUN_DEPTH = 8;

/** Makes the frames of one document. */
export class Frames {
  readonly #text: string;
  readonly #tree: BlockTree;
  readonly #inner: TextFrames;

  constructor(text: string, tree: BlockTree, budget: Budget, segmenters: Segmenters) {
    this.#text = text;
    this.#tree = tree;
    this.#inner = new TextFrames(text, tree.lines, budget, segmenters);
  }

  /**
   * The range as the blocks at `indices`, which are siblings. Text between blocks belongs to the one before it; text
   * before them, such as an admonition's title, is a unit without blocks. `size`: of paragraphs that are joined.
   */
  ofBlocks(indices: readonly number[], start: number, end: number, size: Size): Frame {
    const runs = siblingUnits(this.#text, this.#tree, indices);
    const first = this.#tree.blocks[indices[0]!]!;
    const units = this.#tree.lines.start(first.startLine) > start ? [[], ...runs] : runs;
    return this.#ofUnits(units, start, end, size, 1);
  }

  /** Units are blocks, or runs of blocks that tags or directives hold together. */
  #ofUnits(units: readonly (readonly number[])[], start: number, end: number, size: Size, depth: number): Frame {
    const { blocks, lines } = this.#tree;
    const bounds = [start, ...units.slice(1).map((unit) => lines.start(blocks[unit[0]!]!.startLine)), end];
    const kindOf = (unit: number): BlockKind | undefined =>
      units[unit]!.length === 1 ? blocks[units[unit]![0]!]!.kind : undefined;
    return {
      bounds,
      size,
      sizeOf: (unit) => (kindOf(unit) === "paragraph" || kindOf(unit) === "heading" ? size : "chunk"),
      isAtomic: (unit) => kindOf(unit) === "fence" || kindOf(unit) === "indented",
      leadsIn: (unit) =>
        units[unit]!.length === 0 ||
        (kindOf(unit) === "paragraph" && this.#endsWithColon(bounds[unit]!, bounds[unit + 1]!)),
      split: (unit) => {
        const indices = units[unit]!;
        const [from, to] = [bounds[unit]!, bounds[unit + 1]!];
        if (indices.length === 0) return this.#inner.ofLines(from, to);
        if (indices.length === 1) return this.#ofBlock(indices[0]!, from, to);
        // Without its first and last block the run is no run any more, but runs inside it are.
        const inside = indices.slice(1, -1);
        const inner =
          depth < MAX_RUN_DEPTH ? siblingUnits(this.#text, this.#tree, inside) : inside.map((index) => [index]);
        return this.#ofUnits([[indices[0]!], ...inner, [indices.at(-1)!]], from, to, size, depth + 1);
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
        return this.#inner.ofLines(start, end);
      default: {
        const children = this.#children(index);
        if (children.length === 0) return this.#inner.ofSentences(start, end);
        return this.ofBlocks(children, start, end, "chunk");
      }
    }
  }

  #children(index: number): number[] {
    const { blocks } = this.#tree;
    const children: number[] = [];
    for (let child = index + 1; child < blocks[index]!.next; child = blocks[child]!.next) children.push(child);
    return children;
  }

  /** Fences stay with the line next to them. */
  #ofCode(block: Block, start: number, end: number): Frame {
    const fenced = block.kind === "fence";
    const close = fenced ? closingLine(this.#text, this.#tree.lines, block) : block.endLine;
    return this.#inner.ofCode(start, end, block.startLine + (fenced ? 2 : 1), close);
  }

  /** A table as its rows, the header with the first of them. */
  #ofTable(block: Block, start: number, end: number): Frame {
    const { lines } = this.#tree;
    const bounds = [start];
    for (let line = block.startLine + 3; line < block.endLine; line++) bounds.push(lines.start(line));
    bounds.push(end);
    return rowOf(bounds, "chunk", (from, to, unit) =>
      unit === 0 ? this.#inner.ofLines(from, to) : this.#ofCells(from, to),
    );
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
    return rowOf(bounds, "chunk", (from, to) => this.#inner.ofWords(from, to));
  }
}
