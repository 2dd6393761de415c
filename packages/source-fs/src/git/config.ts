/**
 * Variables of a git configuration file, in the order in which they stand: lower-case `section.name`, and
 * `section.subsection.name` with the subsection as it is. A name without `=` has the value `true`.
 * Lines that git would refuse are passed over: a broken configuration is git's to report.
 */
export function parseGitConfig(text: string): { readonly name: string; readonly value: string }[] {
  const variables: { name: string; value: string }[] = [];
  let section = "";
  for (const line of joinedLines(text)) {
    const header = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)"\s*)?\]/.exec(line);
    if (header !== null) {
      const [, name = "", subsection] = header;
      section = name.toLowerCase() + (subsection === undefined ? "" : `.${subsection.replace(/\\(.)/g, "$1")}`);
    }
    const rest = header === null ? line : line.slice(header[0].length);
    const variable = /^\s*([A-Za-z][\w-]*)\s*(?:=(.*))?$/s.exec(rest) ?? /^\s*([A-Za-z][\w-]*)\s*[#;]/.exec(rest);
    if (variable === null || section === "") continue;
    const [, name = "", raw] = variable;
    variables.push({ name: `${section}.${name.toLowerCase()}`, value: raw === undefined ? "true" : parseValue(raw) });
  }
  return variables;
}

/** A backslash at the end of a line, itself not escaped, joins the next one to it, but not after a comment. */
function joinedLines(text: string): string[] {
  const lines: string[] = [];
  let joined = "";
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    const continues = /(?<!\\)(?:\\\\)*\\$/.test(line) && !/^\s*[#;]/.test(joined + line);
    joined += continues ? line.slice(0, -1) : line;
    if (continues) continue;
    lines.push(joined);
    joined = "";
  }
  return lines;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** Takes quotes and escapes away, cuts the comment and the white space around what is not quoted. */
function parseValue(raw: string): string {
  let value = "";
  /** Length of `value` without the unquoted white space at its end. */
  let length = 0;
  let quoted = false;
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at] as string;
    if (char === '"') {
      quoted = !quoted;
      length = value.length;
      continue;
    }
    if (!quoted && (char === "#" || char === ";")) break;
    const blank = char === " " || char === "\t";
    if (!quoted && blank && value === "") continue;
    if (char === "\\") {
      const next = raw[++at] ?? "";
      value += ESCAPES[next] ?? next;
    } else {
      value += char;
    }
    if (quoted || !blank) length = value.length;
  }
  return value.slice(0, length);
}

/** git's words for a boolean. Anything else counts as false. */
export function isTrue(value: string): boolean {
  return /^(?:true|yes|on|[1-9]\d*)$/i.test(value.trim());
}
