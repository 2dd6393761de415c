// A filter is evaluated leaf by leaf: each is one of a few fixed statements with bound parameters, and finds a set of
// documents. The sets are combined here and not in SQL, so no filter is too deep or too long for SQLite.

import type { Filter } from "@docsearch/spec";
import type { Connection, SqlValue } from "./driver.js";

/** Documents by slot: 1 for those in the set. */
export type DocumentSet = Uint8Array;

type Leaf = Extract<Filter, { readonly field: string }>;

/** A condition on a row of `document`, and the values to bind. */
interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

const EVERY_DOCUMENT: Condition = { sql: "TRUE", values: [] };
const NO_DOCUMENT: Condition = { sql: "FALSE", values: [] };

/** Columns by the field that a filter names. All of them are text. */
const COLUMNS = new Map([
  ["id", "id"],
  ["collection", "collection"],
  ["path", "path"],
  ["mediaType", "media_type"],
]);

const METADATA_PREFIX = "metadata.";

/** The documents that meet a filter. Call it in a transaction. */
export function filteredDocuments(connection: Connection, filter: Filter): DocumentSet {
  const { high } = connection.prepare<{ high: number | null }>("SELECT max(slot) AS high FROM document").get()!;
  return evaluate(connection, filter, (high ?? 0) + 1);
}

/** @param size length of the set */
function evaluate(connection: Connection, filter: Filter, size: number): DocumentSet {
  switch (filter.op) {
    case "and": {
      const [first, ...rest] = filter.clauses;
      if (first === undefined) return select(connection, EVERY_DOCUMENT, size);
      const result = evaluate(connection, first, size);
      for (const clause of rest) {
        const other = evaluate(connection, clause, size);
        for (let slot = 0; slot < size; slot++) result[slot]! &= other[slot]!;
      }
      return result;
    }
    case "or": {
      const result = new Uint8Array(size);
      for (const clause of filter.clauses) {
        const other = evaluate(connection, clause, size);
        for (let slot = 0; slot < size; slot++) result[slot]! |= other[slot]!;
      }
      return result;
    }
    case "not": {
      const result = select(connection, EVERY_DOCUMENT, size);
      const other = evaluate(connection, filter.clause, size);
      for (let slot = 0; slot < size; slot++) result[slot]! &= 1 - other[slot]!;
      return result;
    }
    default:
      return select(connection, conditionOf(filter), size);
  }
}

/** The documents that meet one condition. One row with all slots comes several times faster than a row for each. */
function select(connection: Connection, { sql, values }: Condition, size: number): DocumentSet {
  const { slots } = connection
    .prepare<{ slots: string }>(`SELECT json_group_array(slot) AS slots FROM document WHERE ${sql}`)
    .get(...values)!;
  const set = new Uint8Array(size);
  for (const slot of JSON.parse(slots) as number[]) set[slot] = 1;
  return set;
}

function conditionOf(leaf: Leaf): Condition {
  const column = COLUMNS.get(leaf.field);
  if (column !== undefined) return textCondition(column, leaf);
  if (!leaf.field.startsWith(METADATA_PREFIX)) return NO_DOCUMENT;
  const { sql, values } = metadataCondition(leaf);
  return {
    sql: `EXISTS (SELECT 1 FROM json_each(document.metadata) AS entry WHERE entry.key = ? AND (${sql}))`,
    values: [leaf.field.slice(METADATA_PREFIX.length), ...values],
  };
}

/** A condition on a text. `instr` compares literally; LIKE would know wildcards and fold case. */
function textCondition(text: string, leaf: Leaf): Condition {
  switch (leaf.op) {
    case "in":
      // One bound array, because SQLite takes 32,766 values at most.
      return { sql: `${text} IN (SELECT value FROM json_each(?))`, values: [jsonOf(leaf.values, "string")] };
    case "prefix":
      return { sql: `instr(${text}, ?) = 1`, values: [leaf.value] };
    case "contains":
      return { sql: `instr(${text}, ?) > 0`, values: [leaf.value] };
    case "range":
      return NO_DOCUMENT;
  }
}

/** A condition on `entry`, the row of json_each with the metadata value. */
function metadataCondition(leaf: Leaf): Condition {
  const isText = "entry.type = 'text'";
  const isNumber = "entry.type IN ('integer', 'real')";
  switch (leaf.op) {
    case "in":
      return {
        sql: `${isText} AND entry.value IN (SELECT value FROM json_each(?))
          OR ${isNumber} AND entry.value IN (SELECT value FROM json_each(?))
          OR entry.type IN (SELECT value FROM json_each(?))`,
        values: [
          jsonOf(leaf.values, "string"),
          jsonOf(leaf.values, "number"),
          // json_each calls the types of booleans 'true' and 'false'.
          jsonOf(leaf.values.filter((value) => typeof value === "boolean").map(String), "string"),
        ],
      };
    case "prefix":
    case "contains": {
      const { sql, values } = textCondition("entry.value", leaf);
      return { sql: `${isText} AND ${sql}`, values };
    }
    case "range":
      return {
        sql: `${isNumber} AND entry.value >= ? AND entry.value <= ?`,
        values: [leaf.min ?? Number.NEGATIVE_INFINITY, leaf.max ?? Number.POSITIVE_INFINITY],
      };
  }
}

/** The values of one type as a JSON array. */
function jsonOf(values: readonly (string | number | boolean)[], type: "string" | "number"): string {
  return JSON.stringify(values.filter((value) => typeof value === type));
}
