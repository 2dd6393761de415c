import type { CallOptions, Chunk, ChunkSymbol, VectorStore } from "@docsearch/spec";
import type { Analyzer } from "../analyzer/analyze.js";
import { symbolTerm } from "../analyzer/symbol-term.js";
import { CANDIDATES, PROSE_RANKING } from "../ranking/ranking.js";
import { findSymbols, type SymbolHit } from "./symbols.js";

/** Between code and the text that explains it. */
export interface SymbolLinks {
  /** Definitions that the chunk names between backticks, in the order of the text. Empty for code. */
  readonly definitions: readonly SymbolHit[];
  /** Chunks of text that name a definition of the chunk, best first. Empty for text. */
  readonly mentions: readonly Chunk[];
}

/** Names of a chunk that are looked up. */
const MAX_NAMES = 20;
/** A name that is defined in more places than this says too little about any of them. */
const MAX_DEFINITIONS = 3;
const MAX_MENTIONS = 5;
const CODE_SPAN = /`([^`\n]{2,100})`/g;
/** A name, or names joined by `.`, `::`, `#` or `->`, with or without brackets behind. */
const SYMBOL_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(.*\)?)?$/u;

/** What a chunk of text says about code, or what text says about a chunk of code. Names must agree to the letter. */
export async function getSymbolLinks(
  store: VectorStore,
  analyzer: Analyzer,
  chunk: Chunk,
  call: CallOptions = {},
): Promise<SymbolLinks> {
  const { symbols = [] } = chunk;
  if (symbols.length > 0) return { definitions: [], mentions: await findMentions(store, analyzer, symbols, call) };
  return { definitions: await findDefinitions(store, chunk, call), mentions: [] };
}

async function findDefinitions(store: VectorStore, chunk: Chunk, call: CallOptions): Promise<SymbolHit[]> {
  const found: SymbolHit[] = [];
  for (const name of namesIn(chunk.text)) {
    // Most names are not defined here; the list of terms tells without a search.
    const [term] = await store.listTerms({ prefix: symbolTerm(name), limit: 1, ...call });
    if (term?.term !== symbolTerm(name)) continue;
    const { definitions } = await findSymbols(store, { name, limit: MAX_DEFINITIONS + 1, ...call });
    const exact = definitions.filter(({ symbol }) => symbol.name === name || symbol.qualifiedName === name);
    if (exact.length <= MAX_DEFINITIONS) found.push(...exact);
  }
  return found;
}

/** The distinct names between backticks, with `.` between their parts and without brackets. */
function namesIn(text: string): string[] {
  const names = new Set<string>();
  for (const [, span] of text.matchAll(CODE_SPAN)) {
    if (!SYMBOL_NAME.test(span!)) continue;
    const name = span!.replace(/\(.*$/, "").replace(/::|#|->/g, ".");
    if (name.length > 2) names.add(name);
  }
  return [...names].slice(0, MAX_NAMES);
}

async function findMentions(
  store: VectorStore,
  analyzer: Analyzer,
  symbols: readonly ChunkSymbol[],
  call: CallOptions,
): Promise<Chunk[]> {
  const mentions = new Map<string, Chunk>();
  for (const { name } of symbols.slice(0, MAX_NAMES)) {
    if (name.length <= 2 || mentions.size >= MAX_MENTIONS) continue;
    const clauses = analyzer
      .analyze(name)
      .filter(({ class: termClass }) => termClass === "word" || termClass === "whole")
      .map(({ term }) => ({ op: "term", term, weight: 1 }) as const);
    if (clauses.length === 0) continue;
    const { chunks: hits } = await store.searchText({
      query: { op: "and", clauses },
      ranking: PROSE_RANKING,
      limit: CANDIDATES,
      ...call,
    });
    const chunks = await store.getChunks(
      hits.map(({ chunkId }) => chunkId),
      call,
    );
    for (const chunk of chunks) {
      if (chunk === undefined || chunk.language !== undefined || mentions.size >= MAX_MENTIONS) continue;
      if (namesIn(chunk.text).some((mention) => mention === name || mention.endsWith(`.${name}`))) {
        mentions.set(chunk.id, chunk);
      }
    }
  }
  return [...mentions.values()];
}
