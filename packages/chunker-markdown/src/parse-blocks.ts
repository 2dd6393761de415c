import { Lines } from "@docsearch/text-split";
import type MarkdownIt from "markdown-it";
import type { Env } from "markdown-it";
import type { BlockTree } from "./block.js";
import { BlockBuilder } from "./block-builder.js";
import { addDialectRules } from "./dialect-rules.js";
import { addMdxRules } from "./mdx-rules.js";

export type Dialect = "markdown" | "mdx";

export interface ParseOptions {
  readonly dialect: Dialect;
  /** 0-based line at which the Markdown begins: the one behind front matter. */
  readonly firstLine: number;
}

/** The seam between chunking and the library that knows Markdown's block structure. */
export type ParseBlocks = (text: string, options: ParseOptions) => BlockTree;

/**
 * Block structure by markdown-it's block rules, with inline content left unread. `Parser` is the default export of
 * `markdown-it` or of `markdown-it/browser`, which is the same code in one file.
 */
export function markdownItBlocks(Parser: typeof MarkdownIt): ParseBlocks {
  const markdown = new Parser({ html: true });
  addDialectRules(markdown);
  const mdx = new Parser({ html: true });
  addDialectRules(mdx);
  addMdxRules(mdx);
  for (const parser of [markdown, mdx]) {
    // Definitions keep the target as it is written, whatever its scheme.
    parser.validateLink = () => true;
    parser.normalizeLink = (target) => target;
  }

  return (text, { dialect, firstLine }) => {
    const parser = dialect === "mdx" ? mdx : markdown;
    const env: Env & { footnotes?: Set<string> } = {};
    const builder = new BlockBuilder();
    const state = new parser.block.State(normalise(text), parser, env, []);
    builder.attach(state);
    parser.block.tokenize(state, firstLine, state.lineMax);
    const definitions = new Map(Object.entries(env.references ?? {}).map(([label, { href }]) => [label, href]));
    const footnotes = env.footnotes ?? new Set();
    return { lines: new Lines(text), blocks: builder.blocks, definitions, footnotes };
  };
}

/** Same lines as `text`; blocks carry line numbers, so the offsets in them may differ. */
function normalise(text: string): string {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return body.includes("\r") ? body.replace(/\r\n?/g, "\n") : body;
}
