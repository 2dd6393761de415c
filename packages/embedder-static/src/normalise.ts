const NOT_ASCII = /[^\x00-\x7f]/;
const NONSPACING_MARKS = /\p{Mn}+/gu;
const OTHER_MARKS = /[\p{Mc}\p{Me}]+/gu;
const LANGUAGE_NAME = /(?<![A-Za-z0-9_])([CFcf])(\+\+|#)(?![A-Za-z0-9_])/g;

/**
 * Steps 1 and 2 of the tokenizer: compatibility decomposition without accents, so that "café" is "cafe"; then
 * `c++`, `f++`, `c#` and `f#` spelt in letters, because the next step drops all else.
 */
export function normalise(text: string): string {
  const plain = NOT_ASCII.test(text) ? withoutAccents(text) : text;
  return plain.replace(LANGUAGE_NAME, (_, letter: string, sign: string) => letter + (sign === "#" ? "sharp" : "pp"));
}

/**
 * NFKD without the characters of category Mn; other marks, which separate words, come out as spaces. Marks go before
 * the decomposition too: it sorts a run of marks in quadratic time, and a run may be the whole text. No mark
 * decomposes into anything but marks, so nothing else changes.
 */
function withoutAccents(text: string): string {
  return text.replace(NONSPACING_MARKS, "").replace(OTHER_MARKS, " ").normalize("NFKD").replace(NONSPACING_MARKS, "");
}
