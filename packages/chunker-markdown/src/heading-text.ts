import type MarkdownIt from "markdown-it";
import type { MarkdownIt as Parser, StateInline, Token } from "markdown-it";
import type { BlockTree } from "./block.js";

export interface HeadingText {
  /** Without markup, white space folded; empty when the heading has no text. */
  readonly text: string;
  /** Set by attributes at the heading's end, such as `{#id}`. */
  readonly id?: string;
}

export type ReadHeading = (source: string) => HeadingText;

/** A reader of the headings of one document. */
export type HeadingReader = (tree: Pick<BlockTree, "definitions" | "footnotes">) => ReadHeading;

const MARKUP = /[\\`*_~[\]<>&!{}]|[^\S ]| {2}/;
const CODE = /`[^`\r\n]+`/g;
/** `{#id}`, `{#id .class}`, `{: #id }`. */
const EXPLICIT_ID = /^\{:?\s*#([^\s{}]+)[^{}]*\}$/;
/** `{.class #id}`, `{.class key="value"}`, `{-}`. */
const ATTRIBUTES = /^\{:?(?:\s*(?:-|[.#][\w:.-]+|[\w:-]+=(?:"[^"{}]*"|'[^'{}]*'|[^\s"'{}]+))(?=[\s}]))+\s*\}$/;
const ID_AMONG_ATTRIBUTES = /\s#([^\s{}"']+)/;
/** Docusaurus' form that is valid MDX. */
const ID_IN_COMMENT = /^\{\s*\/\*\s*#(\S+)\s*\*\/\s*\}$/;
const MAX_ATTRIBUTES_LENGTH = 200;
/** The last group is what is shown. Repetitions are bounded, so that a heading of openers takes linear time. */
const WIKI = /\[\[(?:[^[\]|\n]{1,500}\|)?([^[\]|\n]{1,500})\]\](?![([])/y;
const FOOTNOTE_MARK = /\[\^([^[\]\s]{1,100})\](?!\()/y;
const LINE_BREAK = /^<br\s*\/?>$/i;
const MDX_COMMENT = /\{\s{0,10}\/\*[^*]{0,1000}\*\/\s{0,10}\}/y;

/** Plain text of headings by markdown-it's inline rules. `Parser` as in `markdownItBlocks`. */
export function markdownItHeadings(Parser: typeof MarkdownIt): HeadingReader {
  const parser = new Parser({ html: true });
  parser.validateLink = () => true;
  parser.normalizeLink = (target) => target;
  addInlineRules(parser);
  return ({ definitions, footnotes }) => {
    const references: Record<string, Reference> = {};
    for (const [label, href] of definitions) references[label] = { href, title: "" };
    return (source) => {
      if (!MARKUP.test(source)) return { text: source };
      // Most markup in the headings of documentation is code, which needs no parser.
      if (!MARKUP.test(source.replace(CODE, ""))) return { text: fold(source.replaceAll("`", "")) };
      const { body, id } = splitAttributes(source);
      const tokens: Token[] = [];
      parser.inline.parse(body, parser, { references, footnotes }, tokens);
      const text = fold(plainText(tokens, false)) || fold(plainText(tokens, true));
      return id === undefined ? { text } : { text, id };
    };
  };
}

type Reference = { readonly href: string; readonly title: string };

/** What inline Markdown has beside CommonMark and has to be read for the text of a heading. */
function addInlineRules(parser: Parser): void {
  const rule = (form: RegExp, apply: (state: StateInline, match: RegExpExecArray, silent: boolean) => boolean) => {
    return (state: StateInline, silent: boolean): boolean => {
      form.lastIndex = state.pos;
      const match = form.exec(state.src);
      if (match === null || !apply(state, match, silent)) return false;
      state.pos += match[0].length;
      return true;
    };
  };
  const wiki = rule(WIKI, (state, [, shown], silent) => {
    if (!silent) state.push("text", "", 0).content = shown!;
    return true;
  });
  const footnoteMark = rule(FOOTNOTE_MARK, ({ env }, [, label]) => {
    return (env as { footnotes: ReadonlySet<string> }).footnotes.has(label!.toLowerCase());
  });
  parser.inline.ruler.before("link", "wiki", wiki);
  parser.inline.ruler.before("link", "footnote_mark", footnoteMark);
  parser.inline.ruler.before(
    "link",
    "mdx_comment",
    rule(MDX_COMMENT, () => true),
  );
}

/** Takes attributes off the end. MDX needs the brace escaped: `\\{#id}`. */
function splitAttributes(source: string): { readonly body: string; readonly id?: string } {
  const brace = source.lastIndexOf("{");
  if (brace < 0 || source.length - brace > MAX_ATTRIBUTES_LENGTH) return { body: source };
  const attributes = source.slice(brace).trimEnd();
  const body = source.slice(0, source[brace - 1] === "\\" ? brace - 1 : brace).trimEnd();
  const only = EXPLICIT_ID.exec(attributes) ?? ID_IN_COMMENT.exec(attributes);
  if (only !== null) return { body, id: only[1]! };
  if (!ATTRIBUTES.test(attributes)) return { body: source };
  const id = ID_AMONG_ATTRIBUTES.exec(attributes)?.[1];
  return id === undefined ? { body } : { body, id };
}

/** Images stand for their descriptions only in a heading that has nothing else. */
function plainText(tokens: readonly Token[], withImages: boolean): string {
  let text = "";
  for (const token of tokens) {
    if (token.type === "softbreak" || token.type === "hardbreak") text += " ";
    else if (token.type === "image") text += withImages ? token.content : "";
    else if (token.type === "html_inline") {
      if (LINE_BREAK.test(token.content)) text += " ";
      else if (withImages) text += /\salt=(["'])(.*?)\1/.exec(token.content)?.[2] ?? "";
    } else text += token.content;
  }
  return text;
}

function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
