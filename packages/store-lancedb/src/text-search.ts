import type { TextHits, TextSearch } from "@docsearch/spec";
import { bestScores, matchesAnyTerm, matchingChunks, termWeights } from "@docsearch/store-kit";
import { Bm25fScorer, type SegmentPostings } from "./bm25f.js";
import { chunkCount, documentOfChunk, type Facts } from "./facts.js";
import { chunkHits, documentHits } from "./hits.js";
import type { PostingCache } from "./posting-cache.js";
import { bytesOf, textsOf } from "./rows.js";
import type { Snapshot } from "./snapshot.js";
import { isOneOf } from "./sql.js";

/**
 * Ranks chunks and documents by BM25F. LanceDB finds the postings; scores are computed here, because the parameters
 * come with the search, and in the arithmetic of the reference.
 *
 * @param allowed indexes of the documents that may be found; absent: all may
 */
export async function searchText(
  snapshot: Snapshot,
  cache: PostingCache,
  search: TextSearch,
  allowed: readonly number[] | undefined,
): Promise<TextHits> {
  const { query: tree, ranking, limit } = search;
  const { facts } = snapshot;
  const size = chunkCount(facts);
  const scorer = new Bm25fScorer(ranking, facts);
  const weights = termWeights(tree);
  const postings = await readPostings(snapshot, cache, [...weights.keys()]);
  const anyTerm = matchesAnyTerm(tree);
  const found = new Uint8Array(size);
  const holding = new Map<string, Uint8Array>();
  for (const [term, weight] of weights) {
    const marks = anyTerm ? found : new Uint8Array(size);
    scorer.addTerm(weight, postings.get(term) ?? [], marks);
    holding.set(term, marks);
  }
  const chunks = anyTerm ? found : matchingChunks(tree, (term) => holding.get(term)!, size);
  const documents = restrict(facts, chunks, allowed);
  return {
    chunks: await chunkHits(snapshot, bestScores(scorer.chunkScores, chunks, chunks.length, limit), limit),
    documents: documentHits(snapshot, bestScores(scorer.documentScores, documents, documents.length, limit), limit),
    ceiling: scorer.ceiling(),
  };
}

/** Takes the chunks that may not be found out of `chunks`. Returns the documents of the others, as 1 by index. */
function restrict(facts: Facts, chunks: Uint8Array, allowed: readonly number[] | undefined): Uint8Array {
  const may = new Uint8Array(facts.ids.length);
  if (allowed === undefined) may.fill(1);
  else for (const index of allowed) may[index] = 1;
  const documents = new Uint8Array(facts.ids.length);
  let document = 0;
  for (let chunk = chunks.indexOf(1); chunk >= 0; chunk = chunks.indexOf(1, chunk + 1)) {
    if (chunk >= facts.firstChunk[document + 1]!) document = documentOfChunk(facts, chunk);
    if (may[document] === 1) documents[document] = 1;
    else chunks[chunk] = 0;
  }
  return documents;
}

/** The postings of terms by term, of the segments that are there. */
async function readPostings(
  snapshot: Snapshot,
  cache: PostingCache,
  terms: readonly string[],
): Promise<Map<string, readonly SegmentPostings[]>> {
  cache.begin(snapshot);
  const found = new Map<string, readonly SegmentPostings[]>();
  const absent: string[] = [];
  for (const term of terms) {
    const postings = cache.get(term);
    if (postings === undefined) absent.push(term);
    else found.set(term, postings);
  }
  if (absent.length === 0) return found;
  const rows = await snapshot.tables.posting
    .query()
    .where(isOneOf("term", absent))
    .select(["term", "segment", "bytes"])
    .toArrow();
  const read = new Map<string, SegmentPostings[]>(absent.map((term) => [term, []]));
  const [rowTerms, segments, bytes] = [textsOf(rows, "term"), textsOf(rows, "segment"), bytesOf(rows, "bytes")];
  rowTerms.forEach((term, row) => {
    const segment = segments[row]!;
    if (snapshot.facts.segments.has(segment)) read.get(term)!.push({ segment, bytes: bytes[row]! });
  });
  for (const [term, postings] of read) {
    found.set(term, postings);
    cache.add(snapshot, term, postings);
  }
  return found;
}
