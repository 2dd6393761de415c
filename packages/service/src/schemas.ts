import { DocsearchError } from "@docsearch/spec";
import * as z from "zod/v4";
import type { Inputs, OperationName } from "./inputs.js";

export { outputSchema } from "./output-schemas.js";

const PATH = 1000;
const MOST_LINES = 10_000_000;

const maxChars = z.int().min(500).max(40_000).optional().describe("Default 8000");
const offset = z.int().min(0).max(10_000).default(0).describe("Skip so many");
const flag = z.boolean().default(false);
const name = z.string().min(1).max(PATH);

/** The one place that says what the operations take; defaults are filled in. */
const SCHEMAS: { readonly [N in OperationName]: z.ZodType<Inputs[N]> } = {
  search: z.strictObject({
    query: z.string().trim().min(1).max(2000).describe('Question or names; "quote" exact words'),
    limit: z.int().min(1).max(50).default(10).describe("Most results"),
    offset,
    mode: z.enum(["hybrid", "keyword", "semantic"]).default("hybrid").describe("How to search"),
    sources: z.array(name).min(1).max(20).optional().describe("Only these sources"),
    path: name.optional().describe("Only file, folder or glob"),
    kind: z.enum(["any", "docs", "code"]).default("any").describe("Kind of file"),
    language: z.string().min(1).max(40).optional().describe("E.g. typescript"),
    max_chars: maxChars,
  }),
  get_chunk: z.strictObject({
    chunk_id: z.string().min(1).max(100).describe("Id from search"),
    before: z.int().min(0).max(20).default(0).describe("Chunks before"),
    after: z.int().min(0).max(20).default(0).describe("Chunks after"),
    max_chars: maxChars,
  }),
  read: z.strictObject({
    path: name.describe("May end in :12-40"),
    start_line: z.int().min(1).max(MOST_LINES).optional().describe("First line"),
    end_line: z.int().min(1).max(MOST_LINES).optional().describe("Last line"),
    line_numbers: flag.describe("Number lines"),
    max_chars: maxChars,
  }),
  outline: z.strictObject({
    path: name.optional().describe("A file or folder"),
    source: name.optional().describe("Or a source"),
    depth: z.int().min(1).max(6).default(6).describe("Heading levels"),
    offset,
  }),
  list_sources: z.strictObject({}),
  index_path: z.strictObject({
    path: name.describe("Folder or file"),
    wait_ms: z.int().min(0).max(50_000).default(20_000).describe("Longest wait"),
  }),
  index_status: z.strictObject({
    job_id: z.string().min(1).max(40).optional().describe("Default all"),
    cancel: flag.describe("Stop it"),
  }),
  remove_source: z.strictObject({
    source: name.optional().describe("A source"),
    path: name.optional().describe("Or a file"),
  }),
};

/** Names that callers often use, and what is meant. They hold only where the operation has that argument. */
export const ALIASES: Readonly<Record<string, string>> = {
  q: "query",
  question: "query",
  k: "limit",
  top_k: "limit",
  num_results: "limit",
  file: "path",
  filepath: "path",
  id: "chunk_id",
};

/**
 * JSON Schema 2020-12 of what an operation takes, an object. It is read by a model at every call, so what `parseInput`
 * would say anyway is left out: lengths of names, defaults that are nothing, the type of an enumeration.
 */
export function inputSchema(operation: OperationName): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(SCHEMAS[operation], { io: "input" });
  const properties = Object.entries(schema.properties ?? {}).map(([key, property]) => [key, shortened(property)]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

function shortened(property: unknown): Record<string, unknown> {
  const {
    minLength,
    maxLength,
    minItems,
    type,
    default: byDefault,
    items,
    ...rest
  } = property as Record<string, unknown>;
  return {
    ...(rest.enum === undefined && { type }),
    ...(byDefault !== undefined && byDefault !== 0 && byDefault !== false && { default: byDefault }),
    ...(items !== undefined && { items: { type: (items as { readonly type?: unknown }).type } }),
    ...rest,
  };
}

/**
 * Checks what a caller sent, before any work.
 *
 * @throws `CONFIG_INVALID` that names each wrong argument, what it takes, and for an unknown one those there are
 */
export function parseInput<N extends OperationName>(operation: N, raw: unknown): Inputs[N] {
  const names = argumentNames(operation);
  const result = SCHEMAS[operation].safeParse(asMeant(operation, withoutAliases(raw ?? {}, names)));
  if (result.success) return result.data;
  const faults = result.error.issues.slice(0, 5).map((issue) => describeIssue(issue, names));
  const expected = `arguments of ${operation}: ${names.join(", ")}`;
  throw new DocsearchError("CONFIG_INVALID", `${faults.join("; ")}. Mend it and call ${operation} again.`, {
    setting: operation,
    value: faults.join("; "),
    expected,
  });
}

function argumentNames(operation: OperationName): string[] {
  return Object.keys((inputSchema(operation).properties ?? {}) as object);
}

function withoutAliases(raw: unknown, names: readonly string[]): unknown {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return raw;
  const renamed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    const meant = names.includes(key) ? key : (Object.hasOwn(ALIASES, key) && ALIASES[key]) || key;
    const isKnown = names.includes(meant);
    // A name that is given beside its alias wins.
    if (meant !== key && isKnown && Object.hasOwn(raw, meant)) continue;
    Object.defineProperty(renamed, isKnown ? meant : key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return renamed;
}

/** Numbers and flags that came as strings, and a string where a list is wanted: models write them so. */
function asMeant(operation: OperationName, raw: unknown): unknown {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return raw;
  const properties = (inputSchema(operation).properties ?? {}) as Readonly<Record<string, { readonly type?: unknown }>>;
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]) => {
      const type = Object.hasOwn(properties, key) ? properties[key]?.type : undefined;
      return [key, typeof value === "string" ? fromString(value, type) : value];
    }),
  );
}

function fromString(value: string, type: unknown): unknown {
  if (type === "integer" && /^-?\d{1,15}$/.test(value.trim())) return Number(value);
  if (type === "boolean" && /^(true|false)$/i.test(value.trim())) return value.trim().toLowerCase() === "true";
  if (type !== "array") return value;
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list : [value];
  } catch {
    return [value];
  }
}

function describeIssue(issue: z.core.$ZodIssue, names: readonly string[]): string {
  const at = issue.path.join(".");
  switch (issue.code) {
    case "unrecognized_keys":
      return `unknown argument ${issue.keys.map((key) => shortQuoted(key)).join(", ")}; known: ${names.join(", ")}`;
    case "invalid_value":
      return `${at} must be one of ${issue.values.join(", ")}`;
    case "too_small":
      return issue.origin === "string" && issue.minimum === 1
        ? `${at} is empty`
        : `${at} must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case "too_big":
      return `${at} must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case "invalid_type":
      return at === "" ? "the arguments must be an object" : `${at} must be ${issue.expected}${missing(issue)}`;
    default:
      return `${at}: ${issue.message}`;
  }
}

function missing(issue: z.core.$ZodIssue): string {
  return issue.message.includes("received undefined") ? ", and is missing" : "";
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " entries" : "";
}

function shortQuoted(key: string): string {
  return JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key);
}
