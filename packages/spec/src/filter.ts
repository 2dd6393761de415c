/**
 * A condition on documents, applied before the best hits are taken.
 *
 * `field` is `id`, `collection`, `path`, `mediaType`, or `metadata.` and a key. Comparison is exact:
 * case-sensitive, and of the same type (`1` is not `"1"`). A document without the field matches no leaf.
 */
export type Filter =
  | { readonly op: "and" | "or"; readonly clauses: readonly Filter[] }
  | { readonly op: "not"; readonly clause: Filter }
  | { readonly op: "in"; readonly field: string; readonly values: readonly (string | number | boolean)[] }
  /** The value is a string that begins with `value`. */
  | { readonly op: "prefix"; readonly field: string; readonly value: string }
  /** The value is a string that contains `value`. */
  | { readonly op: "contains"; readonly field: string; readonly value: string }
  /** The value is a number in the closed range. */
  | { readonly op: "range"; readonly field: string; readonly min?: number; readonly max?: number };
