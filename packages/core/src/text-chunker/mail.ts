import type { TextLines } from "./text-lines.js";

const FIELD = /^([A-Za-z][A-Za-z0-9-]{1,40}):(?:\s|$)/;
const KNOWN_FIELDS: ReadonlySet<string> = new Set(
  "from to cc bcc subject date sent reply-to message-id in-reply-to references received return-path delivered-to mime-version".split(
    " ",
  ),
);
/** A known field that every message has. */
const NAMING_FIELDS: ReadonlySet<string> = new Set(["from", "subject"]);
const LEAST_FIELDS = 3;
/** Line that begins a message in a mailbox. */
const MAILBOX_LINE = /^From \S+ .*\d{4}/;
const ENCODED_WORD = /=\?[\w-]+\?[bq]\?/i;

/** The lines at the head of a message. */
export interface MailHeader {
  /** Line behind the header. */
  readonly endLine: number;
  /** Absent when there is none, or when it is encoded. */
  readonly subject?: { readonly text: string; readonly line: number };
}

/**
 * Reads the header of a message that begins at `start`, the first line of a run of lines that ends before `end`: every
 * line a field or the continuation of one, at least three of the fields known ones, From or Subject among them.
 */
export function readMailHeader(lines: TextLines, start: number, end: number): MailHeader | undefined {
  let line = MAILBOX_LINE.test(lines.content(start)) ? start + 1 : start;
  const known = new Set<string>();
  let name = "";
  let subject: MailHeader["subject"];
  for (; line < end; line++) {
    const content = lines.content(line);
    if (lines.indent(line) > 0 && name !== "") {
      if (name === "subject" && subject !== undefined)
        subject = { ...subject, text: `${subject.text} ${content.replace(/\s+/g, " ")}` };
      continue;
    }
    const field = FIELD.exec(content);
    if (field === null) return undefined;
    name = field[1]!.toLowerCase();
    if (KNOWN_FIELDS.has(name)) known.add(name);
    const value = content.slice(field[0].length).replace(/\s+/g, " ").trim();
    if (name === "subject" && value !== "" && !ENCODED_WORD.test(value)) subject = { text: value, line };
  }
  if (known.size < LEAST_FIELDS || ![...known].some((name) => NAMING_FIELDS.has(name))) return undefined;
  return { endLine: line, ...(subject !== undefined && { subject }) };
}

/** Whether the line is quoted from another message. */
export function isQuoted(content: string): boolean {
  return content.startsWith(">");
}
