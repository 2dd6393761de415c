import type { DocumentRecord, Filter, VectorStore } from "@docsearch/spec";
import { matchesFilter } from "../../../core/src/memory-store/filter-match.js";
import { ALL, type Saboteur, saboteur } from "./saboteur.js";

type Leaf = Exclude<Filter, { op: "and" | "or" | "not" }>;
type Value = string | number | boolean | undefined;

/** Parts of a filter's evaluation. The defaults are right. */
interface FilterParts {
  readonly value: (field: string, record: DocumentRecord) => unknown;
  readonly leaf: (filter: Leaf, value: Value) => boolean;
  readonly and: (results: readonly boolean[]) => boolean;
  readonly or: (results: readonly boolean[]) => boolean;
  readonly not: (result: boolean, clause: Filter, record: DocumentRecord) => boolean;
}

function fieldValue(field: string, record: DocumentRecord): unknown {
  if (["id", "collection", "path", "mediaType"].includes(field)) return record[field as keyof DocumentRecord];
  const key = field.slice("metadata.".length);
  return field.startsWith("metadata.") && Object.hasOwn(record.metadata, key) ? record.metadata[key] : undefined;
}

function leafMatches(filter: Leaf, value: Value): boolean {
  // The reference, on a document whose one field has the value.
  const metadata: Record<string, string | number | boolean> = value === undefined ? {} : { value };
  const record = { id: "", collection: "", contentHash: "", mediaType: "", metadata };
  return matchesFilter({ ...filter, field: "metadata.value" }, record);
}

const RIGHT: FilterParts = {
  value: fieldValue,
  leaf: leafMatches,
  and: (results) => results.every(Boolean),
  or: (results) => results.some(Boolean),
  not: (result) => !result,
};

function evaluate(filter: Filter, record: DocumentRecord, parts: FilterParts): boolean {
  switch (filter.op) {
    case "and":
    case "or":
      return parts[filter.op](filter.clauses.map((clause) => evaluate(clause, record, parts)));
    case "not":
      return parts.not(evaluate(filter.clause, record, parts), filter.clause, record);
    default:
      return parts.leaf(filter, parts.value(filter.field, record) as Value);
  }
}

/** The memory store with one part of its filters wrong. */
function filtered(name: string, reason: string, wrong: Partial<FilterParts>): Saboteur {
  const parts: FilterParts = { ...RIGHT, ...wrong };
  return saboteur(name, reason, (inner) => {
    const rewrite = async <T extends { readonly filter?: Filter }>(search: T): Promise<T> => {
      const { filter } = search;
      if (filter === undefined) return search;
      const records = await inner.listDocuments({ limit: ALL });
      const values = records.filter((record) => evaluate(filter, record, parts)).map(({ id }) => id);
      return { ...search, filter: { op: "in", field: "id", values } };
    };
    return {
      searchText: async (search) => inner.searchText(await rewrite(search)),
      searchVector: async (search) => inner.searchVector(await rewrite(search)),
      listDocuments: async (page) => inner.listDocuments(await rewrite(page)),
    };
  });
}

/** Not a saboteur: shows that the filters above are right as long as none of their parts is replaced. */
export const UNTOUCHED_FILTERS: Saboteur = filtered("nothing wrong with filters", "The parts are all right.", {});

/** SQL's LIKE: `%` is any text, `_` any character. */
function like(pattern: string, value: string): boolean {
  const source = pattern
    .replace(/[.*+?^${}()|[\]\\]/gu, "\\$&")
    .replace(/%/gu, "[\\s\\S]*")
    .replace(/_/gu, "[\\s\\S]");
  return new RegExp(`^${source}$`, "u").test(value);
}

function stringLeaf(
  op: "prefix" | "contains",
  test: (wanted: string, value: string) => boolean,
): Pick<FilterParts, "leaf"> {
  return {
    leaf: (filter, value) =>
      filter.op === op ? typeof value === "string" && test(filter.value, value) : leafMatches(filter, value),
  };
}

/** Keeps the right filter on the other calls, and the first `limit` of the unfiltered answer on one. */
function filterLate<T>(
  hits: readonly T[],
  limit: number,
  records: readonly DocumentRecord[],
  filter: Filter,
  idOf: (hit: T) => string,
): T[] {
  const passing = new Set(records.filter((record) => matchesFilter(filter, record)).map(({ id }) => id));
  return hits.slice(0, limit).filter((hit) => passing.has(idOf(hit)));
}

