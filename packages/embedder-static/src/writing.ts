const NOT_ASCII = /[^\x00-\x7f]/;
const LATIN_LETTER = /\p{Script=Latin}/gu;
const LETTER = /\p{L}/gu;

/**
 * Whether at least half of a text's letters are Latin. The table knows no other script, so of a Chinese sentence that
 * names "BM25" it would see the name alone, and the vector would be that of another text.
 */
export function isMostlyLatin(text: string): boolean {
  if (!NOT_ASCII.test(text)) return true;
  return 2 * count(text, LATIN_LETTER) >= count(text, LETTER);
}

function count(text: string, pattern: RegExp): number {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found++;
  return found;
}
