/** The text of a config file as plain data, with the places of its keys. */
export interface ConfigText {
  readonly value: unknown;
  /** Line of a key, 1-based, by the keys that lead to it; of the nearest one around it that is there. */
  lineOf(path: readonly string[]): number;
}

/** Line of an offset, 1-based. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** A key that stands twice in one object. */
export function duplicateKey(key: string, line: number, first: number): SyntaxError {
  return new SyntaxError(`line ${line} has the key ${JSON.stringify(key)} again, which line ${first} has`);
}
