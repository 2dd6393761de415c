// A chunk's or document's fields as numbers, for stores that keep postings of their own. Occurrences and lengths are in
// half units, so that they are whole.

import { LEXICAL_FIELDS, type LexicalFields } from "@docsearch/spec";

export const FIELD_COUNT: number = LEXICAL_FIELDS.length;
/** Indexes of LEXICAL_FIELDS. */
export const TITLE: number = LEXICAL_FIELDS.indexOf("title");
export const ANCESTORS: number = LEXICAL_FIELDS.indexOf("ancestors");
export const PATH: number = LEXICAL_FIELDS.indexOf("path");

/** Lengths in half units by field. */
export function lengthsOf(fields: LexicalFields): number[] {
  return LEXICAL_FIELDS.map((name) => (fields[name]?.length ?? 0) * 2);
}

/** Lengths of a document as a whole, from those of its chunks: see `TextHits.documents`. */
export function documentLengths(chunks: readonly (readonly number[])[]): number[] {
  return LEXICAL_FIELDS.map((_, field) => {
    const lengths = chunks.map((chunk) => chunk[field]!);
    if (field === ANCESTORS) return 0;
    if (field === TITLE || field === PATH) return lengths.reduce((most, length) => Math.max(most, length), 0);
    return lengths.reduce((sum, length) => sum + length, 0);
  });
}

/**
 * By term the fields that hold it as bits, `1 << i` for LEXICAL_FIELDS[i], and occurrences and length in each of them.
 *
 * @param lengths those of the fields
 */
export function occurrencesOf(
  fields: LexicalFields,
  lengths: readonly number[],
): Map<string, [mask: number, numbers: number[]]> {
  const found = new Map<string, [number, number[]]>();
  LEXICAL_FIELDS.forEach((name, field) => {
    for (const [term, occurrences] of fields[name]?.terms ?? []) {
      let entry = found.get(term);
      if (entry === undefined) {
        entry = [0, []];
        found.set(term, entry);
      }
      entry[0] |= 1 << field;
      entry[1].push(occurrences * 2, lengths[field]!);
    }
  });
  return found;
}
