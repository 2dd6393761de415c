import type { Document } from "@docsearch/spec";
import type { TextLines } from "./text-lines.js";

/**
 * - `prose`: running text, whose structure is inferred
 * - `log`: records that begin with a time, each a line or several
 * - `source`: code, data and other text that is read by lines
 */
export type TextForm = "prose" | "log" | "source";

const PROSE_TYPES: ReadonlySet<string> = new Set([
  "text/plain",
  "text/markdown",
  "text/x-markdown",
  "text/x-rst",
  "text/asciidoc",
  "text/x-org",
  "text/x-tex",
  "message/rfc822",
]);
const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const CLOCK = "\\d{1,2}:\\d{2}:\\d{2}";
/** Near the start of a line, behind an address, a level or a name in brackets. */
const TIMESTAMP = new RegExp(
  `^.{0,40}?(?:\\d{4}[-/.]\\d{2}[-/.]\\d{2}[T ,_]\\d{2}:\\d{2}|\\d{1,2}[/-]${MONTH}[/-]\\d{4}[: ]\\d{2}:\\d{2}|${MONTH} {1,2}\\d{1,2} ${CLOCK})|^\\W{0,3}${CLOCK}\\b|^\\[\\s*\\d+\\.\\d+\\]`,
);
const LOOK_AT = 120;
const LEAST_RECORDS = 3;

/** What kind of text the document is, by its media type, and by its lines. */
export function formOf({ mediaType }: Pick<Document, "mediaType">, lines: TextLines): TextForm {
  if (!PROSE_TYPES.has(mediaType.split(";", 1)[0]!.trim().toLowerCase())) return "source";
  let records = 0;
  let others = 0;
  for (let line = 0; line < lines.count; line++) {
    if (lines.isBlank(line)) continue;
    if (startsRecord(lines, line)) records++;
    else others++;
  }
  return records >= LEAST_RECORDS && records >= others ? "log" : "prose";
}

/** Whether the line begins with a time. */
export function startsRecord(lines: TextLines, line: number): boolean {
  return TIMESTAMP.test(lines.content(line).slice(0, LOOK_AT));
}
