// Changes and searches at random, for comparing a store with the memory store.
import {
  type DocumentChange,
  type Filter,
  LEXICAL_FIELDS,
  type LexicalFields,
  type LexicalQuery,
} from "@docsearch/spec";
import fc from "fast-check";
import { page, removal } from "./builders.js";

const anyTerm = fc.constantFrom("a", "b", "c", "d", "e", "rare", "\u{1f600}", "\uff21");
const documentId = fc.integer({ min: 0, max: 11 }).map((n) => `d${n}`);

/**
 * Deletes and replaces a dozen documents.
 *
 * @param most occurrences of a term in a field, and length of a field, in half units
 */
export function anyChange(most: {
  readonly occurrences: number;
  readonly length: number;
}): fc.Arbitrary<DocumentChange> {
  const field = fc
    .tuple(
      fc.uniqueArray(fc.tuple(anyTerm, fc.integer({ min: 1, max: most.occurrences })), {
        maxLength: 6,
        selector: ([name]) => name,
      }),
      fc.integer({ min: 1, max: most.length }),
    )
    .map(([terms, length]) => ({
      terms: new Map(terms.map(([name, halves]) => [name, halves / 2])),
      length: length / 2,
    }));
  const fields: fc.Arbitrary<LexicalFields> = fc
    .record(Object.fromEntries(LEXICAL_FIELDS.map((name) => [name, field])), { requiredKeys: [] })
    .map((record) => record as LexicalFields);
  return fc.oneof(
    { weight: 1, arbitrary: documentId.map(removal) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(documentId, fc.array(fields, { maxLength: 6 }), fc.constantFrom("docs", "api"))
        .map(([id, chunks, collection]) =>
          page(
            id,
            chunks.map((each) => ({ fields: each })),
            { collection },
          ),
        ),
    },
  );
}

export const anyQuery: fc.Arbitrary<LexicalQuery> = fc.letrec<{ tree: LexicalQuery }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.record({ op: fc.constant("term" as const), term: anyTerm, weight: fc.constantFrom(0, 0.2, 1, 1.5) }),
    fc.record({ op: fc.constantFrom("or" as const, "and" as const), clauses: fc.array(tie("tree"), { maxLength: 5 }) }),
  ),
})).tree;

/** None, or one collection of `anyChange`. */
export const anyCollection: fc.Arbitrary<Filter | undefined> = fc.constantFrom(undefined, {
  op: "in",
  field: "collection",
  values: ["api"],
} as const);
