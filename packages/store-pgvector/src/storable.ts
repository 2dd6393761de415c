/**
 * Whether Postgres can hold a text: it takes neither NUL nor half a surrogate pair. Nothing that is stored equals or
 * contains one that it cannot hold.
 */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
