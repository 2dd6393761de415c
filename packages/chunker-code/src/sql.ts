import type { Range } from "@docsearch/text-split";
import type { Findings, Found } from "./findings.js";

const OPENS =
  /--[^\n]*|\/\*|'|"|`|\$[A-Za-z_]*\$|;|\bBEGIN\b(?!\s*(?:;|TRANSACTION|WORK))|\bCASE\b|\bEND\b(?!\s+(?:IF|LOOP|WHILE|REPEAT|FOR)\b)/gi;
const CREATE =
  /^CREATE\s+(?:OR\s+REPLACE\s+)?(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|UNIQUE|MATERIALIZED|EXTERNAL|VIRTUAL|CONSTRAINT|DEFINER\s*=\s*\S+)\s+)*(TABLE|VIEW|FUNCTION|PROCEDURE|TRIGGER|INDEX|TYPE|SCHEMA|SEQUENCE|DOMAIN|POLICY)\s+(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?((?:"[^"]+"|`[^`]+`|\[[^\]]+\]|[\w$]+)(?:\.(?:"[^"]+"|`[^`]+`|\[[^\]]+\]|[\w$]+))*)/i;
const BODY = /\bAS\b|\(/i;
const ROUTINE = /^(?:function|procedure|trigger)$/;

/**
 * Statements of SQL, of any dialect: there is no grammar of it that comes as WebAssembly. A statement ends at a
 * semicolon outside of strings, comments, dollar quotes and the blocks of routines. `CREATE` makes a definition, any
 * other statement a section.
 */
export function readSql(text: string): Findings {
  const definitions: Found[] = [];
  const comments: Range[] = [];
  /** Comments of the statement that is being read. */
  let pending: Range[] = [];
  let start = 0;
  let depth = 0;
  const close = (end: number): void => {
    const found = readStatement(text, behindComments(text, start, pending), end);
    if (found !== undefined) definitions.push(found);
    for (const comment of pending) comments.push(comment);
    pending = [];
    start = end;
    depth = 0;
  };
  OPENS.lastIndex = 0;
  for (let mark = OPENS.exec(text); mark !== null; mark = OPENS.exec(text)) {
    const [sign] = mark;
    const end = mark.index + sign.length;
    if (sign === ";") {
      if (depth === 0) close(end);
    } else if (sign.startsWith("--")) pending.push({ start: mark.index, end: withoutReturn(text, end) });
    else if (sign === "/*") {
      OPENS.lastIndex = endOf(text, "*/", end);
      pending.push({ start: mark.index, end: OPENS.lastIndex });
    } else if (/^[a-z]/i.test(sign)) {
      // Blocks are those of routines: elsewhere the words are names.
      const opens = !/^end$/i.test(sign);
      if (opens ? depth > 0 || isRoutine(text.slice(behindComments(text, start, pending), mark.index)) : depth > 0)
        depth += opens ? 1 : -1;
    } else OPENS.lastIndex = endOf(text, sign, end);
  }
  close(text.length);
  return { definitions, wrappers: [], leading: comments, comments, docstrings: [], embedded: [] };
}

function isRoutine(statement: string): boolean {
  const kind = CREATE.exec(statement)?.[1];
  return kind !== undefined && ROUTINE.test(kind.toLowerCase());
}

function readStatement(text: string, start: number, end: number): Found | undefined {
  const statement = text.slice(start, end);
  if (statement.trim() === "" || statement.trim() === ";") return undefined;
  const create = CREATE.exec(statement);
  const trimmed = start + statement.trimEnd().length;
  if (create === null) {
    const name = /^\w+/.exec(statement)?.[0] ?? "statement";
    return { kind: "section", name, owner: [], start, end: trimmed, bodyStart: trimmed, isValue: false };
  }
  const [head, kind, written] = create;
  const names = written!.split(".").map((part) => part.replace(/^["`[]|["`\]]$/g, ""));
  const body = BODY.exec(statement.slice(head.length));
  const bodyStart = body === null ? trimmed : start + head.length + body.index;
  const isRoutineKind = ROUTINE.test(kind!.toLowerCase());
  const signatureEnd = isRoutineKind ? routineBody(statement, start, trimmed) : bodyStart;
  return {
    kind: kind!.toLowerCase(),
    name: names.at(-1)!,
    owner: names.slice(0, -1),
    start,
    end: trimmed,
    bodyStart: signatureEnd,
    isValue: false,
  };
}

/** The signature of a routine holds its parameters and what it returns. */
function routineBody(statement: string, start: number, end: number): number {
  const body = /\b(?:AS|BEGIN|LANGUAGE|EXECUTE)\b/i.exec(statement);
  return body === null ? end : start + body.index;
}

function behindComments(text: string, from: number, comments: readonly Range[]): number {
  let at = skipBlanks(text, from);
  for (const comment of comments) {
    if (comment.start !== at) break;
    at = skipBlanks(text, comment.end);
  }
  return at;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at]!.trim() === "") at++;
  return at;
}

function endOf(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at + sign.length;
}

function withoutReturn(text: string, end: number): number {
  return text[end - 1] === "\r" ? end - 1 : end;
}
