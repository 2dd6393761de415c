import { joinScalars, type Mapping, MappingError, readMapping, type Scalar } from "./mapping.js";

const BLANK = /^[ \t]*(?:#[^\n]*)?(?:\n|$)/;
const KEY = /^[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([\w-]+))[ \t]*/;
const TABLE = /^[ \t]*(\[\[?)([^[\]\n]+)\]\]?[ \t]*(?:#[^\n]*)?(?:\n|$)/;
const STRINGS = [
  { form: /^"""\n?((?:[^"\\]|\\[\s\S]|"(?!""))*)"""/, escapes: true },
  { form: /^'''\n?((?:[^']|'(?!''))*)'''/, escapes: false },
  { form: /^"((?:[^"\\\n]|\\.)*)"/, escapes: true },
  { form: /^'([^'\n]*)'/, escapes: false },
] as const;
const ESCAPES: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\x1b" };

interface Value {
  /** Absent for nested values. */
  readonly scalar?: Scalar | undefined;
  /** Characters that the value takes. */
  readonly length: number;
}

/**
 * A TOML document, as front matter has it, made flat: the key of a value in a table has the table's name before it, with
 * a dot between. Values are scalars, or arrays of scalars joined by ", ". Inline tables and arrays of tables are left out.
 */
export function parseTomlMapping(text: string): Mapping {
  let at = 0;
  return readMapping(
    text,
    () => at,
    () => {
      const values = new Map<string, Scalar>();
      /** What stands before the keys of the table at hand; `undefined` where they are left out. */
      let prefix: string | undefined = "";
      while (at < text.length) {
        const rest = text.slice(at);
        const blank = BLANK.exec(rest);
        const table = blank === null ? TABLE.exec(rest) : null;
        if (table !== null) prefix = table[1] === "[" ? `${nameOf(table[2]!)}.` : undefined;
        const skipped = blank ?? table;
        if (skipped !== null) {
          at += skipped[0].length;
          continue;
        }
        const key = readKey(rest);
        const value = valueAt(rest.slice(key.length));
        const length = key.length + value.length;
        const after = BLANK.exec(rest.slice(length));
        if (after === null) throw new MappingError("text behind a value");
        if (prefix !== undefined && value.scalar !== undefined) values.set(prefix + key.name, value.scalar);
        at += length + after[0].length;
      }
      return values;
    },
  );
}

/** Name of a table: `a."b c"` as `a.b c`. */
function nameOf(text: string): string {
  return readKey(`${text.trim()} = `).name;
}

/** A dotted key keeps its dots. */
function readKey(text: string): { readonly name: string; readonly length: number } {
  let length = 0;
  const parts: string[] = [];
  for (;;) {
    const match = KEY.exec(text.slice(length));
    if (match === null) throw new MappingError("expected `key = value`");
    length += match[0].length;
    const [, double, single, bare] = match;
    parts.push(double !== undefined ? unescapeBasic(double) : (single ?? bare!));
    if (text[length] !== "." && text[length] !== "=") throw new MappingError("expected `key = value`");
    const last = text[length] === "=";
    length++;
    if (!last) continue;
    length += /^[ \t]*/.exec(text.slice(length))![0].length;
    return { name: parts.join("."), length };
  }
}

function valueAt(text: string): Value {
  for (const { form, escapes } of STRINGS) {
    const match = form.exec(text);
    if (match !== null) return { scalar: escapes ? unescapeBasic(match[1]!) : match[1]!, length: match[0].length };
  }
  if (text.startsWith("[")) return arrayAt(text);
  if (text.startsWith("{")) return { length: bracketLength(text) };
  const word = /^[^\s,\]}#]+(?: \d\d:\d\d[^\s,\]}#]*)?/.exec(text)?.[0];
  if (word === undefined) throw new MappingError("expected a value");
  return { scalar: wordValue(word), length: word.length };
}

/** Numbers, booleans, and dates, which stay text. */
function wordValue(word: string): Scalar {
  if (word === "true" || word === "false") return word === "true";
  const digits = word.replaceAll("_", "");
  if (/^(?:[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|0x[\dA-Fa-f]+|0o[0-7]+|0b[01]+)$/.test(digits)) return Number(digits);
  if (/^\d\d(?:\d\d-\d\d-\d\d|:\d\d)/.test(word) || /^[-+]?(?:inf|nan)$/.test(word)) return word;
  throw new MappingError(`"${word}" needs quotes`);
}

function arrayAt(text: string): Value {
  const items: (Scalar | undefined)[] = [];
  let at = 1;
  for (;;) {
    at += /^(?:[\s,]|#[^\n]*)*/.exec(text.slice(at))![0].length;
    if (at >= text.length) throw new MappingError("an array does not end");
    if (text[at] === "]") return { scalar: joinScalars(items), length: at + 1 };
    const nested = text[at] === "[" || text[at] === "{";
    const value: Value = nested ? { length: bracketLength(text.slice(at)) } : valueAt(text.slice(at));
    items.push(value.scalar);
    at += value.length;
  }
}

/** Length of the inline table or array that `text` begins with. */
function bracketLength(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
    else if (char === '"' || char === "'") at += valueAt(text.slice(at)).length - 1;
  }
  throw new MappingError("a bracket does not end");
}

function unescapeBasic(text: string): string {
  return text
    .replace(/\\[ \t]*\n\s*/g, "")
    .replace(/\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|(.))/g, (_, short, long, char) => {
      const code = Number.parseInt(short ?? long ?? "", 16);
      if (!Number.isNaN(code)) return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
      return ESCAPES[char as string] ?? (char as string);
    });
}
