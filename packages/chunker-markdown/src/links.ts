import type { Link } from "@docsearch/spec";
import type { Range } from "@docsearch/text-split";
import type { Block, BlockTree } from "./block.js";
import type { Hidden } from "./hidden.js";

const LINKLESS: ReadonlySet<Block["kind"]> = new Set(["fence", "indented", "esm", "comment", "definition", "math"]);
const MAY_LINK = /[[<]|https?:\/\/|www\./;
const SPECIAL = /[\\`[\]<]|https?:\/\/|www\./g;
/** In a table the mark between target and text is escaped. */
const WIKI = /\[\[([^[\]|\\\n]{1,500})(?:\\?\|([^[\]\n]{1,500}))?\]\](?![([])/y;
/** Marks the place of a table of contents. */
const CONTENTS = /^_?toc_?$/i;
const AUTOLINK = /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,255})>/y;
const TAG = /<\/?[A-Za-z][^<>]*>/y;
const HREF = /\s(?:href|to)=(?:"([^"]*)"|'([^']*)')/;
const BARE = /(?:https?:\/\/|www\.)[^\s<>]{1,2000}/y;
const TARGET = /^\s*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\\S|\((?:[^\s()\\]|\\\S)*\))*))/;
const TITLE = /^(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*\)/s;
const REFERENCE = /\[([^[\]]{0,999})\]/y;
/** Longest text and longest target of a link. Bound the time on hostile input. */
const MAX_TEXT = 1000;
const MAX_TARGET = 2000;
/** A run of backticks of this length or more opens no code span. */
const MAX_TICKS = 32;

interface Found {
  readonly at: number;
  readonly target: string;
  readonly text: string;
}

interface Target {
  readonly target: string;
  /** Offset behind the link. */
  readonly end: number;
}

/** A link and the offset of its first character. */
export interface LinkAt extends Range {
  readonly link: Link;
}

/**
 * The links of a document, in order: inline links, references that are defined, wiki links, autolinks, bare
 * addresses, and `href` attributes. Images are no links; nothing is a link in code, in a definition, or in what is
 * hidden, such as a row of badges.
 */
export function findLinks(text: string, tree: BlockTree, hidden: Hidden): LinkAt[] {
  const { lines, blocks, definitions } = tree;
  const finder = new LinkFinder(definitions, 8 * text.length + MAX_TARGET);
  const links: LinkAt[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.next > index + 1 || LINKLESS.has(block.kind) || hidden.blocks.has(index)) continue;
    const offset = lines.start(block.startLine);
    const source = text.slice(offset, lines.start(block.endLine));
    if (!MAY_LINK.test(source)) continue;
    for (const { at, target, text: own } of finder.find(source)) {
      const start = offset + at;
      if (target !== "") links.push({ start, end: start + 1, link: { target, text: own, line: lines.at(start) + 1 } });
    }
  }
  return links;
}

class LinkFinder {
  readonly #definitions: ReadonlyMap<string, string>;
  /** Characters that targets may still take; nested parentheses could be read over and over. */
  #budget: number;

  constructor(definitions: ReadonlyMap<string, string>, budget: number) {
    this.#definitions = definitions;
    this.#budget = budget;
  }

  /** Links in the text of one block. */
  find(text: string): Found[] {
    const links: Found[] = [];
    const open: number[] = [];
    /** So many of the open brackets have a link inside, so they make none themselves. */
    let dead = 0;
    let at = 0;
    for (;;) {
      SPECIAL.lastIndex = at;
      const special = SPECIAL.exec(text);
      if (special === null) return links;
      at = special.index;
      switch (special[0]) {
        case "\\":
          at += 2;
          break;
        case "`":
          at = endOfCode(text, at);
          break;
        case "[": {
          const wiki = matchAt(WIKI, text, at);
          if (wiki === undefined || this.#definitions.has(normaliseLabel(wiki[1]!))) open.push(at++);
          else {
            const target = wiki[1]!.trim();
            if (!CONTENTS.test(target)) links.push({ at, target, text: (wiki[2] ?? target).trim() });
            at += wiki[0].length;
          }
          break;
        }
        case "]": {
          const opener = open.pop();
          const isImage = opener !== undefined && text[opener - 1] === "!";
          const isDead = open.length < dead && !isImage;
          dead = Math.min(dead, open.length);
          const link = opener === undefined || isDead ? undefined : this.#closeBracket(text, opener, at);
          if (link !== undefined) {
            // An address inside a link is part of it; a description has no links.
            while (links.length > 0 && links.at(-1)!.at > opener!) links.pop();
          }
          if (link !== undefined && !isImage) {
            links.push({ at: opener!, target: link.target, text: plain(text.slice(opener! + 1, at)) });
            dead = open.length;
          }
          at = link?.end ?? at + 1;
          break;
        }
        case "<": {
          const found = atAngle(text, at);
          if (found?.target !== undefined) links.push({ at, target: found.target, text: found.text });
          at = found?.end ?? at + 1;
          break;
        }
        default: {
          const bare = /[\w/.]/.test(text[at - 1] ?? "") ? undefined : matchAt(BARE, text, at)?.[0];
          // In the text of a link an address ends with that text.
          const address = withoutPunctuation((open.length > 0 ? bare?.split("]", 1)[0] : bare) ?? "");
          if (address.length > special[0].length) links.push({ at, target: address, text: address });
          at += Math.max(special[0].length, address.length);
        }
      }
    }
  }

  /** What the brackets from `opener` to `closer` link to. */
  #closeBracket(text: string, opener: number, closer: number): Target | undefined {
    if (closer - opener > MAX_TEXT) return undefined;
    if (text[closer + 1] === "(") {
      const inline = this.#inlineTarget(text, closer + 1);
      if (inline !== undefined) return inline;
    }
    if (this.#definitions.size === 0) return undefined;
    const reference = matchAt(REFERENCE, text, closer + 1);
    const label = reference?.[1] || text.slice(opener + 1, closer);
    const target = this.#definitions.get(normaliseLabel(label));
    return target === undefined ? undefined : { target, end: closer + 1 + (reference?.[0].length ?? 0) };
  }

  /** The target in the parentheses that open at `at`: `(<a b> "title")`, `(a(b)c)`. */
  #inlineTarget(text: string, at: number): Target | undefined {
    const source = text.slice(at + 1, at + MAX_TARGET);
    if (this.#budget < source.length) return undefined;
    const form = TARGET.exec(source)!;
    const rest = TITLE.exec(source.slice(form[0].length));
    this.#budget -= rest === null ? source.length : form[0].length;
    if (rest === null) return undefined;
    return { target: withoutEscapes(form[1] ?? form[2]!), end: at + 1 + form[0].length + rest[0].length };
  }
}

