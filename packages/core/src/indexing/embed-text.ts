import type { ChunkDraft } from "@docsearch/spec";

/** Version of the template below; part of the index's fingerprint. */
export const EMBED_TEXT_VERSION = 2;

/** Of the code among prose, so many characters are embedded: more of it drowns the words that explain it. */
const CODE_CHARACTERS = 200;
/** Where the headings of a chunk that starts a section are looked for. */
const HEAD_CHARACTERS = 2000;
/** A chunk with less prose than this is a chunk of code, and is embedded whole. */
const PROSE_CHARACTERS = 40;

/**
 * The text that is embedded for a chunk: title, heading path and context in front of the body, a line each.
 * A chunk called "Usage" says nothing of what is used; its page and headings do. In the body links lose their
 * targets, tags of HTML go, and code among prose is cut short: measured in docs/adr/0006.
 */
export function composeEmbedText(
  title: string | undefined,
  chunk: Pick<
    ChunkDraft,
    "headingPath" | "context" | "standaloneText" | "startsSection" | "text" | "span" | "zones" | "language"
  >,
): string {
  const own = headingsInText(chunk);
  const lines: string[] = [];
  if (title !== undefined && !own.has(title)) lines.push(title);
  const above = withoutTitle(chunk.headingPath, title).filter((heading) => !own.has(heading));
  if (above.length > 0) lines.push(above.join(" > "));
  if (chunk.context !== undefined) lines.push(chunk.context);
  lines.push(chunk.standaloneText === undefined ? shortened(chunk) : withoutMarkup(chunk.standaloneText));
  return lines.join("\n");
}

/** Headings of the path with which the text begins: one that is embedded twice would count twice. */
function headingsInText({
  headingPath,
  text,
  startsSection,
  language,
}: Pick<ChunkDraft, "headingPath" | "text" | "startsSection" | "language">): ReadonlySet<string> {
  if (startsSection === false || language !== undefined) return new Set();
  const head = firstLines(text, headingPath.length);
  return new Set(
    headingPath.filter((heading) => {
      const letters = lettersOf(heading);
      return letters !== "" && head.some((line) => line.startsWith(letters));
    }),
  );
}

/** The letters of the first `count` lines that have any. */
function firstLines(text: string, count: number): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length && start < HEAD_CHARACTERS && lines.length < count; ) {
    const end = text.indexOf("\n", start);
    const letters = lettersOf(text.slice(start, end === -1 ? start + HEAD_CHARACTERS : end).slice(0, HEAD_CHARACTERS));
    if (letters !== "") lines.push(letters);
    if (end === -1) break;
    start = end + 1;
  }
  return lines;
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The text without markup, and without most of its code when there is prose beside it; code with its comments as it is. */
function shortened({
  text,
  span,
  zones = [],
  language,
}: Pick<ChunkDraft, "text" | "span" | "zones" | "language">): string {
  if (language !== undefined && zones.length > 0) return text;
  const codeLength = zones.reduce((sum, zone) => sum + zone.endOffset - zone.startOffset, 0);
  if (text.length - codeLength < PROSE_CHARACTERS) return text;
  const parts: string[] = [];
  let done = 0;
  let room = CODE_CHARACTERS;
  for (const zone of zones) {
    const start = zone.startOffset - span.startOffset;
    const end = zone.endOffset - span.startOffset;
    const code = text.slice(start, Math.min(end, start + room));
    parts.push(withoutMarkup(text.slice(done, start)), code.toWellFormed());
    room -= code.length;
    done = end;
  }
  parts.push(withoutMarkup(text.slice(done)));
  return parts.join("");
}

/** The lengths are bounded so that a text of nothing but openings takes linear time. */
const LINK_TARGET = /\]\([^()\s]{0,2000}(?:\s[^()]{0,500})?\)/g;
const BARE_URL = /https?:\/\/[^\s)>"'`\]]+/g;
/** The line that opens or closes a block of code; its attributes are about layout. */
const FENCE_LINE = /^[ \t>]*(?:`{3,}|~{3,}).*$/gm;
/** An opening tag does not follow a letter or a back-tick: `Array<string>` has none. */
const TAG = /(?<![\w`])<[A-Za-z][\w.:-]*(?:\s[^<>]*)?\/?>|<\/[A-Za-z][\w.:-]*>/g;

function withoutMarkup(text: string): string {
  return text.replace(FENCE_LINE, "").replace(LINK_TARGET, "]").replace(BARE_URL, " ").replace(TAG, " ");
}

/** The heading path without a first element that only repeats the title. */
export function withoutTitle(headingPath: readonly string[], title: string | undefined): readonly string[] {
  return headingPath[0] === title ? headingPath.slice(1) : headingPath;
}
