import type { Chunk, ChunkSymbol } from "@docsearch/spec";
import type { QuerySymbol } from "./query-profile.js";

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
const OTHER_CASE = 0.8;
const FILE_OF_NAME = 1.5;

/** The best definition, by name, of one of the query's symbols that begins in a chunk. */
export interface DefinitionMatch {
  readonly name: string;
  /** Before it is divided by the number of files that define the name. */
  readonly value: number;
}

/**
 * `certainty * kind * (1 + .1 ln(1 + lines))`, 1.5 times that in a file that is named after it, .8 times when only
 * the case differs.
 *
 * @param file the words of the file's name, in lower case and joined
 */
export function matchDefinition(
  chunk: Chunk,
  symbols: readonly QuerySymbol[],
  file: string,
): DefinitionMatch | undefined {
  let best: DefinitionMatch | undefined;
  for (const { name, certainty } of symbols) {
    for (const symbol of chunk.symbols ?? []) {
      const likeness = symbol.name === name ? 1 : symbol.name.toLowerCase() === name.toLowerCase() ? OTHER_CASE : 0;
      if (likeness === 0) continue;
      const named = joined(file).includes(joined(name)) && file !== "" ? FILE_OF_NAME : 1;
      const value = certainty * likeness * named * kindOf(symbol) * (1 + 0.1 * Math.log(1 + linesOf(symbol)));
      if (best === undefined || value > best.value) best = { name, value };
    }
  }
  return best;
}

/** What gives a name to others: `pub use`, `export {`, `export *` and, in Python, an import at the start of a line. */
const PUBLISHES =
  /^[ \t]*(?:pub(?:\([^)\n]*\))?\s+use\b[^;]*|export\s+(?:type\s+)?\{[^}]*|from\s+\S+\s+import\s+(?:\([^)]*|[^\n]*))/gm;
/** Beside a definition, which says more. */
const REEXPORT = 0.6;

/**
 * The same for a chunk that gives others a name that it does not define: it stands in for a definition that the
 * index does not have.
 */
export function matchReexport(
  chunk: Chunk,
  symbols: readonly QuerySymbol[],
  file: string,
): DefinitionMatch | undefined {
  let best: DefinitionMatch | undefined;
  if (symbols.length === 0 || (chunk.language === "python" && !file.endsWith("__init__"))) return undefined;
  const names = new Set<string>();
  for (const [statement] of chunk.text.matchAll(PUBLISHES)) {
    for (const name of statement.match(/[\w$]+/g) ?? []) names.add(name);
  }
  for (const { name, certainty } of symbols) {
    const value = certainty * REEXPORT;
    if (names.has(name) && (best === undefined || value > best.value)) best = { name, value };
  }
  return best;
}

function kindOf({ kind }: ChunkSymbol): number {
  return KINDS.find(([, pattern]) => pattern.test(kind))?.[0] ?? OTHER_KIND;
}

function linesOf({ line, endLine }: ChunkSymbol): number {
  return endLine - line + 1;
}

function joined(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
