import { joinScalars, type Mapping, MappingError, readMapping, type Scalar } from "./mapping.js";

/** A key, the rest of its line, and the lines below that belong to it. */
interface Entry {
  readonly value: string;
  readonly more: readonly string[];
}

/** Mappings below mappings; front matter has two or three. */
const MAX_DEPTH = 8;
const QUOTED = /^(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^']|'')*)')/;
const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  N: "\x85",
  _: "\u00a0",
  L: "\u2028",
  P: "\u2029",
};

/**
 * A YAML 1.2 mapping in block style, as front matter has it, made flat: the key of a value in a mapping below has the key
 * above it in front, with a dot between. Values are scalars, or lists of scalars joined by ", ". Lists of anything else,
 * mappings in braces, null, and values with an anchor, alias or tag are left out. What is nested is not checked: a
 * mapping below that is none is left out.
 */
export function parseYamlMapping(text: string): Mapping {
  let at = 0;
  return readMapping(
    text,
    () => at,
    () => {
      const values = new Map<string, Scalar>();
      const lines = text.split("\n");
      for (let line = 0; line < lines.length; ) {
        let end = line + 1;
        if (!isBlankOrComment(lines[line]!)) {
          const pair = splitPair(lines[line]!);
          if (pair === undefined) throw new MappingError("expected `key: value`");
          end = endOfEntry(lines, line, pair.value);
          checkAlias(pair.value, text);
          addEntry(values, pair.key, { value: pair.value, more: lines.slice(line + 1, end) }, 1);
        }
        for (; line < end; line++) at += lines[line]!.length + 1;
      }
      return values;
    },
  );
}

/** Adds the value of a key, or those of the mapping below it. */
function addEntry(values: Map<string, Scalar>, key: string, entry: Entry, depth: number): void {
  const below = entry.value === "" || entry.value.startsWith("#") ? mappingBelow(entry.more) : undefined;
  if (below === undefined) {
    const value = readValue(entry);
    if (value !== undefined) values.set(key, value);
    return;
  }
  if (depth >= MAX_DEPTH) return;
  const inner = new Map<string, Scalar>();
  try {
    for (let line = 0; line < below.length; ) {
      const pair = splitPair(below[line]!);
      if (pair === undefined) throw new MappingError("expected `key: value`");
      const end = endOfEntry(below, line, pair.value);
      addEntry(inner, `${key}.${pair.key}`, { value: pair.value, more: below.slice(line + 1, end) }, depth + 1);
      line = end;
      while (line < below.length && isBlankOrComment(below[line]!)) line++;
    }
  } catch (error) {
    if (error instanceof MappingError) return;
    throw error;
  }
  for (const [name, value] of inner) values.set(name, value);
}

/** The lines below a key at the margin, from the first that says something, if that is an entry of a mapping. */
function mappingBelow(more: readonly string[]): string[] | undefined {
  const start = more.findIndex((line) => !isBlankOrComment(line));
  const first = more[start];
  if (first === undefined) return undefined;
  const indent = first.length - first.trimStart().length;
  if (/^-(?: |$)/.test(first.slice(indent)) || splitPair(first.slice(indent)) === undefined) return undefined;
  const lines = more.slice(start);
  const isInside = (line: string): boolean => line.slice(0, indent).trim() === "";
  return lines.every(isInside) ? lines.map((line) => line.slice(indent)) : undefined;
}

function isBlankOrComment(line: string): boolean {
  const text = line.trimStart();
  return text === "" || text.startsWith("#");
}

