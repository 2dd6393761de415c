/** Version of the shapes that `--json` prints. A field that is added does not change it, one that goes or turns does. */
export const JSON_FORMAT_VERSION = 1;

/** Those that JSON leaves as they are and a terminal acts on; in JSON they only stand in strings. */
const UNSAFE = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Writes an object as one JSON document, indented on a terminal. */
export function printJson(value: object): void {
  const json = JSON.stringify(
    { formatVersion: JSON_FORMAT_VERSION, ...value },
    null,
    process.stdout.isTTY ? 2 : undefined,
  );
  process.stdout.write(`${json.replace(UNSAFE, escaped)}\n`);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
