import type { Range } from "@docsearch/text-split";

/**
 * A piece in a form that can be read on its own: what is `hidden` left out, `before` and `after` added. `undefined`
 * when that is the piece itself; empty when all of it is hidden.
 */
export function standaloneText(
  text: string,
  piece: Range,
  hidden: readonly Range[],
  before: string,
  after: string,
): string | undefined {
  if (hidden.length === 0)
    return before === "" && after === "" ? undefined : before + text.slice(piece.start, piece.end) + after;
  const body = withoutRanges(text, piece, hidden);
  return body === "" ? "" : before + body + after;
}

/** What `ranges` leave of `whole`, with one blank line at most where something was left out. */
function withoutRanges(text: string, whole: Range, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let blanks = "";
  let from = whole.start;
  for (const { start, end } of [...ranges, { start: whole.end, end: whole.end }]) {
    const part = text.slice(from, start);
    const body = part.trim();
    from = end;
    if (body === "") {
      blanks += part;
      continue;
    }
    const lead = part.length - part.trimStart().length;
    blanks += part.slice(0, lead);
    parts.push(parts.length === 0 ? lastLine(blanks) : separator(blanks), body);
    blanks = part.slice(lead + body.length);
  }
  return parts.join("");
}

function separator(blanks: string): string {
  const breaks = blanks.match(/\r\n?|\n/g)?.length ?? 0;
  return breaks === 0 ? blanks : (breaks > 1 ? "\n\n" : "\n") + lastLine(blanks);
}

/** The indentation that blanks end with. */
function lastLine(blanks: string): string {
  return blanks.slice(Math.max(blanks.lastIndexOf("\n"), blanks.lastIndexOf("\r")) + 1);
}
