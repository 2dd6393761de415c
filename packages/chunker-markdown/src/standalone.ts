import type { Range } from "./range.js";

const LEADING_BLANK_LINES = /^(?:[^\S\r\n]*(?:\r\n?|\n))+/;

/**
 * A piece in a form that can be read on its own: what is `hidden` left out, `before` and `after` added. `undefined`
 * when that is the piece itself, or when nothing would be left.
 */
export function standaloneText(
  text: string,
  piece: Range,
  hidden: readonly Range[],
  before: string,
  after: string,
): string | undefined {
  if (hidden.length === 0 && before === "" && after === "") return undefined;
  let body = "";
  let at = piece.start;
  for (const { start, end } of hidden) {
    body = join(body, text.slice(at, start));
    at = end;
  }
  body = hidden.length === 0 ? text.slice(at, piece.end) : join(body, text.slice(at, piece.end)).trimEnd();
  return body.trim() === "" ? undefined : before + body + after;
}

/** Puts together what stood around a hidden range, with one blank line at most where there were more. */
function join(above: string, below: string): string {
  const next = below.replace(LEADING_BLANK_LINES, "");
  if (above.trim() === "") return next;
  if (!/[\r\n]$/.test(above)) return above + below;
  const body = above.trimEnd();
  const blank = next !== below || /\n[^\S\n]*\n|\r[^\S\n]*\r/.test(above.slice(body.length));
  return body + (blank ? "\n\n" : "\n") + next;
}
