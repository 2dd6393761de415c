import type { CallOptions, Chunk, DocumentRecord, VectorStore } from "@docsearch/spec";
import type { ChunkReader } from "../search/chunk-reader.js";
import { isCode } from "./code-place.js";
import type { FusedHit } from "./fusion.js";
import { FILE_DEPTH, RULE_DEPTH } from "./ranking.js";

/** What the rules know of a candidate. */
export interface RuleFacts {
  readonly document: DocumentRecord;
  /** Absent behind the best, where a hit only counts for its file. */
  readonly chunk?: Chunk;
}

/** What of the candidates the rules look at more closely. */
export interface Wanted {
  /** Ids of chunks that define a name of the query. */
  readonly defining: ReadonlySet<string>;
  /** Names that should be defined somewhere; where one is not, a chunk that gives it to others may stand behind. */
  readonly names: readonly string[];
}

export interface FactsParts {
  readonly store: VectorStore;
  readonly reader: ChunkReader;
}

/**
 * Reads what the rules need, by chunk id: chunks and documents of the best hits and of those that define a name. Where
 * code is among them, also the documents of those behind, and where a name has no definition, their chunks.
 */
export async function readFacts(
  hits: readonly FusedHit[],
  { defining, names }: Wanted,
  { store, reader }: FactsParts,
  call: CallOptions,
): Promise<ReadonlyMap<string, RuleFacts>> {
  const facts = new Map<string, RuleFacts>();
  const documents = new Map<string, DocumentRecord | undefined>();
  const read = async (some: readonly FusedHit[], withChunks: boolean): Promise<void> => {
    const ids = [...new Set(some.map(({ documentId }) => documentId))].filter((id) => !documents.has(id));
    const [chunks, records] = await Promise.all([
      withChunks ? reader.read(some.map(({ chunkId }) => chunkId)) : [],
      ids.length > 0 ? store.getDocuments(ids, call) : [],
    ]);
    for (const [index, id] of ids.entries()) documents.set(id, records[index]);
    for (const [index, { chunkId, documentId }] of some.entries()) {
      const [chunk, document] = [chunks[index], documents.get(documentId)];
      // Missing only when another process replaced the document between the search and now.
      if (document !== undefined) facts.set(chunkId, { document, ...(chunk !== undefined && { chunk }) });
    }
  };
  const isBest = ({ chunkId }: FusedHit, index: number): boolean => index < RULE_DEPTH || defining.has(chunkId);
  await read(hits.filter(isBest), true);
  const known = [...facts.values()];
  if (!known.some(({ chunk, document }) => isCode(document, chunk))) return facts;
  const defined = new Set(known.flatMap(({ chunk }) => chunk?.symbols ?? []).map(({ name }) => name));
  await read(
    hits.slice(0, FILE_DEPTH).filter(({ chunkId }) => !facts.has(chunkId)),
    names.some((name) => !defined.has(name)),
  );
  return facts;
}
