import type { Metadata } from "@docsearch/spec";

/** What a front matter parser makes of the text between the marks. */
export type Mapping =
  | { readonly ok: true; readonly values: Metadata }
  /** `line` is 0-based in that text. */
  | { readonly ok: false; readonly line: number; readonly reason: string };

export type Scalar = string | number | boolean;

/** The text is no mapping; the message says why. */
export class MappingError extends Error {}

/** Items of a list as one value; `undefined` when one of them is no scalar. */
export function joinScalars(items: readonly (Scalar | undefined)[]): string | undefined {
  return items.includes(undefined) ? undefined : items.join(", ");
}

/** Runs a parser that throws `MappingError`; `position` says how far it came. */
export function readMapping(text: string, position: () => number, parse: () => ReadonlyMap<string, Scalar>): Mapping {
  try {
    return { ok: true, values: Object.fromEntries(parse()) };
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    return { ok: false, line: text.slice(0, position()).split("\n").length - 1, reason: error.message };
  }
}
