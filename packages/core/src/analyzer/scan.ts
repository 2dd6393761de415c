import { isIgnorable } from "./fold.js";

/** A token this long ends at its next connector, so that `a.b.c` without end is many tokens. In UTF-16 units. */
const MAX_CONNECTED_LENGTH = 256;

const UNRESOLVED = 0;
const OTHER = 1;
const WORD = 2;
const CONNECTOR = 3;
const IGNORED = 4;

const CONNECTORS = "-.'\u2019\u2010\u2011";
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}_]/u;

/** Kind of each UTF-16 unit, filled in as units are met; surrogates stay unresolved. */
const kinds = new Uint8Array(0x10000);

/**
 * Finds the tokens of a text, in linear time: runs of letters, digits, marks and `_`, connected by single hyphens,
 * full stops or apostrophes, and with a closing `++` or `#`. The same language as
 * `[\p{L}\p{N}\p{M}_]+(?:[-.'’‐‑][\p{L}\p{N}\p{M}_]+)*(?:\+\+|#(?![\p{L}\p{N}\p{M}_]))?`, apart from the
 * length limit and from soft hyphens and joiners, which do not end a run.
 */
export class TokenScanner {
  /** Offset of the current token. */
  start = 0;
  /** Offset behind it. */
  end = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Moves to the next token; false at the end of the text. */
  next(): boolean {
    const text = this.#text;
    let at = this.end;
    while (at < text.length && kindAt(text, at) !== WORD) at++;
    if (at === text.length) return false;
    const start = at;
    // Behind the last letter; a connector behind it counts once a letter follows.
    let end = at;
    for (; at < text.length; at++) {
      const kind = kindAt(text, at);
      if (kind === WORD || (kind === IGNORED && at === end)) end = at + 1;
      else if (kind !== CONNECTOR || at !== end || at - start >= MAX_CONNECTED_LENGTH) break;
    }
    this.start = start;
    this.end = end + signLength(text, end);
    return true;
  }
}

/** Length of a `++` or `#` that closes a token. */
function signLength(text: string, at: number): number {
  if (text.startsWith("++", at)) return 2;
  const isClosing = text[at] === "#" && (at + 1 === text.length || kindAt(text, at + 1) !== WORD);
  return isClosing ? 1 : 0;
}

function kindAt(text: string, at: number): number {
  const kind = kinds[text.charCodeAt(at)]!;
  return kind === UNRESOLVED ? resolveKind(text, at) : kind;
}

/** Both halves of a surrogate pair are of the kind of their character; alone they are `OTHER`. */
function resolveKind(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit > 0xdfff) {
    kinds[unit] = classify(text[at]!);
    return kinds[unit]!;
  }
  const isSecondHalf = unit >= 0xdc00 && at > 0 && text.codePointAt(at - 1)! > 0xffff;
  return classify(String.fromCodePoint(text.codePointAt(isSecondHalf ? at - 1 : at)!));
}

function classify(character: string): number {
  if (CONNECTORS.includes(character)) return CONNECTOR;
  if (isIgnorable(character)) return IGNORED;
  return WORD_CHARACTER.test(character) ? WORD : OTHER;
}
