/** @import { DocumentRecord, Filter } from "@docsearch/spec" */

/**
 * Whether a document meets a filter of the contract. Without clauses `and` holds and `or` does not.
 *
 * @param {Filter} filter
 * @param {DocumentRecord} document
 * @returns {boolean}
 */
export function matchesFilter(filter, document) {
  switch (filter.op) {
    case "and":
      return filter.clauses.every((clause) => matchesFilter(clause, document));
    case "or":
      return filter.clauses.some((clause) => matchesFilter(clause, document));
    case "not":
      return !matchesFilter(filter.clause, document);
  }
  const value = fieldValue(document, filter.field);
  switch (filter.op) {
    case "in":
      return value !== undefined && filter.values.includes(value);
    case "prefix":
      return typeof value === "string" && value.startsWith(filter.value);
    case "contains":
      return typeof value === "string" && value.includes(filter.value);
    case "range": {
      const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = filter;
      return typeof value === "number" && value >= min && value <= max;
    }
  }
}

/**
 * @param {DocumentRecord} document
 * @param {string} field
 */
function fieldValue(document, field) {
  switch (field) {
    case "id":
    case "collection":
    case "path":
    case "mediaType":
      return document[field];
  }
  if (!field.startsWith("metadata.")) return undefined;
  const key = field.slice("metadata.".length);
  return Object.hasOwn(document.metadata, key) ? document.metadata[key] : undefined;
}
