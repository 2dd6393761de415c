/**
 * The glob language of git (`wildmatch` with `WM_PATHNAME`), on byte strings. The pattern becomes a small automaton
 * whose states are run side by side, so the time is at most pattern length times subject length: ignore files come
 * with the tree that is indexed, and a backtracking matcher can be made to hang by one line.
 */
type Token =
  | { readonly kind: "byte"; readonly code: number }
  /** One byte out of 256 flags; never the slash. */
  | { readonly kind: "set"; readonly members: Uint8Array }
  /** Any run of bytes without a slash. */
  | { readonly kind: "star" }
  /** Any run of bytes. When a slash follows, both together may match nothing. */
  | { readonly kind: "globstar"; readonly optional: boolean };

export type Matcher = (subject: string) => boolean;

const SLASH = 47;
const never: Matcher = () => false;

/**
 * @param pattern byte string; a malformed one (open bracket, backslash at the end, unknown class) matches nothing
 * @param ignoreCase whether subjects are case-folded byte strings
 */
export function compileGlob(pattern: string, ignoreCase: boolean): Matcher {
  const tokens = tokenize(pattern, ignoreCase);
  return tokens === undefined ? never : automaton(tokens);
}

function tokenize(pattern: string, ignoreCase: boolean): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < pattern.length) {
    const char = pattern[at] as string;
    if (char === "*") {
      const start = at;
      while (pattern[at] === "*") at++;
      tokens.push(at - start > 1 ? doubleStar(pattern, start, at) : { kind: "star" });
    } else if (char === "[") {
      const set = parseSet(pattern, at, ignoreCase);
      if (set === undefined) return undefined;
      tokens.push({ kind: "set", members: set.members });
      at = set.end;
    } else if (char === "?") {
      tokens.push({ kind: "set", members: everyByte() });
      at++;
    } else if (char === "\\") {
      // git does not fold what is escaped: with case folding on, `\A` matches nothing.
      if (at + 1 === pattern.length) return undefined;
      tokens.push({ kind: "byte", code: pattern.charCodeAt(at + 1) });
      at += 2;
    } else {
      const code = pattern.charCodeAt(at);
      tokens.push({ kind: "byte", code: ignoreCase && isUpper(code) ? code + 32 : code });
      at++;
    }
  }
  return tokens;
}

/** Two stars cross slashes only where they fill a whole path part; elsewhere they are one star. */
function doubleStar(pattern: string, start: number, end: number): Token {
  const opens = start === 0 || pattern[start - 1] === "/";
  const closes = end === pattern.length || pattern[end] === "/" || pattern.startsWith("\\/", end);
  return opens && closes ? { kind: "globstar", optional: pattern[end] === "/" } : { kind: "star" };
}

function everyByte(): Uint8Array {
  const members = new Uint8Array(256).fill(1);
  members[SLASH] = 0;
  return members;
}

/** Follows git's loop over a bracket expression step by step; `end` is the position after the closing bracket. */
function parseSet(
  pattern: string,
  open: number,
  ignoreCase: boolean,
): { readonly members: Uint8Array; readonly end: number } | undefined {
  const members = new Uint8Array(256);
  const code = (index: number): number => pattern.charCodeAt(index);
  let at = open + 1;
  const negated = pattern[at] === "!" || pattern[at] === "^";
  if (negated) at++;
  let previous = 0;
  do {
    if (at >= pattern.length) return undefined;
    let current = code(at);
    if (pattern[at] === "\\") {
      if (++at >= pattern.length) return undefined;
      current = code(at);
      members[current] = 1;
    } else if (pattern[at] === "-" && previous !== 0 && at + 1 < pattern.length && pattern[at + 1] !== "]") {
      if (pattern[++at] === "\\" && ++at >= pattern.length) return undefined;
      addRange(members, previous, code(at), ignoreCase);
      current = 0;
    } else if (pattern.startsWith("[:", at)) {
      const close = pattern.indexOf("]", at + 2);
      if (close === -1) return undefined;
      if (close > at + 2 && pattern[close - 1] === ":") {
        const test = CLASSES.get(pattern.slice(at + 2, close - 1));
        if (test === undefined) return undefined;
        for (let byte = 1; byte < 128; byte++) {
          // The one class that takes letters of either case when case is folded.
          const eitherCase = ignoreCase && test === isUpper && isLower(byte);
          if (test(byte) || eitherCase) members[byte] = 1;
        }
        at = close;
        current = 0;
      } else {
        members[current] = 1;
      }
    } else {
      members[current] = 1;
    }
    previous = current;
    at++;
  } while (pattern[at] !== "]");
  if (negated) for (let byte = 0; byte < 256; byte++) members[byte] = members[byte] === 1 ? 0 : 1;
  members[SLASH] = 0;
  return { members, end: at + 1 };
}