/** `key: value`, where the key may be quoted. */
function splitPair(line: string): { readonly key: string; readonly value: string } | undefined {
  const quoted = QUOTED.exec(line);
  if (quoted !== null) {
    const rest = line.slice(quoted[0].length).trimStart();
    return /^:(?:\s|$)/.test(rest) ? { key: unquote(quoted), value: rest.slice(1).trim() } : undefined;
  }
  const colon = line.search(/:(?:[ \t]|$)/);
  if (colon <= 0 || /^[\s"'[\]{}>|*&!%#`@,]|^[-?] /.test(line)) return undefined;
  const key = line.slice(0, colon).trimEnd();
  return key.includes(" #") ? undefined : { key, value: line.slice(colon + 1).trim() };
}

/**
 * An entry goes on over blank lines, comments and indented lines; without a value over list items at the margin, with
 * one in brackets over closing brackets there.
 */
function endOfEntry(lines: readonly string[], start: number, value: string): number {
  const goesOn = value === "" || value.startsWith("#") ? /^(?: |-(?: |$))/ : /^[[{]/.test(value) ? /^[ \]}]/ : /^ /;
  const verbatim = /^[|>]/.test(value);
  let end = start + 1;
  for (let line = end; line < lines.length; line++) {
    const text = lines[line]!;
    if (/^ *\t *[^\s]/.test(text)) throw new MappingError("a tab cannot indent");
    if (verbatim ? text.trim() === "" : isBlankOrComment(text)) continue;
    if (!goesOn.test(text)) break;
    end = line + 1;
  }
  return end;
}

function readValue(entry: Entry): Scalar | undefined {
  const { value } = entry;
  if (value === "" || value.startsWith("#")) return readBelow(entry.more);
  if (/^[|>]/.test(value)) return readBlockScalar(entry);
  if (/^[&*!]/.test(value)) return undefined;
  if (value.startsWith("{")) return skipFlowMapping(foldLines(entry));
  if (value.startsWith("[")) return readFlowList(foldLines(entry));
  if (/^["']/.test(value)) return readQuoted(foldLines(entry));
  return readPlain(foldLines(entry));
}

/** `*name` has to have its `&name`; otherwise it is text that needs quotes, such as `*emphasis*`. */
function checkAlias(value: string, text: string): void {
  if (!value.startsWith("*")) return;
  const name = /^\*([^\s,[\]{}]+)(?:\s+#.*)?$/.exec(value)?.[1];
  if (name === undefined || !text.includes(`&${name}`))
    throw new MappingError('a value that begins with "*" needs quotes');
}

/** A mapping in braces has to end. */
function skipFlowMapping(text: string): undefined {
  const brackets = text.replace(/"(?:[^"\\]|\\.)*"|(?<=[\s:,[{])'(?:[^']|'')*'/gs, "");
  let depth = 0;
  for (const char of brackets) {
    if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
  }
  if (depth !== 0) throw new MappingError("a mapping in braces does not end");
  return undefined;
}

/** The value stands below its key: a list of scalars, a scalar, or something nested. */
function readBelow(more: readonly string[]): Scalar | undefined {
  const content = more.filter((line) => !isBlankOrComment(line));
  const first = content[0];
  if (first === undefined) return undefined;
  const indent = first.length - first.trimStart().length;
  if (!/^-(?: |$)/.test(first.slice(indent))) {
    if (content.some((line) => splitPair(line.trim()) !== undefined)) return undefined;
    return readValue({ value: first.trim(), more: content.slice(1) });
  }
  if (content.some((line) => line[indent] !== "-" || line.slice(0, indent).trim() !== "")) return undefined;
  return joinScalars(content.map((line) => readItem(line.slice(indent + 1).trim())));
}

function readItem(text: string): Scalar | undefined {
  if (text === "" || /^[[{&*!|>#]|^-(?: |$)/.test(text)) return undefined;
  if (/^["']/.test(text)) return splitPair(text) === undefined ? readQuoted(text) : undefined;
  return splitPair(text) === undefined ? readPlain(text) : undefined;
}

/** One line out of a scalar that goes on below: breaks become spaces, blank lines become breaks. */
function foldLines({ value, more }: Entry): string {
  let folded = value;
  let blank = 0;
  for (const line of more) {
    const part = line.trim();
    if (part === "") blank++;
    else {
      folded += (blank > 0 ? "\n".repeat(blank) : " ") + part;
      blank = 0;
    }
  }
  return folded;
}

function readQuoted(text: string): string {
  const match = QUOTED.exec(text);
  if (match === null || !/^\s*(?:#.*)?$/s.test(text.slice(match[0].length))) {
    throw new MappingError("a quoted value does not end with its quote");
  }
  return unquote(match);
}

/** Content of a match of `QUOTED`. */
function unquote([, double, single]: RegExpExecArray): string {
  if (double === undefined) return single!.replaceAll("''", "'");
  return double.replace(/\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|([\s\S]))/g, (_, x, u, long, char) => {
    const code = Number.parseInt(x ?? u ?? long ?? "", 16);
    if (!Number.isNaN(code)) return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
    return ESCAPES[char as string] ?? (char as string);
  });
}

function readPlain(text: string): Scalar | undefined {
  const comment = text.search(/[ \t]#/);
  const value = (comment < 0 ? text : text.slice(0, comment)).trim();
  if (/^[@`%,\]}]/.test(value)) throw new MappingError(`a value that begins with "${value[0]}" needs quotes`);
  if (/^[-?](?: |$)/.test(value)) throw new MappingError("a list cannot begin on the line of its key");
  if (/:(?:\s|$)/.test(value)) throw new MappingError('a value with ": " in it needs quotes');
  return typed(value);
}

/** The core schema of YAML 1.2; null is `undefined`. */
function typed(value: string): Scalar | undefined {
  if (/^(?:|~|null|Null|NULL)$/.test(value)) return undefined;
  if (/^(?:true|True|TRUE)$/.test(value)) return true;
  if (/^(?:false|False|FALSE)$/.test(value)) return false;
  if (/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(value) || /^0(?:x[\dA-Fa-f]+|o[0-7]+)$/.test(value)) {
    const number = Number(value);
    if (Number.isFinite(number)) return number;
  }
  return value;
}

function readBlockScalar({ value, more }: Entry): string {
  if (!/^[|>](?:[-+]?[1-9]?|[1-9][-+])(?:[ \t]+#.*)?$/.test(value)) {
    throw new MappingError('a value that begins with "|" or ">" needs quotes');
  }
  const filled = more.filter((line) => line.trim() !== "");
  const indent = filled.reduce((least, line) => Math.min(least, line.length - line.trimStart().length), 1000);
  const rows = more.map((line) => line.slice(indent).trimEnd());
  return (value.startsWith("|") ? rows.join("\n") : foldLines({ value: "", more: rows })).trim();
}

/** `[a, "b", 3]`; a nested list or mapping makes it no list of scalars. */
function readFlowList(text: string): string | undefined {
  const items: (Scalar | undefined)[] = [];
  let nested = false;
  let depth = 0;
  let item = "";
  const add = (): void => {
    if (item.trim() !== "") items.push(readFlowItem(item.trim()));
    item = "";
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if ((char === '"' || char === "'") && item.trim() === "") {
      const quoted = QUOTED.exec(text.slice(at))?.[0];
      if (quoted === undefined) throw new MappingError("a quoted value does not end with its quote");
      item = quoted;
      at += quoted.length - 1;
    } else if (char === "[" || char === "{") {
      depth++;
      nested ||= depth > 1;
    } else if (char === "]" || char === "}") {
      depth--;
      if (depth > 0) continue;
      if (!/^\s*(?:#.*)?$/s.test(text.slice(at + 1))) throw new MappingError("text behind a list");
      if (!nested) add();
      return nested ? undefined : joinScalars(items);
    } else if (char === "," && depth === 1) {
      if (nested) item = "";
      else add();
    } else item += char;
  }
  throw new MappingError("a list in brackets does not end");
}

/** `a: b` inside brackets is a mapping of one entry. */
function readFlowItem(item: string): Scalar | undefined {
  if (/^["']/.test(item)) return readQuoted(item);
  return /^[&*!]/.test(item) || /:(?:\s|$)/.test(item) ? undefined : readPlain(item);
}
