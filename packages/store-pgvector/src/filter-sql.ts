import type { Filter } from "@docsearch/spec";
import { isStorable } from "./storable.js";

type Leaf = Extract<Filter, { readonly field: string }>;

/** A condition on a row of `document`, and the values of its parameters from `$1` on. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Columns by the field that a filter names. All of them are text of the collation "C". */
const COLUMNS = new Map([
  ["id", "id"],
  ["collection", "collection"],
  ["path", "path"],
  ["mediaType", "media_type"],
]);

const METADATA_PREFIX = "metadata.";

/** A filter as SQL. No value stands in the text, and the text is never null. */
export function filterCondition(filter: Filter): Condition {
  const compiler = new Compiler();
  return { sql: compiler.compile(filter, false), parameters: compiler.parameters };
}

class Compiler {
  readonly parameters: unknown[] = [];

  /** @param negated whether the opposite is wanted; so `not` nests no deeper, however often it is repeated */
  compile(filter: Filter, negated: boolean): string {
    switch (filter.op) {
      case "not":
        return this.compile(filter.clause, !negated);
      case "and":
      case "or": {
        const isAnd = (filter.op === "and") !== negated;
        if (filter.clauses.length === 0) return isAnd ? "TRUE" : "FALSE";
        const clauses = filter.clauses.map((clause) => this.compile(clause, negated));
        return clauses.length === 1 ? clauses[0]! : `(${clauses.join(isAnd ? " AND " : " OR ")})`;
      }
      default: {
        const sql = this.#leaf(filter);
        return negated ? `NOT ${sql}` : sql;
      }
    }
  }

  #leaf(leaf: Leaf): string {
    const column = COLUMNS.get(leaf.field);
    if (column !== undefined) return this.#onText(column, leaf);
    if (!leaf.field.startsWith(METADATA_PREFIX)) return "FALSE";
    if (!isStorable(leaf.field)) return "FALSE";
    // Before the key is bound: Postgres refuses a parameter that stands nowhere.
    if (leaf.op === "range" && hasNaN(leaf)) return "FALSE";
    const key = this.#bind(leaf.field.slice(METADATA_PREFIX.length), "text");
    return this.#onMetadata(`metadata -> ${key}`, `metadata ->> ${key}`, leaf);
  }

  /** `strpos` and `starts_with` compare literally; LIKE would know wildcards. */
  #onText(text: string, leaf: Leaf): string {
    switch (leaf.op) {
      case "in": {
        const values = leaf.values.filter((value) => typeof value === "string" && isStorable(value));
        return `coalesce(${text} = ANY (${this.#bind(values, "text[]")}), FALSE)`;
      }
      case "prefix":
        if (!isStorable(leaf.value)) return "FALSE";
        return `coalesce(starts_with(${text}, ${this.#bind(leaf.value, "text")}), FALSE)`;
      case "contains":
        if (!isStorable(leaf.value)) return "FALSE";
        return `coalesce(strpos(${text}, ${this.#bind(leaf.value, "text")}) > 0, FALSE)`;
      case "range":
        return "FALSE";
    }
  }

  /**
   * @param value the value as jsonb
   * @param text the same as text
   */
  #onMetadata(value: string, text: string, leaf: Leaf): string {
    switch (leaf.op) {
      case "in": {
        // Two values of jsonb are equal only when they have the same type. NaN and infinity have no JSON.
        const values = leaf.values.filter((each) =>
          typeof each === "string" ? isStorable(each) : typeof each !== "number" || Number.isFinite(each),
        );
        const json = this.#bind(
          values.map((each) => JSON.stringify(each)),
          "text[]",
        );
        return `coalesce(${value} = ANY (${json}::jsonb[]), FALSE)`;
      }
      case "prefix":
      case "contains":
        return `(coalesce(jsonb_typeof(${value}) = 'string', FALSE) AND ${this.#onText(`(${text}) COLLATE "C"`, leaf)})`;
      case "range": {
        const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = leaf;
        const [low, high] = [this.#bind(String(min), "float8"), this.#bind(String(max), "float8")];
        return `(CASE WHEN jsonb_typeof(${value}) = 'number' THEN (${text})::float8 BETWEEN ${low} AND ${high} ELSE FALSE END)`;
      }
    }
  }

  #bind(value: unknown, type: string): string {
    this.parameters.push(value);
    return `$${this.parameters.length}::${type}`;
  }
}

/** For Postgres NaN is above every number; no number is in such a range. */
function hasNaN({ min, max }: Extract<Leaf, { readonly op: "range" }>): boolean {
  return Number.isNaN(min) || Number.isNaN(max);
}
