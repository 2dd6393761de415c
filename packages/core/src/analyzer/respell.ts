import type { Analyzer } from "./analyze.js";
import { STOP_WORDS } from "./stop-words.js";
import type { TermLookup } from "./unknown-words.js";

/** Words that are looked for; text that is no language has many more. */
const MAX_WORDS = 4;
/** Shorter words are near to too many others. */
const MIN_LETTERS = 4;
/** From so many letters on, two may be wrong. */
const TWO_EDITS_FROM = 8;
/** Most words of the index that are compared for one beginning. */
const WORDS_READ = 50_000;

/**
 * A text with the nearest word of the index in place of each that the index does not have: of two edits at most, or one
 * in a short word, and the most frequent of the nearest. `undefined` where nothing is to be replaced. The first letter
 * is held to be right, swapped with the second, or one too many. It reads a part of the index's vocabulary, so it is for
 * when nothing is found. Words of a-z alone, for only these are stored as they are.
 */
export async function respell(analyzer: Analyzer, text: string, lookup: TermLookup): Promise<string | undefined> {
  const terms = analyzer.analyze(text).filter(({ class: termClass, start, end }) => {
    const surface = text.slice(start, end).toLowerCase();
    return termClass === "exact" && surface.length >= MIN_LETTERS && !STOP_WORDS.has(surface);
  });
  const unknown: typeof terms = [];
  for (const term of terms) {
    const stem = analyzer.analyze(term.term.slice(1))[0]?.term ?? "";
    const [[form], [first]] = await Promise.all([lookup(term.term, 1), lookup(stem, 1)]);
    if (form?.term !== term.term && first?.term !== stem) unknown.push(term);
    if (unknown.length === MAX_WORDS) break;
  }
  let respelt = "";
  let done = 0;
  for (const { term, start, end } of unknown) {
    const nearest = await nearestWord(term.slice(1), lookup);
    if (nearest === undefined) continue;
    respelt += text.slice(done, start) + nearest;
    done = end;
  }
  return done === 0 ? undefined : respelt + text.slice(done);
}

async function nearestWord(word: string, lookup: TermLookup): Promise<string | undefined> {
  const edits = word.length < TWO_EDITS_FROM ? 1 : 2;
  for (const prefix of [`=${word[0]}`, `=${word[1]}${word[0]}`, `=${word.slice(1, 3)}`]) {
    let best: Near | undefined;
    for (const { term, chunks } of await lookup(prefix, WORDS_READ)) {
      const other = term.slice(1);
      const distance = editDistance(word, other, edits);
      if (distance > edits) continue;
      const near: Near = { word: other, distance, hasOtherLetters: sorted(word) !== sorted(other), chunks };
      if (best === undefined || isNearer(near, best)) best = near;
    }
    if (best !== undefined) return best.word;
  }
  return undefined;
}

interface Near {
  readonly word: string;
  readonly distance: number;
  /** Not only their order is wrong. */
  readonly hasOtherLetters: boolean;
  readonly chunks: number;
}

/** By fewer edits, then letters swapped before others, then the more frequent. */
function isNearer(a: Near, b: Near): boolean {
  if (a.distance !== b.distance) return a.distance < b.distance;
  if (a.hasOtherLetters !== b.hasOtherLetters) return b.hasOtherLetters;
  return a.chunks > b.chunks;
}

function sorted(word: string): string {
  return [...word].sort().join("");
}

/**
 * Letters that have to be added, left out, replaced or swapped with their neighbour to make one word of the other, each
 * place touched once; more than `most` comes out as `most + 1`.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(row[j - 1]! + cost, row[j]! + 1, next[j - 1]! + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) value = Math.min(value, before[j - 2]! + 1);
      next.push(value);
      least = Math.min(least, value);
    }
    if (least > most) return most + 1;
    before = row;
    row = next;
  }
  return Math.min(row[b.length]!, most + 1);
}
