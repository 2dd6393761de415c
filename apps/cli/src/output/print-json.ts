/** Of the shapes that `--json` prints: raised when a field is removed or changes its meaning, not when one is added. */
const FORMAT_VERSION = 1;

/** Those that JSON leaves as they are and a terminal acts on; in JSON they only stand in strings. */
const UNSAFE = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Writes an object as one JSON document, indented on a terminal. */
export function printJson(value: object): void {
  const json = JSON.stringify({ formatVersion: FORMAT_VERSION, ...value }, null, process.stdout.isTTY ? 2 : undefined);
  process.stdout.write(`${json.replace(UNSAFE, escaped)}\n`);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