const all = (inner: VectorStore): Promise<readonly DocumentRecord[]> => inner.listDocuments({ limit: ALL });

export const FILTER_SABOTEURS: readonly Saboteur[] = [
  filtered("a range leaves out its lower bound", "`>` in place of `>=`.", {
    leaf: (filter, value) => leafMatches(filter, value) && !(filter.op === "range" && value === filter.min),
  }),
  filtered("a range leaves out its upper bound", "`<` in place of `<=`.", {
    leaf: (filter, value) => leafMatches(filter, value) && !(filter.op === "range" && value === filter.max),
  }),
  filtered("a range takes strings of digits", "SQL casts text to numbers.", {
    leaf: (filter, value) =>
      leafMatches(
        filter,
        filter.op === "range" && typeof value === "string" && value !== "" && Number.isFinite(Number(value))
          ? Number(value)
          : value,
      ),
  }),
  filtered("a range takes booleans for 0 and 1", "SQLite has no booleans.", {
    leaf: (filter, value) =>
      leafMatches(filter, filter.op === "range" && typeof value === "boolean" ? Number(value) : value),
  }),
  filtered("a range without bounds matches nothing", "A comparison with null is null.", {
    leaf: (filter, value) =>
      leafMatches(filter, value) && !(filter.op === "range" && filter.min === undefined && filter.max === undefined),
  }),
  filtered("booleans match 0 and 1", "SQLite has no booleans.", {
    leaf: (filter, value) =>
      filter.op === "in"
        ? leafMatches(
            {
              ...filter,
              values: filter.values.map((wanted) => (typeof wanted === "boolean" ? Number(wanted) : wanted)),
            },
            typeof value === "boolean" ? Number(value) : value,
          )
        : leafMatches(filter, value),
  }),
  filtered("values are compared as text", "Metadata is stored as text.", {
    leaf: (filter, value) =>
      filter.op === "in"
        ? leafMatches({ ...filter, values: filter.values.map(String) }, value === undefined ? value : String(value))
        : leafMatches(filter, value),
  }),
  filtered("falsy values do not match", "A value is tested for truth.", {
    leaf: (filter, value) => Boolean(value) && leafMatches(filter, value),
  }),
  filtered(
    "prefix by LIKE",
    "`_` and `%` are wildcards.",
    stringLeaf("prefix", (wanted, value) => like(`${wanted}%`, value)),
  ),
  filtered(
    "contains by LIKE",
    "`_` and `%` are wildcards.",
    stringLeaf("contains", (wanted, value) => like(`%${wanted}%`, value)),
  ),
  filtered(
    "prefix ignores case",
    "LIKE ignores the case of ASCII letters.",
    stringLeaf("prefix", (wanted, value) => value.toLowerCase().startsWith(wanted.toLowerCase())),
  ),
  filtered(
    "contains ignores case",
    "LIKE ignores the case of ASCII letters.",
    stringLeaf("contains", (wanted, value) => value.toLowerCase().includes(wanted.toLowerCase())),
  ),
  filtered(
    "contains by regular expression",
    "The value goes into a pattern as it is.",
    stringLeaf("contains", (wanted, value) => {
      try {
        return new RegExp(wanted, "u").test(value);
      } catch {
        return value.includes(wanted);
      }
    }),
  ),
  filtered("an empty prefix matches nothing", "The empty string is taken for absent.", {
    leaf: (filter, value) => leafMatches(filter, value) && !(filter.op === "prefix" && filter.value === ""),
  }),
  filtered("prefix matches numbers", "Numbers are cast to text.", {
    leaf: (filter, value) =>
      leafMatches(filter, filter.op === "prefix" && typeof value === "number" ? String(value) : value),
  }),
  filtered("`not` wants the field", "NOT null is null in SQL.", {
    not: (result, clause, record) => !result && !("field" in clause && fieldValue(clause.field, record) === undefined),
  }),
  filtered("an absent field is the empty string", "Columns are declared NOT NULL DEFAULT ''.", {
    value: (field, record) => fieldValue(field, record) ?? "",
  }),
  filtered("`and` is taken for `or` in filters", "Clauses are joined by the wrong word.", {
    and: (results) => results.some(Boolean),
  }),
  filtered("`or` is taken for `and` in filters", "Clauses are joined by the wrong word.", {
    or: (results) => results.every(Boolean),
  }),
  filtered("an empty `or` holds", "An empty condition is left out.", {
    or: (results) => results.length === 0 || results.some(Boolean),
  }),
  filtered("an empty `and` does not hold", "An empty condition is false.", {
    and: (results) => results.length > 0 && results.every(Boolean),
  }),
  filtered("a metadata key is a path", "A dot goes down into the value.", {
    value: (field, record) =>
      field.startsWith("metadata.") ? record.metadata[field.split(".")[1] ?? ""] : fieldValue(field, record),
  }),
  filtered("a metadata key reaches the prototype", "Looked up without an own-property test.", {
    value: (field, record) => {
      const value = field.startsWith("metadata.") ? record.metadata[field.slice(9)] : fieldValue(field, record);
      return typeof value === "function" ? String(value) : value;
    },
  }),
  filtered("metadata keys ignore case", "Column names ignore case.", {
    value: (field, record) => {
      const entry = Object.entries(record.metadata).find(
        ([key]) => `metadata.${key}`.toLowerCase() === field.toLowerCase(),
      );
      return field.startsWith("metadata.") ? entry?.[1] : fieldValue(field, record);
    },
  }),
  filtered("any column can be a field", "The field's name goes into the query as it is.", {
    value: (field, record) => fieldValue(field, record) ?? (record as unknown as Record<string, unknown>)[field],
  }),
  filtered("only the first 1,000 values count", "A statement takes so many variables.", {
    leaf: (filter, value) =>
      leafMatches(filter.op === "in" ? { ...filter, values: filter.values.slice(0, 1000) } : filter, value),
  }),
  saboteur("text search filters chunks after the limit", "The filter is a second step.", (inner) => ({
    searchText: async ({ filter, ...search }) => {
      const answer = await inner.searchText({ ...search, ...(filter !== undefined && { filter }) });
      if (filter === undefined) return answer;
      const { chunks } = await inner.searchText(search);
      return { ...answer, chunks: filterLate(chunks, search.limit, await all(inner), filter, (hit) => hit.documentId) };
    },
  })),
  saboteur("text search filters documents after the limit", "The filter is a second step.", (inner) => ({
    searchText: async ({ filter, ...search }) => {
      const answer = await inner.searchText({ ...search, ...(filter !== undefined && { filter }) });
      if (filter === undefined) return answer;
      const { documents } = await inner.searchText(search);
      return {
        ...answer,
        documents: filterLate(documents, search.limit, await all(inner), filter, (hit) => hit.documentId),
      };
    },
  })),
  saboteur("vector search filters after the limit", "The index knows no filter.", (inner) => ({
    searchVector: async ({ filter, ...search }) => {
      const hits = await inner.searchVector(search);
      return filter === undefined
        ? hits
        : filterLate(hits, search.limit, await all(inner), filter, (hit) => hit.documentId);
    },
  })),
  saboteur(
    "vector search filters among the nearest 100",
    "The index is asked for more than the limit, and filtered.",
    (inner) => ({
      searchVector: async ({ filter, ...search }) => {
        if (filter === undefined) return await inner.searchVector(search);
        const hits = await inner.searchVector({ ...search, limit: 100 });
        return filterLate(hits, 100, await all(inner), filter, (hit) => hit.documentId).slice(0, search.limit);
      },
    }),
  ),
  saboteur("listing filters after the limit", "The filter is a second step.", (inner) => ({
    listDocuments: async ({ filter, ...page }) => {
      const records = await inner.listDocuments(page);
      return filter === undefined ? records : records.filter((record) => matchesFilter(filter, record));
    },
  })),
  saboteur("documents of a text search are not filtered", "The filter is on the query for chunks alone.", (inner) => ({
    searchText: async ({ filter, ...search }) => {
      const answer = await inner.searchText({ ...search, ...(filter !== undefined && { filter }) });
      return { ...answer, documents: (await inner.searchText(search)).documents };
    },
  })),
];
