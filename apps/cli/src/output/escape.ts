// What comes from the corpus must not be able to move the cursor, colour the terminal or turn text around.

/** Controls of C0 without tab and line feed, DEL, C1, line and paragraph separators, embeddings and isolates of bidi. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
const LINE_CONTROLS = /[\t\n]/g;

/** Text of several lines with its control characters spelt out: `\x1b`, `\u202e`. */
export function escapeText(text: string): string {
  return text.replace(CONTROLS, spelt);
}

/** The same for what must stay on one line, such as a path. */
export function escapeLine(text: string): string {
  return escapeText(text).replace(LINE_CONTROLS, spelt);
}

function spelt(character: string): string {
  const code = character.charCodeAt(0);
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
}
