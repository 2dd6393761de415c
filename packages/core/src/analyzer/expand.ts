import { fold, isAscii, unspacedLetters, unspacedRuns } from "./fold.js";

/**
 * How a term came from the text:
 * - `word`: a word, stemmed; a pair of neighbouring letters where a script writes no blanks
 * - `whole`: an identifier of several parts, as one, stemmed (`useeffect` of `useEffect`)
 * - `part`: one of its parts, stemmed (`use`, `effect`)
 * - `joined`: a hyphenated word as one, stemmed (`preprocess` of `pre-processing`)
 * - `dotted`: a dotted name as it stands (`node.js`, `3.11.2`)
 * - `exact`: a word as it stands, in lower case behind `=`
 */
export type TermClass = "word" | "whole" | "part" | "joined" | "dotted" | "exact";

/** One occurrence of a term. */
export interface Term {
  readonly term: string;
  readonly class: TermClass;
  /** UTF-16 offset of what the term stands for. */
  readonly start: number;
  readonly end: number;
}

/** A range of a token, and what is left of it without apostrophes. */
interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Longest term, in UTF-16 units; what is longer is cut there. Longer than any name people write, shorter than the
 * encoded data that files carry.
 */
export const MAX_TERM_LENGTH = 128;

const APOSTROPHE = /['\u2019]/;
const APOSTROPHES = /['\u2019]/g;
const POSSESSIVE = /['\u2019]s$/i;
const ELISION = /^(?:[ldjcmnst]|qu)['\u2019]/i;
const CONNECTORS = ".-\u2010\u2011";
const SIGN = /(?:\+\+|#)$/;
/** `C++`, `C#`, `F#`: where the sign belongs to the name. */
const SIGNED_NAME = /^[\p{L}\p{N}\p{M}_]{1,2}$/u;
/** What is one part to `IDENTIFIER_PART`, and most words are. */
const PLAIN_WORD = /^(?:[A-Za-z][a-z]*|[A-Z]+|\d+)$/;
const ACRONYM_PLURAL = /^[A-Z]{2,}s$/;
const IDENTIFIER_PART = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+/g;
/** The same beyond ASCII, where letters may have marks behind them and need have no case. */
const UNICODE_PART =
  /\p{Nd}[\p{Nd}\p{M}]*|(?:\p{Lu}\p{M}*)+(?=\p{Lu}\p{M}*\p{Ll})|(?:\p{Lu}\p{M}*)?[^\p{Lu}\p{Nd}\p{M}][^\p{Lu}\p{Nd}]*|(?:\p{Lu}\p{M}*)+|\p{M}+/gu;
const EXACT_FORM = /^[A-Za-z]{3,}$/;

/** The words of a token: what is between its connectors, and the token's sign if it belongs to the name. */
export interface TokenPieces {
  readonly pieces: readonly Piece[];
  /** `++`, `#` or empty. */
  readonly sign: string;
}

/** Cuts a token of `TokenScanner`. Drops the possessive `'s` and elided articles; other apostrophes are deleted. */
export function tokenPieces(token: string): TokenPieces {
  const hasApostrophe = APOSTROPHE.test(token);
  const body = hasApostrophe ? token.replace(POSSESSIVE, "") : token;
  const sign = SIGN.exec(body)?.[0] ?? "";
  const to = body.length - sign.length;
  const pieces: Piece[] = [];
  const addPiece = (start: number, end: number): void => {
    const text = body.slice(start, end);
    pieces.push({ text: hasApostrophe ? text.replace(APOSTROPHES, "") : text, start, end });
  };
  let start = hasApostrophe ? (ELISION.exec(body)?.[0].length ?? 0) : 0;
  for (let at = start; at < to; at++) {
    if (!CONNECTORS.includes(body[at]!)) continue;
    addPiece(start, at);
    start = at + 1;
  }
  addPiece(start, to);
  const belongsToName = sign !== "" && pieces.length === 1 && SIGNED_NAME.test(pieces[0]!.text);
  return { pieces, sign: belongsToName ? sign : "" };
}

/**
 * All terms of one token of `TokenScanner`; offsets count from the token's start.
 *
 * @param normalize folds and stems a word
 */
export function expandToken(token: string, normalize: (word: string) => string): readonly Term[] {
  const terms = new TermList(normalize);
  if (PLAIN_WORD.test(token)) {
    terms.addWord({ text: token, start: 0, end: token.length }, 0, token.length);
    return terms.all;
  }
  const { pieces, sign } = tokenPieces(token);
  const first = pieces[0]!;
  const last = pieces[pieces.length - 1]!;
  if (sign !== "") return [{ term: fold(first.text) + sign, class: "word", start: first.start, end: token.length }];

  if (pieces.length > 1 && last.end - first.start <= MAX_TERM_LENGTH) {
    const range = { text: "", start: first.start, end: last.end };
    const connectors = pieces.slice(0, -1).map(({ end }) => (token[end] === "." ? "." : "-"));
    if (connectors.includes(".")) {
      const name = pieces.map(({ text }, index) => fold(text) + (connectors[index] ?? "")).join("");
      terms.add(name, "dotted", range, 0, 0);
    } else {
      const name = pieces.map(({ text }) => text.replaceAll("_", "")).join("");
      terms.addStem(name, "joined", range, 0, 0);
    }
  }
  for (const piece of pieces) {
    let done = 0;
    for (const run of isAscii(piece.text) ? [] : unspacedRuns(piece.text)) {
      terms.addWord(piece, done, run.start);
      terms.addUnspaced(piece, run.start, run.end);
      done = run.end;
    }
    terms.addWord(piece, done, piece.text.length);
  }
  return terms.all;
}

class TermList {
  readonly all: Term[] = [];
  readonly #normalize: (word: string) => string;

  constructor(normalize: (word: string) => string) {
    this.#normalize = normalize;
  }

  /** `from` and `to` are offsets in `piece.text`. */
  add(term: string, termClass: TermClass, piece: Piece, from: number, to: number): void {
    if (term === "") return;
    // Where apostrophes were deleted, offsets inside the piece are lost and its terms stand for all of it.
    const isExact = piece.text.length === piece.end - piece.start;
    const start = isExact ? piece.start + from : piece.start;
    this.all.push({ term: cutTerm(term), class: termClass, start, end: isExact ? piece.start + to : piece.end });
  }

  addStem(word: string, termClass: TermClass, piece: Piece, from: number, to: number): void {
    this.add(this.#normalize(word), termClass, piece, from, to);
  }

  /** A word or an identifier: whatever is not written without blanks. */
  addWord(piece: Piece, from: number, to: number): void {
    let start = from;
    let end = to;
    while (start < end && piece.text[start] === "_") start++;
    while (end > start && piece.text[end - 1] === "_") end--;
    if (start === end) return;
    const word = piece.text.slice(start, end);
    if (word.length > MAX_TERM_LENGTH) {
      this.addStem(cutTerm(word), "word", piece, start, end);
      return;
    }
    const parts = PLAIN_WORD.test(word) || ACRONYM_PLURAL.test(word) ? [] : identifierParts(word);
    if (parts.length <= 1) {
      this.addStem(word, "word", piece, start, end);
      if (EXACT_FORM.test(word)) this.add(`=${word.toLowerCase()}`, "exact", piece, start, end);
      return;
    }
    this.addStem(word.replaceAll("_", ""), "whole", piece, start, end);
    for (const part of parts) {
      this.addStem(word.slice(part.start, part.end), "part", piece, start + part.start, start + part.end);
    }
  }

  /** Pairs of neighbouring letters; a single letter as it is. */
  addUnspaced(piece: Piece, from: number, to: number): void {
    const run = piece.text.slice(from, to);
    const folded = fold(run);
    const letters = unspacedLetters(folded);
    let at = 0;
    for (let i = 0; i < Math.max(1, letters.length - 1); i++) {
      const pair = (letters[i] ?? "") + (letters[i + 1] ?? "");
      if (folded.length === run.length) this.add(pair, "word", piece, from + at, from + at + pair.length);
      else this.add(pair, "word", piece, from, to);
      at += letters[i]?.length ?? 0;
    }
  }
}

/** The first `MAX_TERM_LENGTH` units, not half of a surrogate pair. */
export function cutTerm(text: string): string {
  if (text.length <= MAX_TERM_LENGTH) return text;
  const isPairCut = text.codePointAt(MAX_TERM_LENGTH - 1)! > 0xffff;
  return text.slice(0, isPairCut ? MAX_TERM_LENGTH - 1 : MAX_TERM_LENGTH);
}

/** Cuts at `_`, at changes of case and between letters and digits. */
function identifierParts(word: string): readonly { readonly start: number; readonly end: number }[] {
  const parts = [];
  for (const { 0: section, index } of word.matchAll(/[^_]+/g)) {
    for (const match of section.matchAll(isAscii(section) ? IDENTIFIER_PART : UNICODE_PART)) {
      parts.push({ start: index + match.index, end: index + match.index + match[0].length });
    }
  }
  return parts;
}