function addRange(members: Uint8Array, from: number, to: number, ignoreCase: boolean): void {
  for (let byte = 0; byte < 256; byte++) {
    const inRange = from <= byte && byte <= to;
    const upperInRange = ignoreCase && isLower(byte) && from <= byte - 32 && byte - 32 <= to;
    if (inRange || upperInRange) members[byte] = 1;
  }
}

const isUpper = (byte: number): boolean => byte >= 65 && byte <= 90;
const isLower = (byte: number): boolean => byte >= 97 && byte <= 122;
const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
const isAlpha = (byte: number): boolean => isUpper(byte) || isLower(byte);
const isGraph = (byte: number): boolean => byte > 32 && byte < 127;

/** The ASCII classes as git has them; its white space leaves out vertical tab and form feed. */
const CLASSES: ReadonlyMap<string, (byte: number) => boolean> = new Map([
  ["alnum", (byte) => isAlpha(byte) || isDigit(byte)],
  ["alpha", isAlpha],
  ["blank", (byte) => byte === 32 || byte === 9],
  ["cntrl", (byte) => byte < 32 || byte === 127],
  ["digit", isDigit],
  ["graph", isGraph],
  ["lower", isLower],
  ["print", (byte) => byte === 32 || isGraph(byte)],
  ["punct", (byte) => isGraph(byte) && !isAlpha(byte) && !isDigit(byte)],
  ["space", (byte) => byte === 32 || byte === 9 || byte === 10 || byte === 13],
  ["upper", isUpper],
  ["xdigit", (byte) => isDigit(byte) || (byte >= 65 && byte <= 70) || (byte >= 97 && byte <= 102)],
]);

function automaton(tokens: readonly Token[]): Matcher {
  const end = tokens.length;
  // Kept between calls: matching is synchronous, so no two calls overlap.
  let active = new Uint8Array(end + 1);
  let following = new Uint8Array(end + 1);

  const enter = (states: Uint8Array, state: number): void => {
    states[state] = 1;
    const token = tokens[state];
    if (token === undefined || token.kind === "byte" || token.kind === "set") return;
    enter(states, state + 1);
    if (token.kind === "globstar" && token.optional) enter(states, state + 2);
  };
  /** After a byte was taken, stars may end, but no longer together with the slash behind them. */
  const stay = (states: Uint8Array, state: number): void => {
    states[state] = 1;
    enter(states, state + 1);
  };

  return (subject) => {
    active.fill(0);
    enter(active, 0);
    for (let index = 0; index < subject.length; index++) {
      const byte = subject.charCodeAt(index);
      following.fill(0);
      let alive = false;
      for (let state = 0; state < end; state++) {
        if (active[state] === 0) continue;
        const token = tokens[state] as Token;
        const repeats = token.kind === "globstar" || (token.kind === "star" && byte !== SLASH);
        const steps =
          (token.kind === "byte" && token.code === byte) || (token.kind === "set" && token.members[byte] === 1);
        if (repeats) stay(following, state);
        if (steps) enter(following, state + 1);
        alive ||= repeats || steps;
      }
      if (!alive) return false;
      [active, following] = [following, active];
    }
    return active[end] === 1;
  };
}
