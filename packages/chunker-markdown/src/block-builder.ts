import type { StateBlock, Token } from "markdown-it";
import type { Block, BlockKind } from "./block.js";

const KINDS: Readonly<Record<string, BlockKind>> = {
  heading_open: "heading",
  paragraph_open: "paragraph",
  fence: "fence",
  code_block: "indented",
  table_open: "table",
  bullet_list_open: "list",
  ordered_list_open: "list",
  list_item_open: "item",
  blockquote_open: "quote",
  html_block: "html",
  hr: "rule",
  reference_definition: "definition",
  footnote_open: "footnote",
  directive: "directive",
  admonition_open: "admonition",
  tab_open: "tab",
  math_block: "math",
  esm: "esm",
  jsx: "jsx",
  expression: "expression",
  comment: "comment",
};

/** The properties that block rules assign to a token; those that no block needs are dropped. */
class BlockToken implements Block {
  readonly kind: BlockKind;
  readonly depth: number;
  readonly level: number;
  startLine = 0;
  endLine = 0;
  next = 0;
  text = "";

  constructor(kind: BlockKind, depth: number, level: number) {
    this.kind = kind;
    this.depth = depth;
    this.level = level;
  }

  set map(lines: readonly [number, number]) {
    this.startLine = lines[0];
    this.endLine = lines[1];
  }

  set markup(markup: string) {
    if (this.kind === "fence") this.text = markup + this.text;
  }

  set info(info: string) {
    if (this.kind === "fence") this.text += info;
  }

  set content(_: string) {}
  set attrs(_: unknown) {}
  set children(_: unknown) {}
  set hidden(_: boolean) {}
  set meta(_: unknown) {}
}

const CLOSES: ReadonlySet<string> = new Set(
  Object.keys(KINDS)
    .filter((type) => type.endsWith("_open"))
    .map((type) => type.replace("_open", "_close")),
);

/** Stands in for a token that becomes no block: a part of a table, inline content, an end. */
interface Discarded {
  content: string;
  map: readonly [number, number];
}

/**
 * Collects blocks in place of markdown-it's tokens. A token takes some 300 bytes and a list item makes five of
 * them; on a long list or table that is a hundred times the text.
 */
export class BlockBuilder {
  readonly blocks: BlockToken[] = [];
  readonly #open: BlockToken[] = [];
  readonly #row: Discarded = { content: "", map: [0, 0] };
  readonly #inline: Discarded = { content: "", map: [0, 0] };

  /** Takes the place of `state.push`. */
  attach(state: StateBlock): void {
    state.push = (type, tag, nesting) => {
      if (nesting < 0) state.level--;
      const token = this.#push(state, type, tag, nesting);
      if (nesting > 0) state.level++;
      return token as Token;
    };
  }

  #push(state: StateBlock, type: string, tag: string, nesting: number): unknown {
    const kind = KINDS[type];
    if (kind !== undefined) {
      const level = kind === "heading" ? Number(tag.slice(1)) : 0;
      const block = new BlockToken(kind, this.#open.length, level);
      block.next = this.blocks.push(block);
      if (nesting > 0) this.#open.push(block);
      return block;
    }
    if (CLOSES.has(type)) this.#close(state);
    // The table rule sets its line range after its last push; here the range grows with each row.
    if (type === "tr_close") this.#open.at(-1)!.endLine = this.#row.map[1];
    return type === "tr_open" ? this.#row : this.#inline;
  }

  #close(state: StateBlock): void {
    const block = this.#open.pop()!;
    block.next = this.blocks.length;
    if (block.kind === "heading") block.text = this.#inline.content;
    else if (block.kind === "table") block.endLine = Math.max(block.endLine, block.startLine + 2);
    else if (block.kind !== "paragraph") block.endLine = state.line;
  }
}
