// LanceDB takes conditions as text alone, so every value goes through here.

/** Whether a text can stand in a condition and in a column. Nothing that is stored equals or contains another one. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** A text as a literal. A quote is doubled; nothing else has a meaning inside of one. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Whether a column has one of the values; never null for a column that is not. */
export function isOneOf(column: string, values: readonly string[]): string {
  const list = values.filter(isStorable).map(quote);
  return list.length === 0 ? "FALSE" : `${column} IN (${list.join(", ")})`;
}
