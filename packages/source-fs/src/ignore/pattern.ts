import { foldCase } from "./byte-string.js";
import { compileGlob, type Matcher } from "./glob.js";

/** One line of an ignore file. All texts are byte strings. */
export interface Pattern {
  /** As written, without `!` and without the slash at the end. */
  readonly text: string;
  /** Begins with `!`: what it matches is taken back in. */
  readonly negated: boolean;
  /** Ends with a slash. */
  readonly folderOnly: boolean;
  /** Has no other slash: it is held against the last path part, at any depth. */
  readonly nameOnly: boolean;
  /** Takes the name, or the path relative to the folder of the ignore file; case-folded when case is ignored. */
  readonly matches: Matcher;
}

/** A path is at most this long on the systems that we know; a longer line is no honest pattern. */
const MAX_LINE_BYTES = 4096;

/**
 * Lines of an ignore file as patterns, by the rules of gitignore(5): comments, `\` before `#`, `!` and spaces,
 * trailing spaces, CRLF, a byte-order mark. Lines that cannot match anything are left out.
 *
 * @param content byte string
 */
export function parseIgnoreFile(content: string, ignoreCase: boolean): Pattern[] {
  const patterns: Pattern[] = [];
  const body = content.startsWith("\xef\xbb\xbf") ? content.slice(3) : content;
  for (const line of body.split("\n")) {
    if (line.startsWith("#") || line.length > MAX_LINE_BYTES) continue;
    const pattern = parsePattern(withoutTrailingSpaces(line.replace(/\r$/, "").replace(/\0.*$/s, "")), ignoreCase);
    if (pattern !== undefined) patterns.push(pattern);
  }
  return patterns;
}

/** @param line byte string, trimmed; undefined when nothing is left to match */
export function parsePattern(line: string, ignoreCase: boolean): Pattern | undefined {
  const negated = line.startsWith("!");
  const body = negated ? line.slice(1) : line;
  const folderOnly = body.endsWith("/");
  // `**/name` says the same as `name`, which is cheaper to compare.
  const text = (folderOnly ? body.slice(0, -1) : body).replace(/^\/?\*\*\/(?=[^/]+$)/, "");
  if (text === "") return undefined;
  const nameOnly = !text.includes("/");
  const matches = nameOnly ? compileName(text, ignoreCase) : pathMatcher(text, ignoreCase);
  return { text, negated, folderOnly, nameOnly, matches };
}

/** For one path part. @param text byte string without a slash */
export function compileName(text: string, ignoreCase: boolean): Matcher {
  const literal = literalLength(text);
  if (literal === text.length) {
    const name = ignoreCase ? foldCase(text) : text;
    return (subject) => subject === name;
  }
  const rest = text.slice(1);
  if (text.startsWith("*") && literalLength(rest) === rest.length) {
    const ending = ignoreCase ? foldCase(rest) : rest;
    return (subject) => subject.endsWith(ending);
  }
  return compileGlob(text, ignoreCase);
}

// git compares the part before the first wildcard as it is and gives only the rest to its glob matcher. It shows: in
// `foo**/bar` the stars then stand at the start of a pattern, and so they cross slashes.
function pathMatcher(text: string, ignoreCase: boolean): Matcher {
  const anchored = text.startsWith("/") ? text.slice(1) : text;
  const length = literalLength(anchored);
  const literal = anchored.slice(0, length);
  const prefix = ignoreCase ? foldCase(literal) : literal;
  if (length === anchored.length) return (subject) => subject === prefix;
  const rest = compileGlob(anchored.slice(length), ignoreCase);
  return (subject) => subject.startsWith(prefix) && rest(subject.slice(prefix.length));
}

/** Length of the start of `text` that has no wildcard and no backslash. */
function literalLength(text: string): number {
  const first = text.search(/[*?[\\]/);
  return first === -1 ? text.length : first;
}

/** Cuts the spaces at the end, but for one that stands after a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") at++;
    else if (line[at] === " ") continue;
    end = at + 1;
  }
  return line.slice(0, Math.min(end, line.length));
}
