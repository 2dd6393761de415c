/**
 * - `paragraph`: running text, cut at sentences
 * - `rows`: lines that stand for themselves, such as a table, verse, quoted mail
 * - `list`: items, see `items`
 * - `code`: indented lines that are not running text
 * - `heading`: what was taken for a heading for sure; weaker candidates are paragraphs of one line
 */
export type TextBlockKind = "paragraph" | "rows" | "list" | "code" | "heading";

/** Lines of a plain text that belong together. Lines are counted from 0. */
export interface TextBlock {
  readonly kind: TextBlockKind;
  readonly startLine: number;
  /** Exclusive. */
  readonly endLine: number;
  /** First lines of the items of a list. */
  readonly items?: readonly number[];
  readonly heading?: TextHeading;
}

/** A heading that was inferred from the layout. */
export interface TextHeading {
  /** Text without marks, white space folded. */
  readonly text: string;
  /** Line that names it. */
  readonly line: number;
  /** What it looks like. Headings of one style and depth are of one level. */
  readonly style: HeadingStyle;
  /** Place within its style, from 1. */
  readonly depth: number;
  /** Of an underlined heading: what its rule is made of. Each kind of rule is a level. */
  readonly rule?: string;
}

export type HeadingStyle =
  /** The line at the top that names the text. */
  | "title"
  /** Subject of a message. */
  | "subject"
  /** `== Heading ==` */
  | "wiki"
  /** A line above a rule of one repeated mark. */
  | "underlined"
  /** Head of a release in a changelog. */
  | "release"
  /** Part, book, volume, act. */
  | "part"
  /** Chapter, article, appendix, scene. */
  | "chapter"
  /** `IV. Heading` */
  | "roman"
  /** `2.1 Heading` */
  | "numbered"
  /** Left of a text that is indented. */
  | "outdented"
  | "capitals";
