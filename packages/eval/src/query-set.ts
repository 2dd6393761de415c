import { DocsearchError } from "@docsearch/spec";

/** What answers a query: a document, a part of one, or a chunk. */
export interface EvalTarget {
  /** The document by its path, as results show it; documents without a path go by their id. */
  readonly path?: string;
  /** The document by its id. Give one of the two, or `chunkId` alone. */
  readonly documentId?: string;
  /** How well it answers: whole, at least 0; 0 is judged and not relevant. Default 1. */
  readonly grade?: number;
  /** First line of the part, from 1. Goes with `endLine`. */
  readonly startLine?: number;
  /** Last line of the part, inclusive. */
  readonly endLine?: number;
  /** First UTF-16 code unit of the part. Goes with `endOffset`. */
  readonly startOffset?: number;
  /** End of the part, exclusive. */
  readonly endOffset?: number;
  /** The one chunk that answers. It changes with the text, so a set by lines or offsets lives longer. */
  readonly chunkId?: string;
}

export interface EvalQuery {
  /** Names the query when runs are compared. In a file, default: the query itself. */
  readonly id: string;
  readonly query: string;
  /** Name of the group that the query is reported in, such as `question`. */
  readonly kind?: string;
  /** At least one of a grade above 0. */
  readonly relevant: readonly EvalTarget[];
  /** Paths of documents that do not count, such as the page that the query was taken from. */
  readonly exclude?: readonly string[];
}

const QUERY_KEYS = ["id", "query", "kind", "relevant", "relevant_chunk_ids", "exclude"];
const TARGET_KEYS = [
  "path",
  "documentId",
  "grade",
  "startLine",
  "endLine",
  "startOffset",
  "endOffset",
  "chunkId",
] satisfies readonly (keyof EvalTarget)[];
/** 2^10 - 1 is a thousand times the gain of grade 1: more is a slip. */
const MAX_GRADE = 10;

/**
 * Reads a query set: JSON lines, one query a line, blank lines left out. `relevant` may list paths, as texts, beside
 * targets; `relevant_chunk_ids` lists ids in its place. Strict: a misspelt key or a range with one
 * end would measure something else than its author meant.
 *
 * @param source name of the file, for messages
 * @throws `CONFIG_INVALID`, with the line's number
 */
export function parseQuerySet(text: string, source: string): EvalQuery[] {
  const queries: EvalQuery[] = [];
  const lineOf = new Map<string, number>();
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === "") continue;
    const place = `${source}:${index + 1}`;
    const query = parseQuery(line, place);
    const earlier = lineOf.get(query.id);
    if (earlier !== undefined) {
      fail(place, query.id, `an id of its own: line ${earlier} has the same; give both an "id"`);
    }
    lineOf.set(query.id, index + 1);
    queries.push(query);
  }
  if (queries.length === 0) fail(source, "empty", "at least one query");
  return queries;
}

function parseQuery(line: string, place: string): EvalQuery {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return fail(place, line, "a JSON object on one line");
  }
  const record = asRecord(value, QUERY_KEYS, place);
  const query = requireText(record.query, `${place}: query`);
  const { exclude } = record;
  const relevant = targetsIn(record, place);
  const targets = relevant.map((target, index) => parseTarget(target, `${place}: relevant[${index}]`));
  if (targets.every(({ grade }) => grade === 0)) {
    return fail(`${place}: relevant`, relevant, "at least one target of a grade above 0");
  }
  if (exclude !== undefined && !Array.isArray(exclude)) {
    return fail(`${place}: exclude`, exclude, "a list of paths");
  }
  return {
    id: record.id === undefined ? query : requireText(record.id, `${place}: id`),
    query,
    ...(record.kind !== undefined && { kind: requireText(record.kind, `${place}: kind`) }),
    relevant: targets,
    ...(exclude !== undefined && {
      exclude: exclude.map((path, index) => requireText(path, `${place}: exclude[${index}]`)),
    }),
  };
}

/** The targets as they stand; a text is a path, and a list of chunk ids may stand in their place. */
function targetsIn(
  { relevant, relevant_chunk_ids: chunkIds }: Readonly<Record<string, unknown>>,
  place: string,
): unknown[] {
  if (relevant !== undefined && chunkIds !== undefined) {
    return fail(place, "relevant and relevant_chunk_ids", "one of the two");
  }
  const list = chunkIds ?? relevant;
  if (!Array.isArray(list) || list.length === 0) {
    return fail(`${place}: relevant`, list, 'a list of targets, such as [{"path": "docs/retry.md"}]');
  }
  const key = chunkIds === undefined ? "path" : "chunkId";
  return list.map((target: unknown) => (typeof target === "string" ? { [key]: target } : target));
}

function parseTarget(value: unknown, place: string): EvalTarget {
  const target = asRecord(value, TARGET_KEYS, place);
  for (const key of ["path", "documentId", "chunkId"] as const) {
    if (target[key] !== undefined) requireText(target[key], `${place}.${key}`);
  }
  const names = [target.path, target.documentId].filter((name) => name !== undefined).length;
  if (names > 1 || (names === 0 && target.chunkId === undefined)) {
    fail(place, value, '"path" or "documentId", not both, or "chunkId" alone');
  }
  requireWhole(target.grade, `${place}.grade`, 0, MAX_GRADE);
  requireRange(target, "startLine", "endLine", 1, place);
  requireRange(target, "startOffset", "endOffset", 0, place);
  const parts = [target.startLine, target.startOffset, target.chunkId].filter((part) => part !== undefined).length;
  if (parts > 1) fail(place, value, "one of a range of lines, a range of offsets, and a chunk id");
  return target as EvalTarget;
}

function requireRange(
  target: Readonly<Record<string, unknown>>,
  startKey: string,
  endKey: string,
  least: number,
  place: string,
): void {
  const start = target[startKey];
  const end = target[endKey];
  if (start === undefined && end === undefined) return;
  requireWhole(start ?? null, `${place}.${startKey}`, least);
  requireWhole(end ?? null, `${place}.${endKey}`, (start as number) + (least === 0 ? 1 : 0));
}

function requireWhole(value: unknown, place: string, least: number, most: number = Number.MAX_SAFE_INTEGER): void {
  if (value === undefined) return;
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return;
  const limit = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  fail(place, value, `a whole number ${limit}`);
}

function requireText(value: unknown, place: string): string {
  return typeof value === "string" && value.trim() !== "" ? value : fail(place, value, "a text that is not blank");
}

function asRecord(value: unknown, keys: readonly string[], place: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fail(place, value, "a JSON object");
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) return fail(place, unknown, `none but the keys ${keys.join(", ")}`);
  return value as Readonly<Record<string, unknown>>;
}

function fail(place: string, found: unknown, expected: string): never {
  const text = typeof found === "string" ? found : (JSON.stringify(found) ?? "missing");
  const value = text.length > 200 ? `${text.slice(0, 200)}…` : text;
  throw new DocsearchError("CONFIG_INVALID", `${place}: found ${value}; expected ${expected}`, {
    setting: place,
    value,
    expected,
  });
}
