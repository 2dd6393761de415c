import type { Lines, Range } from "@docsearch/text-split";
import type { Definition } from "./definition.js";
import type { TreePart } from "./node-frames.js";

/** A part of a file and the language that it is written in. */
export interface LanguagePart extends Range {
  readonly language: string;
  /** Whether the text is prose or data, and no zone of code. */
  readonly isText: boolean;
  readonly hasSymbols: boolean;
}

/** What is known of a file before it is cut. */
export interface CodeFile {
  readonly text: string;
  readonly lines: Lines;
  readonly definitions: readonly Definition[];
  /** Comments and docstrings, in order. */
  readonly prose: readonly Range[];
  /** The file as a whole first, then what is embedded in it. */
  readonly parts: readonly LanguagePart[];
  /** Live until the file is cut. */
  readonly trees: readonly TreePart[];
}
