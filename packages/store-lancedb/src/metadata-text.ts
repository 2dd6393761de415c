// Metadata as one text that conditions can look into, because its keys are not known beforehand. Each entry is
// a line feed, the key, SEPARATOR, the letter of the type, and the value; a line feed ends the last.
//
// What stands between is encoded so that it holds neither line feed nor separator, and so that the code of a text occurs
// inside the code of another exactly when the text occurs in the other: a code begins with \x1d, which is in no other place.

import type { Metadata } from "@docsearch/spec";

const SEPARATOR = "\x1d\x1d";

const CODES: Readonly<Record<string, string>> = {
  "\n": "\x1d\x1e\x1e",
  "\x1d": "\x1d\x1e\x1f",
  "\x1e": "\x1d\x1f\x1e",
  "\x1f": "\x1d\x1f\x1f",
};

const TYPES = { string: "s", number: "n", boolean: "b" } as const;

/** All entries. */
export function metadataText(metadata: Metadata): string {
  const entries = Object.entries(metadata).map(([key, value]) => keyText(key) + valueText(value));
  return `${entries.join("")}\n`;
}

/** The part of an entry before the type of its value. */
export function keyText(key: string): string {
  return `\n${encodeText(key)}${SEPARATOR}`;
}

/** The part of an entry from the type of its value on. */
export function valueText(value: string | number | boolean): string {
  return TYPES[typeof value as keyof typeof TYPES] + (typeof value === "string" ? encodeText(value) : String(value));
}

/** A text as it stands in a key or a value. */
export function encodeText(text: string): string {
  return text.replace(/[\n\x1d-\x1f]/g, (character) => CODES[character]!);
}
