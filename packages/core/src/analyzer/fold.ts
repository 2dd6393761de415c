/** Characters that change how a letter looks and not which letter it is: soft hyphen, joiner, variation selectors. */
const IGNORABLE = /[\u00AD\p{Variation_Selector}]|\u200D/gu;

/** Marks on a letter below U+0400, that is of Latin or Greek, and marks without a letter. */
const LATIN_AND_GREEK_MARKS = /(^|[\0-\u02FF\u0370-\u03FF])\p{M}+/gu;

/** The accents that mark the stress of a word in Cyrillic letters, as dictionaries and schoolbooks do. */
const STRESS_MARKS = /([\u0400-\u052F])[\u0300\u0301]+/g;

/** Points and accents of Hebrew, short vowels and the lengthening stroke of Arabic: most texts are written without. */
const OPTIONAL_MARKS = /[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0640\u064B-\u0652\u0670]/g;

/** Letters that Unicode does not take apart, as people write them on a keyboard that lacks them, and the Russian ё. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  ё: "е",
};
const WITHOUT_PLAIN_FORM = new RegExp(`[${Object.keys(PLAIN_LETTERS).join("")}]`, "g");

/** What compatibility decomposition may bring in: blanks, brackets, full stops. */
const NOT_IN_A_WORD = /[^\p{L}\p{N}\p{M}_]+/gu;

/**
 * One spelling for the letters of a word: lower case, compatibility forms (ligatures, full width, composed and
 * decomposed) made equal, diacritics off Latin and Greek letters, stress off Cyrillic ones, vowel points off Hebrew and
 * Arabic ones, `ß` as `ss`, `ø` as `o`. Other marks stay: they tell letters apart (`й` from `и`) and are vowels in Thai
 * and the scripts of India.
 */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower
    .replace(IGNORABLE, "")
    .normalize("NFKD")
    .replace(LATIN_AND_GREEK_MARKS, "$1")
    .replace(STRESS_MARKS, "$1")
    .replace(OPTIONAL_MARKS, "")
    .normalize("NFC")
    .replace(NOT_IN_A_WORD, "")
    .toLowerCase()
    .replace(WITHOUT_PLAIN_FORM, (letter) => PLAIN_LETTERS[letter]!);
}

export function isIgnorable(character: string): boolean {
  return character.search(IGNORABLE) === 0;
}

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** Letters of scripts that write no blanks between words, or few (Korean), with their marks. */
const UNSPACED_LETTER =
  "(?=[\\p{L}\\p{M}\\p{Nl}])[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}" +
  "\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Myanmar}\\p{scx=Khmer}]";

const UNSPACED_UNIT = new RegExp(`^${UNSPACED_LETTER}\\p{M}*$`, "u");
const UNSPACED_RUN = new RegExp(`(?:${UNSPACED_LETTER}\\p{M}*)+`, "gu");

/** Ranges of `text` that are written without blanks between words. */
export function unspacedRuns(text: string): readonly { readonly start: number; readonly end: number }[] {
  const runs = [];
  for (const match of text.matchAll(UNSPACED_RUN)) {
    runs.push({ start: match.index, end: match.index + match[0].length });
  }
  return runs;
}

/** Whether `term` is one letter, with its marks, of a script without blanks. */
export function isUnspacedLetter(term: string): boolean {
  return UNSPACED_UNIT.test(term);
}

/** Cuts a folded unspaced run into letters, each with the marks that follow it. */
export function unspacedLetters(run: string): readonly string[] {
  return run.match(/\P{M}\p{M}*|^\p{M}+/gu) ?? [];
}
