import type MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";

export interface HeadingText {
  /** Without markup, white space folded; empty when the heading has no text. */
  readonly text: string;
  /** Set by `{#id}` at the heading's end. */
  readonly id?: string;
}

export type ReadHeading = (source: string) => HeadingText;

/** A reader for one document: `definitions` are its link targets by normalised label. */
export type HeadingReader = (definitions: ReadonlyMap<string, string>) => ReadHeading;

const MARKUP = /[\\`*_~[\]<>&!{}\r\n\u00a0]| {2}/;
const CODE = /`[^`\r\n]+`/g;
const EXPLICIT_ID = /^\{:?\s*#([^\s{}]+)[^{}]*\}$/;
const MAX_ID_LENGTH = 200;

/** Plain text of headings by markdown-it's inline rules. `Parser` as in `markdownItBlocks`. */
export function markdownItHeadings(Parser: typeof MarkdownIt): HeadingReader {
  const parser = new Parser({ html: true });
  parser.validateLink = () => true;
  parser.normalizeLink = (target) => target;
  return (definitions) => {
    const references: Record<string, Reference> = {};
    for (const [label, href] of definitions) references[label] = { href, title: "" };
    return (source) => {
      if (!MARKUP.test(source)) return { text: source };
      // Most markup in the headings of documentation is code, which needs no parser.
      if (!MARKUP.test(source.replace(CODE, ""))) return { text: fold(source.replaceAll("`", "")) };
      const { body, id } = splitId(source);
      const tokens: Token[] = [];
      parser.inline.parse(body, parser, { references }, tokens);
      const text = fold(plainText(tokens, false)) || fold(plainText(tokens, true));
      return id === undefined ? { text } : { text, id };
    };
  };
}

type Reference = { readonly href: string; readonly title: string };

/** Takes `{#id}`, `{#id .class}` or `{: #id }` off the end. MDX needs the brace escaped: `\{#id}`. */
function splitId(source: string): { readonly body: string; readonly id?: string } {
  const brace = source.lastIndexOf("{");
  const end = source.length;
  if (brace < 0 || end - brace > MAX_ID_LENGTH) return { body: source };
  const id = EXPLICIT_ID.exec(source.slice(brace, end).trimEnd())?.[1];
  if (id === undefined) return { body: source };
  return { body: source.slice(0, source[brace - 1] === "\\" ? brace - 1 : brace).trimEnd(), id };
}

/** Images stand for their descriptions only in a heading that has nothing else. */
function plainText(tokens: readonly Token[], withImages: boolean): string {
  let text = "";
  for (const token of tokens) {
    if (token.type === "softbreak" || token.type === "hardbreak") text += " ";
    else if (token.type === "image") text += withImages ? token.content : "";
    else if (token.type === "html_inline")
      text += withImages ? (/\salt=(["'])(.*?)\1/.exec(token.content)?.[2] ?? "") : "";
    else text += token.content;
  }
  return text;
}

function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
