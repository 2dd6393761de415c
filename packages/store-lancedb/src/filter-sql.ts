import { DocsearchError, type Filter } from "@docsearch/spec";
import { encodeText, keyText, valueText } from "./metadata-text.js";
import { isOneOf, isStorable, quote } from "./sql.js";

type Leaf = Extract<Filter, { readonly field: string }>;

/** Columns by the field that a filter names. */
const COLUMNS = new Map([
  ["id", "document_id"],
  ["collection", "collection"],
  ["path", "path"],
  ["mediaType", "media_type"],
]);

const METADATA_PREFIX = "metadata.";

/** The parser of LanceDB takes some fifty. */
const MOST_LEVELS = 40;

/**
 * A filter as a condition on a row of `document` or `chunk`. It is never null.
 *
 * @throws `UNSUPPORTED` when `and` and `or` are nested too deep
 */
export function filterCondition(filter: Filter): string {
  return compile(filter, false, MOST_LEVELS);
}

/** @param negated whether the opposite is wanted; so `not` nests no deeper, however often it is repeated */
function compile(filter: Filter, negated: boolean, levels: number): string {
  switch (filter.op) {
    case "not":
      return compile(filter.clause, !negated, levels);
    case "and":
    case "or": {
      const isAnd = (filter.op === "and") !== negated;
      if (filter.clauses.length === 0) return isAnd ? "TRUE" : "FALSE";
      const left = levels - Math.ceil(Math.log2(filter.clauses.length));
      if (left < 1) {
        throw new DocsearchError(
          "UNSUPPORTED",
          `The filter is nested deeper than the ${MOST_LEVELS} levels that a LanceDB index takes. Put clauses of the same operator into one list.`,
          { operation: "filter" },
        );
      }
      return join(
        filter.clauses.map((clause) => compile(clause, negated, left)),
        isAnd ? " AND " : " OR ",
      );
    }
    default: {
      const condition = leafCondition(filter);
      return negated ? `NOT ${condition}` : condition;
    }
  }
}

/** Joins in pairs: a long list would be a tree as deep as it is long, which ends the process. */
function join(clauses: readonly string[], operator: string): string {
  if (clauses.length === 1) return clauses[0]!;
  const middle = clauses.length >> 1;
  return `(${join(clauses.slice(0, middle), operator)}${operator}${join(clauses.slice(middle), operator)})`;
}

function leafCondition(leaf: Leaf): string {
  const column = COLUMNS.get(leaf.field);
  if (column !== undefined) return `coalesce(${columnCondition(column, leaf)}, FALSE)`;
  if (!leaf.field.startsWith(METADATA_PREFIX) || !isStorable(leaf.field)) return "FALSE";
  return `coalesce(${metadataCondition(keyText(leaf.field.slice(METADATA_PREFIX.length)), leaf)}, FALSE)`;
}

/** `contains` and `starts_with` compare literally; LIKE would know wildcards. */
function columnCondition(column: string, leaf: Leaf): string {
  switch (leaf.op) {
    case "in":
      return isOneOf(
        column,
        leaf.values.filter((value) => typeof value === "string"),
      );
    case "prefix":
      return isStorable(leaf.value) ? `starts_with(${column}, ${quote(leaf.value)})` : "FALSE";
    case "contains":
      return isStorable(leaf.value) ? `contains(${column}, ${quote(leaf.value)})` : "FALSE";
    case "range":
      return "FALSE";
  }
}

/** @param key as it stands in the text of the metadata */
function metadataCondition(key: string, leaf: Leaf): string {
  switch (leaf.op) {
    case "in":
      return isOneOf(storedValue(key, ""), leaf.values.map(valueText));
    case "prefix":
      return columnCondition(storedValue(key, "s"), { ...leaf, value: encodeText(leaf.value) });
    case "contains":
      return columnCondition(storedValue(key, "s"), { ...leaf, value: encodeText(leaf.value) });
    case "range": {
      const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = leaf;
      if (Number.isNaN(min) || Number.isNaN(max)) return "FALSE";
      return `CAST(${storedValue(key, "n")} AS DOUBLE) BETWEEN ${double(min)} AND ${double(max)}`;
    }
  }
}

/** What stands behind a key and the letter of a type; null when nothing does. */
function storedValue(key: string, type: "" | "s" | "n"): string {
  return `array_element(regexp_match(metadata, ${quote(`${literal(key)}${type}([^\n]*)`)}), 1)`;
}

/** A text as a regular expression that matches it alone. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function double(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "CAST('inf' AS DOUBLE)";
  if (value === Number.NEGATIVE_INFINITY) return "CAST('-inf' AS DOUBLE)";
  return `CAST('${value}' AS DOUBLE)`;
}
