import type { Lines } from "@docsearch/text-split";

export type BlockKind =
  | "heading"
  | "paragraph"
  /** Fenced code. `text` is the opening mark with its info string. */
  | "fence"
  /** Code indented by four columns. */
  | "indented"
  | "table"
  | "list"
  | "item"
  | "quote"
  | "html"
  | "rule"
  /** Link definition: `[label]: target`. */
  | "definition"
  | "footnote"
  /** A line of colons that opens or closes a container; see `opens`. */
  | "directive"
  /** MkDocs `!!!` and `???` blocks. */
  | "admonition"
  /** MkDocs `===` blocks. */
  | "tab"
  | "math"
  /** MDX: import and export statements. */
  | "esm"
  /** MDX: lines that hold tags only. */
  | "jsx"
  /** MDX: an expression in braces. */
  | "expression"
  /** MDX: an expression that holds a comment only. */
  | "comment";

/**
 * One block of a document. A document's blocks form a list in pre-order: the descendants of `blocks[i]` are the
 * blocks behind it up to `blocks[blocks[i].next]`, exclusive.
 */
export interface Block {
  readonly kind: BlockKind;
  /** 0 at the root. Tags and directives do not nest: what they enclose stands beside them. */
  readonly depth: number;
  /** 0-based. */
  readonly startLine: number;
  /** 0-based, exclusive. */
  readonly endLine: number;
  /** Index of the first block behind this one's descendants. */
  readonly next: number;
  /** 1 to 6 for headings, else 0. */
  readonly level: number;
  /** Headings: inline source. Fences: opening mark and info string. Else empty. */
  readonly text: string;
}

/** What a block engine makes of a text. */
export interface BlockTree {
  readonly lines: Lines;
  readonly blocks: readonly Block[];
  /** Targets of link definitions by normalised label. */
  readonly definitions: ReadonlyMap<string, string>;
  /** Labels of footnotes, in lower case. */
  readonly footnotes: ReadonlySet<string>;
}
