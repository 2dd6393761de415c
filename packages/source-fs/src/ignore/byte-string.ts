const NON_ASCII = /[^\x00-\x7f]/;

/**
 * The UTF-8 form of `text` with one character per byte. git compares bytes (its `?` takes one byte), and in this
 * form a name that is not valid UTF-8 can be compared too.
 */
export function toByteString(text: string): string {
  return NON_ASCII.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text;
}

/** A to Z become a to z and all else stays: how git folds case when `core.ignoreCase` is on. */
export function foldCase(bytes: string): string {
  return bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
