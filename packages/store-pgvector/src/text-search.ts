import type { DocumentHit, Hit, TextHits, TextSearch } from "@docsearch/spec";
import { bestScores, codeUnitKey, matchesAnyTerm, matchingChunks, termWeights, textOfKey } from "@docsearch/store-kit";
import { Bm25fScorer } from "./bm25f.js";
import { byteaText } from "./bytea.js";
import type { Query } from "./database.js";
import type { EntryCache } from "./entry-cache.js";
import { chunkHits, documentHits } from "./hits.js";
import type { Snapshot } from "./snapshot.js";
import type { State } from "./state.js";

/**
 * Ranks chunks and documents by BM25F. Postgres finds the postings; scores are computed here, because the parameters
 * come with the search, and in the arithmetic of the reference.
 *
 * @param allowed slots of the documents that may be found; absent: all may
 */
export async function searchText(
  { query, tables, state }: Snapshot,
  cache: EntryCache,
  search: TextSearch,
  allowed: readonly number[] | undefined,
): Promise<TextHits> {
  const { schema } = tables;
  const { query: tree, ranking, limit } = search;
  const size = state.nextSlot;
  const scorer = new Bm25fScorer(
    ranking,
    { units: state.chunks, lengths: state.chunkLengths },
    { units: state.documents, lengths: state.documentLengths },
    size,
  );
  const weights = termWeights(tree);
  const entries = await readEntries(query, schema, state, cache, [...weights.keys()]);
  const anyTerm = matchesAnyTerm(tree);
  const found = new Uint8Array(size);
  const holding = new Map<string, Uint8Array>();
  for (const [term, weight] of weights) {
    const marks = anyTerm ? found : new Uint8Array(size);
    scorer.addTerm(weight, entries.get(term) ?? NO_ENTRIES, marks);
    holding.set(term, marks);
  }
  const chunks = anyTerm ? found : matchingChunks(tree, (term) => holding.get(term)!, size);
  const documents = restrict(chunks, scorer.documentOfChunk, allowed);
  const [chunkList, documentList]: [Hit[], DocumentHit[]] = [
    await chunkHits(query, schema, bestScores(scorer.chunkScores, chunks, size, limit), limit),
    await documentHits(query, schema, bestScores(scorer.documentScores, documents, size, limit), limit),
  ];
  return { chunks: chunkList, documents: documentList, ceiling: scorer.ceiling() };
}

const NO_ENTRIES = new Uint8Array(0);

/** Takes the chunks that may not be found out of `chunks`. Returns the documents of the others, as 1 by slot. */
function restrict(chunks: Uint8Array, documentOfChunk: Int32Array, allowed: readonly number[] | undefined): Uint8Array {
  const may = new Uint8Array(chunks.length);
  if (allowed === undefined) may.fill(1);
  else for (const slot of allowed) may[slot] = 1;
  const documents = new Uint8Array(chunks.length);
  for (let slot = 0; slot < chunks.length; slot++) {
    if (chunks[slot] === 0) continue;
    const document = documentOfChunk[slot]!;
    if (may[document] === 1) documents[document] = 1;
    else chunks[slot] = 0;
  }
  return documents;
}

/** The entries of terms, those of all documents in one piece. A term that nothing holds is left out. */
async function readEntries(
  query: Query,
  schema: string,
  state: State,
  cache: EntryCache,
  terms: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const stamp = `${state.epoch} ${state.generation}`;
  cache.begin(stamp);
  const found = new Map<string, Uint8Array>();
  const absent: string[] = [];
  for (const term of terms) {
    const entries = cache.get(term);
    if (entries === undefined) absent.push(term);
    else found.set(term, entries);
  }
  if (absent.length === 0) return found;
  const rows = await query<{ term: Uint8Array; entries: Uint8Array }>(
    `SELECT term, string_agg(entry, ''::bytea) AS entries FROM ${schema}.posting
     WHERE term = ANY ($1::text[]::bytea[]) GROUP BY term`,
    [absent.map((term) => byteaText(codeUnitKey(term)))],
  );
  for (const { term: key, entries } of rows) found.set(textOfKey(key), entries);
  for (const term of absent) cache.add(stamp, term, found.get(term) ?? NO_ENTRIES);
  return found;
}
