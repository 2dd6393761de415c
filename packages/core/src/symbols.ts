import type { CallOptions, Chunk, ChunkSymbol, DocumentRecord, Filter, VectorStore } from "@docsearch/spec";
import { fold } from "./analyzer/fold.js";
import { nameOfSymbolTerm, symbolTerm } from "./analyzer/symbol-term.js";
import { CANDIDATES, PROSE_RANKING } from "./ranking.js";

export interface SymbolRequest extends CallOptions {
  /** A name (`match`) or a qualified one (`Router.match`); case counts for the order only. */
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

/** Definitions by their name, from the lexical index: exact, whatever the size of the index. */
export async function findSymbols(store: VectorStore, request: SymbolRequest): Promise<SymbolResponse> {
  const { name, kind, filter, limit = 20, signal } = request;
  const call: CallOptions = signal === undefined ? {} : { signal };
  const wanted = fold(name);
  const { chunks: hits } = await store.searchText({
    query: { op: "term", term: symbolTerm(name), weight: 1 },
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
  const definitions = chunks.flatMap((chunk) => {
    const document = documents.get(chunk.documentId);
    if (document === undefined) return [];
    return (chunk.symbols ?? [])
      .filter((symbol) => fold(symbol.name) === wanted || fold(symbol.qualifiedName) === wanted)
      .filter((symbol) => kind === undefined || symbol.kind === kind)
      .map((symbol): SymbolHit => ({ symbol, chunk, document }));
  });
  definitions.sort((a, b) => caseMismatch(a, name) - caseMismatch(b, name) || comparePlaces(a, b));
  const similar = hits.length > 0 ? [] : await namesLike(store, name, call);
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
