import type { LexicalQuery } from "@docsearch/spec";

/** What the tokenizer of `chunk_fts` leaves as it is, besides everything beyond ASCII. */
const PLAIN = /^[a-z0-9_.+#=\-\u0080-\uffff]+$/;

/**
 * A term as a token of FTS5: one word whatever it holds. Characters at which the tokenizer would cut, or which it would
 * change, become `~` and their code in two hexadecimal digits; the empty term becomes `~`.
 */
export function tokenOf(term: string): string {
  if (PLAIN.test(term)) return term;
  if (term === "") return "~";
  return term.replace(/[^a-z0-9_.+#=\-\u0080-\uffff]/g, (character) => {
    return `~${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}

/** The term that `tokenOf` was given. */
export function termOf(token: string): string {
  if (token === "~") return "";
  return token.replace(/~(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/**
 * A query as an expression of FTS5, every term in quotes; `undefined` when nothing can match. Terms of an `or` that
 * weigh less than `leastWeight` are left out, unless all of them do.
 */
export function ftsExpression(query: LexicalQuery, leastWeight: number): string | undefined {
  if (query.op === "term") return `"${tokenOf(query.term)}"`;
  const clauses = query.op === "or" ? heaviest(query.clauses, leastWeight) : query.clauses;
  const parts = clauses.map((clause) => ftsExpression(clause, leastWeight));
  if (query.op === "and" && parts.includes(undefined)) return undefined;
  const present = parts.filter((part) => part !== undefined);
  if (present.length === 0) return undefined;
  return `(${present.join(query.op === "or" ? " OR " : " AND ")})`;
}

function heaviest(clauses: readonly LexicalQuery[], leastWeight: number): readonly LexicalQuery[] {
  const heavy = clauses.filter((clause) => clause.op !== "term" || clause.weight >= leastWeight);
  return heavy.length > 0 ? heavy : clauses;
}
