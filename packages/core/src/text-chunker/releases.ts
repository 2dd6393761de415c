const MAX_LENGTH = 100;
/** `name (1.2-3) unstable; urgency=medium` */
const DEBIAN = /^[a-z0-9][a-z0-9+.-]+ \([^()\s]+\) [\w ,.-]+;\s*urgency=\w+/;
/** `2026-11-30  Name  <address>` */
const DATED_ENTRY = /^\d{4}-\d{2}-\d{2}\s+\S.*<[^<>\s]+@[^<>\s]+>$/;
/** Marks around a head, and those that stand in formulas and code. */
const EDGES = /^[-=*#~\s]+|[-=*#~:\s]+$/g;
const FORMULA = /[%$&<>{}|^=\\]/;
/** What may be a version: a number and what is written together with it. */
const TOKEN = /(?<![\w.+~*-])v?\d[\w.+~*-]*/gi;
const VERSION = /^v?\d+\.[\dx*]/i;
const VERSION_WORD = /^(?:rc|pre|dev|post|alpha|beta|rev|final|[a-z])?$/i;
const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*";
const DATE = new RegExp(
  `\\b\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}\\b|\\b\\d{1,2}(?:st|nd|rd|th)?[ -]${MONTH},?[ -]\\d{4}\\b|\\b${MONTH}\\.? (?:\\d{1,2}(?:st|nd|rd|th)?,? )?\\d{4}\\b|\\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\b,?`,
  "gi",
);
const WORD =
  /\b(?:versions?|releases?|released|changes?|changed|in|since|for|from|of|what'?s|new|noteworthy|major|important|news|the|stable|unstable|unreleased|final|to|between|and|date|dated|on)\b/gi;

/**
 * Whether the line heads a release in a changelog: a version, a date and words such as "changes in" around them, and
 * at most the name of what was released before them. Anything else makes it a line of text.
 */
export function isReleaseHead(content: string): boolean {
  if (content.length > MAX_LENGTH || !/^[^\s.,;]/.test(content)) return false;
  if (DEBIAN.test(content) || DATED_ENTRY.test(content)) return true;
  if (FORMULA.test(withoutEdges(content))) return false;
  const versions = content.replace(DATE, " ").replace(TOKEN, (token) => (isVersion(token) ? "\0" : token));
  if (!versions.includes("\0")) return false;
  const [before, ...after] = versions.replace(WORD, " ").split("\0");
  const name = before!.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  return name.split(" ").length <= 1 && after.join("").replace(/[^\p{L}\p{N}]+/gu, "") === "";
}

/** The line without the marks on both sides, such as `--- 1.2 ---`. */
export function withoutEdges(content: string): string {
  return content.replace(EDGES, "");
}

/** `1.2.3`, `v2.0-rc.1`, `1.14.x`; not `1.5MB`. */
function isVersion(token: string): boolean {
  return VERSION.test(token) && token.split(/[^a-z]+/i).every((word) => VERSION_WORD.test(word));
}

/** Whether the line names a day, as the heads of entries do. */
export function hasDate(content: string): boolean {
  return content.search(DATE) >= 0;
}
