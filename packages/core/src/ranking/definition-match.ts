import type { Chunk, ChunkSymbol } from "@docsearch/spec";
import type { QuerySymbol } from "../search/query-profile.js";
import { codePlaces, isCode } from "./code-place.js";
import { fileName } from "./heading-match.js";
import type { RuleFacts } from "./rule-facts.js";

/** How much a definition says by its kind. */
const KINDS: readonly (readonly [number, RegExp])[] = [
  [1, /^(?:class|struct|interface|trait|enum|type|union|protocol|record|object)$/],
  [0.8, /^(?:function|macro|component)$/],
  [0.6, /^(?:constant|const|variable|static|table|view)$/],
  [0.5, /^(?:method|constructor|getter|setter|implementation|impl)$/],
  [0.2, /^(?:module|namespace|package)$/],
  [0.15, /^(?:property|field|member)$/],
];
const OTHER_KIND = 0.5;
const FILE_OF_NAME = 1.5;
/** Where no definition has the name to the letter: a chunk that gives it to others, else one in another case. */
const REEXPORT = 0.6;
const OTHER_CASE = 0.8;
/** Beside a definition to the letter: one that differs by a sign in front, as `$ZodError`, `_match` and `@match` do. */
const OTHER_SIGN = 0.8;
const SIGNS = /^[$_@#]+/;

/** A chunk that defines, or stands in for a definition, before it is shared with others. */
interface Candidate {
  readonly facts: RuleFacts;
  readonly kind: number;
  readonly value: number;
  /** Whether its file shares the name; the others only have the value. */
  readonly isSharing: boolean;
}

/**
 * How well each chunk of code defines one of the query's symbols, by chunk id; the largest over the symbols.
 *
 * `certainty * kind * (1 + .1 ln(1 + lines)) / sqrt(n)`, 1.5 times that in a file that is named after it. Kinds below
 * half of the best are no definitions beside it; n is the number of files that are left and do the work, so no tests
 * or examples.
 */
export function matchDefinitions(
  facts: ReadonlyMap<string, RuleFacts>,
  symbols: readonly QuerySymbol[],
): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  if (symbols.length === 0) return values;
  const code = [...facts.values()].filter(({ chunk, document }) => chunk !== undefined && isCode(document, chunk));
  for (const symbol of symbols) {
    const definers = definersOf(code, symbol);
    const best = Math.max(...definers.map(({ kind }) => kind));
    const left = definers.filter(({ kind }) => kind >= best / 2);
    const files = new Set(
      left
        .filter(({ facts: { document }, isSharing }) => isSharing && codePlaces(document, false).length === 0)
        .map(({ facts: { document } }) => document.id),
    );
    for (const {
      facts: { chunk },
      value,
    } of left) {
      const shared = (symbol.certainty * value) / Math.sqrt(Math.max(1, files.size));
      values.set(chunk!.id, Math.max(shared, values.get(chunk!.id) ?? 0));
    }
  }
  return values;
}

function definersOf(code: readonly RuleFacts[], { name }: QuerySymbol): Candidate[] {
  const exact = code.flatMap((facts) => definitionIn(facts, name, (own) => own === name));
  const bare = name.replace(SIGNS, "");
  if (exact.length > 0) {
    const signed = code.flatMap((facts) =>
      definitionIn(facts, name, (own) => own !== name && own.replace(SIGNS, "") === bare),
    );
    return [...exact, ...signed.map((one) => ({ ...one, value: OTHER_SIGN * one.value, isSharing: false }))];
  }
  const given = code.filter(({ chunk, document }) => reexports(chunk!, name, document.path));
  if (given.length > 0) return given.map((facts) => ({ facts, kind: 1, value: REEXPORT, isSharing: true }));
  const folded = name.toLowerCase();
  return code
    .flatMap((facts) => definitionIn(facts, name, (own) => own.toLowerCase() === folded))
    .map((candidate) => ({ ...candidate, value: OTHER_CASE * candidate.value }));
}

/** The best definition of a name that begins in a chunk. */
function definitionIn(facts: RuleFacts, name: string, isName: (own: string) => boolean): Candidate[] {
  const own = (facts.chunk?.symbols ?? []).filter((symbol) => isName(symbol.name));
  const [first, ...others] = own.map((symbol): Candidate => {
    const kind = kindOf(symbol);
    const named = isNamedAfter(fileName(facts.document.path), name) ? FILE_OF_NAME : 1;
    return { facts, kind, value: kind * named * (1 + 0.1 * Math.log(1 + linesOf(symbol))), isSharing: true };
  });
  return first === undefined ? [] : [others.reduce((best, other) => (other.value > best.value ? other : best), first)];
}

/** Whether a name is that of a file, or one of its words. */
function isNamedAfter(file: string, name: string): boolean {
  const words = file
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const wanted = name.toLowerCase().replace(/[^a-z\d]/g, "");
  return words.includes(wanted) || words.join("") === wanted;
}

/** What gives a name to others: `pub use`, `export {`, `export *` and, in Python, an import at the start of a line. */
const PUBLISHES =
  /^[ \t]*(?:pub(?:\([^)\n]*\))?\s+use\b[^;]*|export\s+(?:type\s+)?\{[^}]*|from\s+\S+\s+import\s+(?:\([^)]*|[^\n]*))/gm;

/** Whether a chunk gives others a name that it does not define. */
function reexports({ text, language }: Chunk, name: string, path: string | undefined): boolean {
  if (!text.includes(name) || (language === "python" && !fileName(path).endsWith("__init__"))) return false;
  return [...text.matchAll(PUBLISHES)].some(([statement]) => statement.match(/[\w$]+/g)?.includes(name));
}

function kindOf({ kind }: ChunkSymbol): number {
  return KINDS.find(([, pattern]) => pattern.test(kind))?.[0] ?? OTHER_KIND;
}

function linesOf({ line, endLine }: ChunkSymbol): number {
  return endLine - line + 1;
}