/** An autolink or a tag; a tag has a target when it is a link. */
function atAngle(text: string, at: number): { target?: string; text: string; end: number } | undefined {
  const address = matchAt(AUTOLINK, text, at);
  if (address !== undefined) return { target: address[1]!, text: address[1]!, end: at + address[0].length };
  const tag = matchAt(TAG, text, at);
  if (tag === undefined) return undefined;
  const end = at + tag[0].length;
  const href = HREF.exec(tag[0]);
  if (href === null) return { text: "", end };
  const content = /^.*?(?=<\/)/s.exec(text.slice(end, end + MAX_TEXT))?.[0] ?? "";
  return { target: href[1] ?? href[2]!, text: plain(content), end };
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | undefined {
  form.lastIndex = at;
  return form.exec(text) ?? undefined;
}

/** Behind the code span that opens at `at`, or behind the backticks when nothing closes it. */
export function endOfCode(text: string, at: number): number {
  let behind = at;
  while (text[behind] === "`") behind++;
  const ticks = text.slice(at, behind);
  if (ticks.length >= MAX_TICKS) return behind;
  for (let close = text.indexOf(ticks, behind); close >= 0; ) {
    let next = close;
    while (text[next] === "`") next++;
    if (next - close === ticks.length) return next;
    close = text.indexOf(ticks, next);
  }
  return behind;
}

function withoutEscapes(target: string): string {
  return target.includes("\\") ? target.replace(/\\([!-/:-@[-`{-~])/g, "$1") : target;
}

/** GFM: an address does not end with punctuation, nor with a parenthesis that it did not open. */
function withoutPunctuation(address: string): string {
  let unopened = address.split(")").length - address.split("(").length;
  let end = address.length;
  for (;;) {
    const last = address[end - 1];
    if (last === ")" && unopened > 0) unopened--;
    else if (last === undefined || !"?!.,:;*_~'\"`|]}".includes(last)) return address.slice(0, end);
    end--;
  }
}

/** As markdown-it does it. */
function normaliseLabel(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase().toUpperCase();
}

/** A link's text without markup. */
function plain(text: string): string {
  return text
    .replace(/!\[([^\]]*)\](?:\([^()]*\)|\[[^\]]*\])?/g, "$1")
    .replace(/<[^<>]*>|[`*]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
