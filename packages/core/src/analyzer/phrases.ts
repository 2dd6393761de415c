import { tokenPieces } from "./expand.js";
import { fold, isAscii, unspacedLetters, unspacedRuns } from "./fold.js";
import { TokenScanner } from "./scan.js";

const QUOTED = /"([^"]*)"|\u201c([^\u201d]*)\u201d/g;

/** What a query has in straight or curly double quotes, as typed. A quote that is never closed is punctuation. */
export function quotedPhrases(query: string): string[] {
  const phrases: string[] = [];
  for (const [, straight, curly] of query.matchAll(QUOTED)) {
    const phrase = straight ?? curly ?? "";
    if (hasWords(phrase)) phrases.push(phrase);
  }
  return phrases;
}

/** Whether there is anything in a phrase that could be looked for. */
export function hasWords(phrase: string): boolean {
  return phraseWords(phrase).length > 0;
}

/**
 * Whether the words of `phrase` stand in `text` one after another. Case, accents, punctuation and `_` inside names
 * do not matter, the form of a word does. A phrase without a word is in every text. Linear in the length of `text`.
 */
export function containsPhrase(text: string, phrase: string): boolean {
  const line = (words: readonly string[]): string => ["", ...words, ""].join("\n");
  return line(phraseWords(text)).includes(line(phraseWords(phrase)));
}

/** Folded words of a text; where a script writes no blanks, its letters. */
function phraseWords(text: string): string[] {
  const words: string[] = [];
  const addWord = (word: string): void => {
    const folded = fold(word).replaceAll("_", "");
    if (folded !== "") words.push(folded);
  };
  const scanner = new TokenScanner(text);
  while (scanner.next()) {
    const { pieces, sign } = tokenPieces(text.slice(scanner.start, scanner.end));
    for (const piece of pieces) {
      let done = 0;
      for (const run of isAscii(piece.text) ? [] : unspacedRuns(piece.text)) {
        addWord(piece.text.slice(done, run.start));
        for (const letter of unspacedLetters(fold(piece.text.slice(run.start, run.end)))) words.push(letter);
        done = run.end;
      }
      addWord(piece.text.slice(done) + sign);
    }
  }
  return words;
}
