/** A query longer than this is pasted text, whose words mean what they say. */
const MAX_LENGTH = 400;
const NEGATED =
  /,\s+(?:but\s+|and\s+)?(?:not|rather than|instead of|excluding|except(?: for)?)\s+[^,;]*?(?=[,;]|\.(?:\s|$)|$)/gi;

/**
 * The query without what it says it does not want: `, not the demo`, `, rather than`, `, instead of`, `, excluding`,
 * `, except`, each up to the next comma, semicolon or full stop. Search by words or by meaning would look for it.
 * A query with quotes is left as it is.
 */
export function withoutNegatedClauses(query: string): string {
  if (query.length > MAX_LENGTH || /["\u201c\u201d`\n]/.test(query)) return query;
  const rest = query.replace(NEGATED, "");
  return rest.trim() === "" ? query : rest;
}
