import type { DocumentRecord, Filter } from "@docsearch/spec";

/**
 * Whether a document meets a filter, as `Filter` defines it: the reference for what stores compile.
 * No clauses: `and` holds, `or` does not. A field of another name is one that no document has.
 */
export function matchesFilter(filter: Filter, document: DocumentRecord): boolean {
  switch (filter.op) {
    case "and":
      return filter.clauses.every((clause) => matchesFilter(clause, document));
    case "or":
      return filter.clauses.some((clause) => matchesFilter(clause, document));
    case "not":
      return !matchesFilter(filter.clause, document);
    case "in": {
      const value = fieldValue(document, filter.field);
      return value !== undefined && filter.values.includes(value);
    }
    case "prefix": {
      const value = fieldValue(document, filter.field);
      return typeof value === "string" && value.startsWith(filter.value);
    }
    case "contains": {
      const value = fieldValue(document, filter.field);
      return typeof value === "string" && value.includes(filter.value);
    }
    case "range": {
      const value = fieldValue(document, filter.field);
      return (
        typeof value === "number" &&
        value >= (filter.min ?? Number.NEGATIVE_INFINITY) &&
        value <= (filter.max ?? Number.POSITIVE_INFINITY)
      );
    }
  }
}

const METADATA_PREFIX = "metadata.";

function fieldValue(document: DocumentRecord, field: string): string | number | boolean | undefined {
  switch (field) {
    case "id":
    case "collection":
    case "path":
    case "mediaType":
      return document[field];
  }
  if (!field.startsWith(METADATA_PREFIX)) return undefined;
  // A key may hold dots; one such as `constructor` must not reach the prototype.
  const key = field.slice(METADATA_PREFIX.length);
  return Object.hasOwn(document.metadata, key) ? document.metadata[key] : undefined;
}
