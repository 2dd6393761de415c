// The tokenizer as the specification puts it, with regular expressions and strings: slow, and easy to check by eye.
const LANGUAGE_NAME = /(?<![A-Za-z0-9_])([CFcf])(\+\+|#)(?![A-Za-z0-9_])/g;
const IDENTIFIER = /[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*/gu;
const PART = /[A-Z]+[0-9]*(?=[A-Z][a-z])|[A-Z]?[a-z]+[0-9]*|[A-Z]+[0-9]*|[0-9]+[a-z]*|[^A-Za-z0-9_]+/gu;
const RUN = /[0-9]+|[^0-9]+/gu;

export function referenceTokens(text: string, pieces: readonly string[]): number[] {
  const plain = /[^\x00-\x7f]/.test(text) ? text.normalize("NFKD").replace(/\p{Mn}/gu, "") : text;
  const spelt = plain.replace(LANGUAGE_NAME, (_, letter, sign) => `${letter}${sign === "#" ? "sharp" : "pp"}`);
  return (spelt.match(IDENTIFIER) ?? []).flatMap((identifier) => {
    const parts = (identifier.match(PART) ?? []).map((part) => part.toLowerCase());
    const tokens = parts.flatMap((part) => partTokens(part, pieces));
    const whole = pieces.indexOf(parts.join(""));
    return parts.length > 1 && whole >= 0 ? [...tokens, whole] : tokens;
  });
}

function partTokens(part: string, pieces: readonly string[]): number[] {
  const whole = pieces.indexOf(part);
  if (whole >= 0) return [whole];
  const runs = part.match(RUN) ?? [];
  if (runs.length > 1) return runs.flatMap((run) => partTokens(run, pieces));

  const word = Array.from(part).slice(0, 64).join("");
  const tokens: number[] = [];
  let start = 0;
  while (start < word.length) {
    const prefix = start === 0 ? "" : "##";
    const found = longestPiece(prefix, word, start, pieces);
    if (found === undefined) {
      start++;
    } else {
      tokens.push(found.id);
      start += found.length;
    }
  }
  return tokens;
}

function longestPiece(prefix: string, word: string, start: number, pieces: readonly string[]) {
  for (let length = Math.min(24, word.length - start); length > 0; length--) {
    const id = pieces.indexOf(prefix + word.slice(start, start + length));
    if (id >= 0) return { id, length };
  }
  return undefined;
}
