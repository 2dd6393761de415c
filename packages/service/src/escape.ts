// What comes from the corpus must not act on a terminal, hide from a reader or turn text around.

/**
 * Controls of C0 without tab and line feed, DEL, C1, soft hyphen, invisible fillers, zero-width characters, separators,
 * embeddings, overrides and isolates of bidi, byte-order mark, interlinear marks, tags and the variation selectors that
 * text can be hidden in, and surrogates without their other half.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\u034f|\p{Surrogate}/gu;
const LINE_CONTROLS = /[\t\n]/g;

/** Text of several lines with such characters spelt out: `\x1b`, `\u202e`, `\u{e0041}`. */
export function escapeText(text: string): string {
  return text.replace(HIDDEN, spelt);
}

/** The same for what must stay on one line, such as a path or a heading. */
export function escapeLine(text: string): string {
  return escapeText(text).replace(LINE_CONTROLS, spelt);
}

/** Whether nothing would have to be spelt out. */
export function isPlain(text: string): boolean {
  return escapeLine(text) === text;
}

/** What `escapeLine` made, as it was before: for a path that a reader gives back as it was shown. */
export function unescapeLine(text: string): string {
  return text.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\})/g, (whole, ...groups: string[]) => {
    const code = Number.parseInt(groups.slice(0, 3).find((group) => group !== undefined) ?? "", 16);
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : "";
    // Only what would have been spelt out was.
    return isPlain(character) ? whole : character;
  });
}

function spelt(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code < 256) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\u{${code.toString(16)}}`;
}
