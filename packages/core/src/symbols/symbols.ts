import type { CallOptions, Chunk, ChunkSymbol, DocumentRecord, Filter, VectorStore } from "@docsearch/spec";
import { fold } from "../analyzer/fold.js";
import { nameOfSymbolTerm, symbolTerm } from "../analyzer/symbol-term.js";
import { CANDIDATES, PROSE_RANKING } from "../ranking/ranking.js";

export interface SymbolRequest extends CallOptions {
  /**
   * A name (`match`), or one with names of what is around it (`Router.match`, as in code: `Router::match`,
   * `Router#match`). Case counts for the order only.
   */
  readonly name: string;
  /** Only definitions of this kind, such as `class`. */
  readonly kind?: string;
  readonly filter?: Filter;
  /** Most definitions. Default 20. */
  readonly limit?: number;
}

/** A definition and where it stands. */
export interface SymbolHit {
  readonly symbol: ChunkSymbol;
  readonly chunk: Chunk;
  readonly document: DocumentRecord;
}

export interface SymbolResponse {
  /** Names in the case asked for come first, then by path and line. */
  readonly definitions: readonly SymbolHit[];
  /** Names that begin like the one asked for, folded, in code unit order; looked for only when nothing has the name. */
  readonly similar: readonly string[];
}

const SIMILAR = 10;
/** Between names in languages that do not write a dot; not the one colon in `rule:hover`. */
const SEPARATOR = /::|#|->/g;

/** Definitions by their name, from the lexical index: exact, whatever the size of the index. */
export async function findSymbols(store: VectorStore, request: SymbolRequest): Promise<SymbolResponse> {
  const { name, kind, filter, limit = 20, signal } = request;
  const call: CallOptions = signal === undefined ? {} : { signal };
  const wanted = fold(name);
  // A name that is known by its last part lies deeper than it was asked for: `Server.listen` in a module `net`.
  const path = fold(name.replace(SEPARATOR, "."));
  const terms = new Set([symbolTerm(name), symbolTerm(path), symbolTerm(path.slice(path.lastIndexOf(".") + 1))]);
  const isNamed = (symbol: ChunkSymbol): boolean => {
    const full = fold(symbol.qualifiedName);
    return fold(symbol.name) === wanted || full === wanted || full === path || full.endsWith(`.${path}`);
  };
  const { chunks: hits } = await store.searchText({
    query: { op: "or", clauses: [...terms].map((term) => ({ op: "term", term, weight: 1 })) },
    ranking: PROSE_RANKING,
    limit: Math.max(limit, CANDIDATES),
    ...(filter !== undefined && { filter }),
    ...call,
  });
  const chunks = (
    await store.getChunks(
      hits.map(({ chunkId }) => chunkId),
      call,
    )
  ).filter((chunk) => chunk !== undefined);
  const documentIds = [...new Set(chunks.map(({ documentId }) => documentId))];
  const documents = new Map(
    (await store.getDocuments(documentIds, call)).flatMap((record) =>
      record === undefined ? [] : [[record.id, record]],
    ),
  );
  const named = chunks.flatMap((chunk) => {
    const document = documents.get(chunk.documentId);
    if (document === undefined) return [];
    return (chunk.symbols ?? []).filter(isNamed).map((symbol): SymbolHit => ({ symbol, chunk, document }));
  });
  const definitions = kind === undefined ? named : named.filter(({ symbol }) => symbol.kind === kind);
  definitions.sort((a, b) => caseMismatch(a, name) - caseMismatch(b, name) || comparePlaces(a, b));
  const similar = named.length > 0 ? [] : await namesLike(store, name, call);
  return { definitions: definitions.slice(0, limit), similar };
}

async function namesLike(store: VectorStore, name: string, call: CallOptions): Promise<string[]> {
  const terms = await store.listTerms({ prefix: symbolTerm(name), limit: SIMILAR, ...call });
  return terms.map(({ term }) => nameOfSymbolTerm(term));
}

function caseMismatch({ symbol }: SymbolHit, name: string): number {
  return symbol.name === name || symbol.qualifiedName === name ? 0 : 1;
}

function comparePlaces(a: SymbolHit, b: SymbolHit): number {
  const [one, other] = [a.document.path ?? a.document.id, b.document.path ?? b.document.id];
  if (one !== other) return one < other ? -1 : 1;
  return a.symbol.line - b.symbol.line;
}
