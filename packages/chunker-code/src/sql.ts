import type { Range } from "@docsearch/text-split";
import type { Findings, Found } from "./findings.js";

const OPENS =
  /--[^\n]*|\/\*|'|"|`|\$(?:[a-z_]\w*)?\$|;|^[ \t]*(?:GO|\/)[ \t]*(?=\r?$)|^[ \t]*DELIMITER[ \t]+\S+|\bBEGIN\b(?!\s*(?:;|TRAN|WORK))|\bCASE\b|\bEND\b(?!\s+(?:IF|LOOP|WHILE|REPEAT|FOR)\b)/gim;
const NAME = String.raw`(?:"[^"]+"|\`[^\`]+\`|\[[^\]]+\]|[\w$#@]+)`;
const CREATE = new RegExp(
  String.raw`^CREATE\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|TRANSIENT|UNLOGGED|UNIQUE|CLUSTERED|NONCLUSTERED|FULLTEXT|SPATIAL|BITMAP|MATERIALIZED|RECURSIVE|SECURE|FOREIGN|EXTERNAL|VIRTUAL|CONSTRAINT|EDITIONABLE|NONEDITIONABLE|(?:DEFINER|ALGORITHM)\s*=\s*\S+|SQL\s+SECURITY\s+\w+)\s+)*(TABLE|VIEW|FUNCTION|PROCEDURE|PROC|TRIGGER|INDEX|TYPE|SCHEMA|SEQUENCE|DOMAIN|POLICY|PACKAGE|AGGREGATE|EVENT|MACRO|RULE|EXTENSION|DATABASE|SYNONYM|ROLE)\s+(?:BODY\s+)?(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?(${NAME}(?:\.${NAME})*)`,
  "i",
);
const BODY = /\bAS\b|\(/i;
const ROUTINE = /^(?:function|procedure|trigger|event|package)$/;
/** Lines of clients that end a batch of statements: `GO` of SQL Server, `/` of Oracle. */
const BATCH_END = /^[ \t]*(?:GO|\/)[ \t]*\r?$/im;

/**
 * Statements of SQL, of any dialect: there is no grammar of it that comes as WebAssembly. A statement ends at a
 * semicolon outside of strings, comments, dollar quotes and the blocks of routines; where the file has lines that end
 * batches, a routine ends at those, and behind `DELIMITER` every statement at what that says. `CREATE` makes a
 * definition, any other statement a section.
 */
export function readSql(text: string): Findings {
  const definitions: Found[] = [];
  const comments: Range[] = [];
  const hasBatches = BATCH_END.test(text);
  // Names in back-ticks are MySQL's, whose strings know the backslash.
  const hasEscapes = /`\w+`/.test(text);
  /** Comments of the statement that is being read. */
  let pending: Range[] = [];
  let start = 0;
  let depth = 0;
  /** What ends a statement instead of a semicolon. */
  let delimiter: string | undefined;
  /** Where it comes next. */
  let limit = -1;
  const statement = (end: number): string => text.slice(behindComments(text, start, pending), end);
  const close = (end: number, next = end): void => {
    const found = readStatement(text, behindComments(text, start, pending), end);
    if (found !== undefined) definitions.push(found);
    for (const comment of pending) comments.push(comment);
    pending = [];
    start = next;
    depth = 0;
  };
  OPENS.lastIndex = 0;
  for (;;) {
    const from = OPENS.lastIndex;
    const mark = OPENS.exec(text);
    if (delimiter !== undefined && limit < from) limit = indexOf(text, delimiter, from);
    if (delimiter !== undefined && limit <= (mark?.index ?? text.length) && limit < text.length) {
      OPENS.lastIndex = limit + delimiter.length;
      close(limit, OPENS.lastIndex);
      continue;
    }
    if (mark === null) break;
    const sign = mark[0];
    const end = mark.index + sign.length;
    if (sign === ";") {
      const isInside = depth > 0 || delimiter !== undefined || (hasBatches && isRoutine(statement(mark.index)));
      if (!isInside) close(end);
    } else if (sign.startsWith("--")) pending.push({ start: mark.index, end: withoutReturn(text, end) });
    else if (sign === "/*") {
      OPENS.lastIndex = endOf(text, "*/", end);
      pending.push({ start: mark.index, end: OPENS.lastIndex });
    } else if (/^\s*DELIMITER/i.test(sign)) {
      const [, word] = /(\S+)$/.exec(sign)!;
      close(mark.index, end);
      delimiter = word === ";" ? undefined : word;
      limit = -1;
    } else if (/^\s*(?:GO|\/)\s*$/i.test(sign)) close(mark.index, end);
    else if (/^[a-z]/i.test(sign)) {
      // Blocks are those of routines: elsewhere the words are names.
      const opens = !/^end$/i.test(sign);
      if (opens ? depth > 0 || isRoutine(statement(mark.index)) : depth > 0) depth += opens ? 1 : -1;
    } else OPENS.lastIndex = hasEscapes && /^['"]$/.test(sign) ? endOfEscaped(text, sign, end) : endOf(text, sign, end);
  }
  close(text.length);
  return { definitions, wrappers: [], leading: comments, comments, docstrings: [], embedded: [] };
}

function isRoutine(statement: string): boolean {
  const kind = CREATE.exec(statement)?.[1];
  return kind !== undefined && ROUTINE.test(kindNamed(kind));
}

function kindNamed(word: string): string {
  const kind = word.toLowerCase();
  return kind === "proc" ? "procedure" : kind;
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
  const isRoutineKind = ROUTINE.test(kindNamed(kind!));
  const signatureEnd = isRoutineKind ? routineBody(statement, start, trimmed) : bodyStart;
  return {
    kind: kindNamed(kind!),
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

function indexOf(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at;
}

function endOf(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at + sign.length;
}

function endOfEscaped(text: string, sign: string, from: number): number {
  let at = text.indexOf(sign, from);
  while (at >= 0 && isEscaped(text, at, from)) at = text.indexOf(sign, at + 1);
  return at < 0 ? text.length : at + 1;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let signs = 0;
  while (at - 1 - signs >= from && text[at - 1 - signs] === "\\") signs++;
  return signs % 2 === 1;
}

function withoutReturn(text: string, end: number): number {
  return text[end - 1] === "\r" ? end - 1 : end;
}
