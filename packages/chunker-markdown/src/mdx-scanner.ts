const NAME = /(?:[A-Za-z_$][\w$.-]*(?::[\w$-]+)?)?/y;
const QUOTES = "\"'`";

/**
 * Reads tags and JavaScript in braces, far enough to find their ends.
 *
 * A search that fails has read text that will be read again. So that hostile input cannot make the time quadratic,
 * all failed searches of a document share a budget of characters; when it is spent, every search fails at once.
 */
export class MdxScanner {
  readonly #text: string;
  #budget: number;

  constructor(text: string) {
    this.#text = text;
    this.#budget = 4 * text.length + 10_000;
  }

  /** Offset behind the `}` that closes the `{` at `start`, or -1. */
  braces(start: number): number {
    return this.#attempt(start, (limit) => this.#balanced(start, limit));
  }

  /** Offset behind the `>` of the tag that begins with the `<` at `start`, or -1. */
  tag(start: number): number {
    return this.#attempt(start, (limit) => this.#tag(start, limit));
  }

  /** Offset of the line break after which the statements that begin at `start` end, or -1: brackets stay open. */
  statements(start: number): number {
    return this.#attempt(start, (limit) => this.#statements(start, limit));
  }

  /** Counts a successful search whose result is of no use as a failed one. */
  charge(characters: number): void {
    this.#budget -= characters;
  }

  /** `search` returns where it ends, as a negative number (`~offset`) when it fails. */
  #attempt(start: number, search: (limit: number) => number): number {
    const limit = Math.min(this.#text.length, start + Math.max(0, this.#budget));
    const end = search(limit);
    if (end >= 0) return end;
    this.#budget -= ~end - start;
    return -1;
  }

  #balanced(start: number, limit: number): number {
    const text = this.#text;
    let depth = 0;
    for (let at = start; at < limit; ) {
      const char = text[at]!;
      if (char === "{") depth++;
      else if (char === "}" && --depth === 0) return at + 1;
      at = this.#next(at, limit);
    }
    return ~limit;
  }

  #tag(start: number, limit: number): number {
    const text = this.#text;
    let at = start + (text[start + 1] === "/" ? 2 : 1);
    NAME.lastIndex = at;
    at += NAME.exec(text)![0].length;
    if (at < limit && !/[\s/>{]/.test(text[at]!)) return ~at;
    let blank = false;
    while (at < limit) {
      const char = text[at]!;
      if (char === ">") return at + 1;
      if (char === "<" || char === "}") return ~at;
      if (char === "\n") {
        if (blank) return ~at;
        blank = true;
      } else if (char !== " " && char !== "\t") blank = false;
      if (char === "{") {
        const end = this.#balanced(at, limit);
        if (end < 0) return end;
        at = end;
      } else if (char === '"' || char === "'") {
        const end = text.indexOf(char, at + 1);
        if (end < 0 || end >= limit) return ~limit;
        at = end + 1;
      } else at++;
    }
    return ~limit;
  }

  #statements(start: number, limit: number): number {
    const text = this.#text;
    let depth = 0;
    for (let at = start; at < limit; ) {
      const char = text[at]!;
      if (char === "{" || char === "(" || char === "[") depth++;
      else if (char === "}" || char === ")" || char === "]") depth--;
      else if (char === "\n" && depth <= 0 && endsStatements(text, at + 1)) return at;
      at = this.#next(at, limit);
    }
    return depth <= 0 ? limit : ~limit;
  }

  /** Offset behind the string, template or comment that begins at `at`; else behind the character. */
  #next(at: number, limit: number): number {
    const text = this.#text;
    const char = text[at]!;
    if (char === "/" && text[at + 1] === "/" && text[at - 1] !== ":") return endOf(text, "\n", at, 0, limit);
    if (char === "/" && text[at + 1] === "*") return endOf(text, "*/", at + 2, 2, limit);
    if (!QUOTES.includes(char)) return at + 1;
    for (let end = at + 1; end < limit; end++) {
      if (text[end] === "\\") end++;
      else if (text[end] === char) return end + 1;
      // Only a template spans lines; anything else was an apostrophe in text.
      else if (text[end] === "\n" && char !== "`") return at + 1;
    }
    return char === "`" ? limit : at + 1;
  }
}

function endOf(text: string, mark: string, from: number, length: number, limit: number): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? limit : Math.min(limit, end + length);
}

/** A blank line or a heading ends a run of statements. */
function endsStatements(text: string, lineStart: number): boolean {
  let at = lineStart;
  while (text[at] === " " || text[at] === "\t") at++;
  return at >= text.length || text[at] === "\n" || /^#{1,6}[ \t]/.test(text.slice(at, at + 8));
}
