/** A table of strings and lists of strings, as TOML. Ends with a line break. */
export function tomlTable(path: readonly string[], values: Readonly<Record<string, unknown>>): string {
  return `[${path.map(tomlKey).join(".")}]\n${tomlLines(values)}`;
}

function tomlLines(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([key, value]) => `${tomlKey(key)} = ${tomlValue(value)}\n`)
    .join("");
}

/**
 * Puts values into a table of a TOML text. Everything else stays byte for byte, further keys of the table too.
 *
 * @throws `TypeError` when the table is written in a form that cannot be edited in place
 */
export function setTomlTable(text: string, path: readonly string[], values: Readonly<Record<string, unknown>>): string {
  const statements = tomlStatements(text);
  const header = statements.findIndex(({ table }) => table !== undefined && table.join("\n") === path.join("\n"));
  if (header < 0) {
    if (statements.some(({ key, table }) => key !== undefined && isSame([...table, ...key], path))) {
      throw new TypeError(`${path.join(".")} is written as a value, not as a table of its own`);
    }
    const gap = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
    return text + gap + tomlTable(path, values);
  }
  const next = statements.findIndex(({ isHeader }, index) => index > header && isHeader);
  const own = statements.slice(header + 1, next < 0 ? undefined : next);
  const replaced = own.filter(({ key }) => key !== undefined && Object.hasOwn(values, key.join(".")));
  let edited = text;
  for (const { start, end } of replaced.toReversed()) edited = edited.slice(0, start) + edited.slice(end);
  const { end } = statements[header] as TomlStatement;
  const head = edited.slice(0, end);
  return `${head}${head.endsWith("\n") ? "" : "\n"}${tomlLines(values)}${edited.slice(end)}`;
}

/** A header or an assignment, with all of its lines. */
interface TomlStatement {
  readonly start: number;
  readonly end: number;
  readonly isHeader: boolean;
  /** The table that a header opens, or that an assignment is in. */
  readonly table: readonly string[];
  /** Of an assignment. */
  readonly key?: readonly string[];
}

function tomlStatements(text: string): TomlStatement[] {
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  let at = 0;
  while (at < text.length) {
    const end = statementEnd(text, at);
    const line = text.slice(at, end).trim();
    const header = /^\[\[?\s*(.*?)\s*\]\]?\s*(?:#.*)?$/.exec(line)?.[1];
    const key = /^((?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:\s*\.\s*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*)\s*=/.exec(line)?.[1];
    if (header !== undefined && key === undefined) {
      table = keyParts(header);
      statements.push({ start: at, end, isHeader: true, table });
    } else if (key !== undefined) {
      statements.push({ start: at, end, isHeader: false, table, key: keyParts(key) });
    }
    at = end;
  }
  return statements;
}

/** Behind the line break that ends the statement at `start`: strings and brackets may go over several lines. */
function statementEnd(text: string, start: number): number {
  let depth = 0;
  const token = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{}]|\n/g;
  token.lastIndex = start;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [part] = found;
    if (part === "[" || part === "{") depth++;
    else if (part === "]" || part === "}") depth--;
    else if (part === "\n" && depth <= 0) return found.index + 1;
  }
  return text.length;
}

function keyParts(key: string): string[] {
  const parts = key.match(/"[^"\n]*"|'[^'\n]*'|[^.\s]+/g) ?? [];
  return parts.map((part) => part.replace(/^(["'])(.*)\1$/, "$2"));
}

/** Whether one path is the beginning of the other, or the same. */
function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.slice(0, b.length).join("\n") === b.slice(0, a.length).join("\n");
}

function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : tomlString(key);
}

function tomlValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(tomlValue).join(", ")}]` : tomlString(String(value));
}

/** A basic string of TOML has the escapes of JSON. */
function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
