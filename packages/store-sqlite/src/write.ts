import { type ChunkWrite, DocsearchError, type DocumentChange, type WriteResult } from "@docsearch/spec";
import { assertValidVector } from "@docsearch/store-kit";
import { ChunkBlockWriter } from "./chunk-blocks.js";
import type { Connection } from "./driver.js";
import type { LexicalIndex, LexicalWriter } from "./lexical/lexical-index.js";
import { type State, writeState } from "./meta.js";
import { chunkValues, documentValues, INSERT_CHUNK, UPSERT_DOCUMENT } from "./records.js";
import { nextSlot, renumberIfSparse } from "./renumber.js";
import type { VectorIndex, VectorWriter } from "./vector-index.js";

/** What a write changes. */
export interface WriteParts {
  readonly connection: Connection;
  readonly lexical: LexicalIndex;
  /** Absent in an index without vectors. */
  readonly vectors: VectorIndex | undefined;
  /** Of the vectors; 0 without. */
  readonly dimensions: number;
  /** The vectors of other models, as there are at the time of the call. */
  readonly others: () => readonly VectorIndex[];
}

type Replace = Extract<DocumentChange, { readonly type: "replace" }>;

interface StoredChunk {
  readonly slot: number;
  readonly id: string;
  readonly terms: number;
}

/**
 * The changes of one call, in one transaction. Rows are written at once, what is packed when `finish` is called. After
 * an error the transaction must be rolled back and the batch thrown away.
 */
export class WriteBatch {
  readonly #parts: WriteParts;
  readonly #blocks: ChunkBlockWriter;
  readonly #lexical: LexicalWriter;
  readonly #vectors: VectorWriter | undefined;
  readonly #others: readonly VectorIndex[];
  readonly #otherWriters: readonly VectorWriter[];
  readonly #before: State;
  #nextSlot: number;
  #chunks: number;
  #livePostings: number;
  readonly #result = { replaced: 0, deleted: 0, chunks: 0 };

  /** @param before the state of the index, read in the same transaction */
  constructor(parts: WriteParts, before: State) {
    this.#parts = parts;
    this.#blocks = new ChunkBlockWriter(parts.connection);
    this.#lexical = parts.lexical.writer();
    this.#vectors = parts.vectors?.writer();
    this.#others = parts.others();
    this.#otherWriters = this.#others.map((index) => index.writer());
    this.#before = before;
    this.#chunks = this.#before.chunks;
    this.#livePostings = this.#before.livePostings;
    this.#nextSlot = nextSlot(parts.connection);
  }

  apply(change: DocumentChange): void {
    if (change.type === "delete") this.#delete(change.documentId);
    else this.#replace(change);
  }

  finish(): WriteResult {
    const { replaced, deleted } = this.#result;
    if (replaced + deleted === 0) return this.#result;
    const { connection, lexical, vectors } = this.#parts;
    const generation = this.#before.generation + 1;
    this.#blocks.finish(generation);
    this.#lexical.finish(this.#livePostings);
    for (const writer of this.#writers()) writer.finish(generation);
    const state: State = {
      generation,
      numbering: this.#before.numbering,
      chunks: this.#chunks,
      livePostings: this.#livePostings,
    };
    const all = vectors === undefined ? this.#others : [vectors, ...this.#others];
    writeState(connection, renumberIfSparse(connection, lexical, all, state));
    return this.#result;
  }

  #writers(): readonly VectorWriter[] {
    return this.#vectors === undefined ? this.#otherWriters : [this.#vectors, ...this.#otherWriters];
  }

  #delete(documentId: string): void {
    const document = this.#documentSlot(documentId);
    if (document === undefined) return;
    const chunks = this.#chunksOf(document);
    this.#removeChunks(document, chunks);
    this.#removeVectors(chunks);
    this.#parts.connection.prepare("DELETE FROM document WHERE slot = ?").run(document);
    this.#result.deleted++;
  }

  #replace({ document, outline, chunks }: Replace): void {
    const { connection } = this.#parts;
    const known = this.#documentSlot(document.id);
    const stored = known === undefined ? [] : this.#chunksOf(known);
    const storedSlots = new Map(stored.map(({ id, slot }) => [id, slot]));
    this.#assertValid(document.id, chunks, storedSlots);
    const { slot: documentSlot } = connection
      .prepare<{ slot: number }>(UPSERT_DOCUMENT)
      .get(...documentValues(document, outline))!;
    this.#removeChunks(documentSlot, stored);
    const insert = connection.prepare(INSERT_CHUNK);
    for (const { chunk, fields, embedding } of [...chunks].sort((a, b) => a.chunk.ordinal - b.chunk.ordinal)) {
      const slot = this.#nextSlot++;
      const terms = this.#lexical.add(slot, fields);
      insert.run(...chunkValues(slot, documentSlot, chunk, terms));
      this.#blocks.put(slot, documentSlot, fields);
      if (embedding.kind === "vector") this.#vectors?.put(slot, embedding.vector);
      if (embedding.kind === "none" && embedding.isLacking !== true) this.#vectors?.putNone(slot);
      if (embedding.kind === "keep") this.#vectors?.copy(storedSlots.get(chunk.id)!, slot);
      const stayed = storedSlots.get(chunk.id);
      if (stayed !== undefined) for (const writer of this.#otherWriters) writer.copy(stayed, slot);
      this.#livePostings += terms;
    }
    // Not before the vectors that are kept were copied.
    this.#removeVectors(stored);
    this.#chunks += chunks.length;
    this.#result.replaced++;
    this.#result.chunks += chunks.length;
  }

  #removeVectors(chunks: readonly StoredChunk[]): void {
    for (const writer of this.#writers()) for (const { slot } of chunks) writer.remove(slot);
  }

  #documentSlot(documentId: string): number | undefined {
    return this.#parts.connection.prepare<{ slot: number }>("SELECT slot FROM document WHERE id = ?").get(documentId)
      ?.slot;
  }

  #chunksOf(document: number): StoredChunk[] {
    return this.#parts.connection
      .prepare<StoredChunk>("SELECT slot, id, terms FROM chunk WHERE document = ?")
      .all(document);
  }

  #removeChunks(document: number, chunks: readonly StoredChunk[]): void {
    this.#parts.connection.prepare("DELETE FROM chunk WHERE document = ?").run(document);
    for (const { slot, terms } of chunks) {
      this.#blocks.remove(slot);
      this.#lexical.remove(slot);
      this.#livePostings -= terms;
    }
    this.#chunks -= chunks.length;
  }

  /** Throws what is wrong with a replacement before anything is changed. */
  #assertValid(documentId: string, chunks: readonly ChunkWrite[], stored: ReadonlyMap<string, number>): void {
    const owner = this.#parts.connection.prepare("SELECT 1 FROM chunk WHERE id = ?");
    const seen = new Set<string>();
    for (const { chunk, embedding } of chunks) {
      const ofOther = !stored.has(chunk.id) && owner.get(chunk.id) !== undefined;
      if (seen.has(chunk.id) || ofOther || chunk.documentId !== documentId) {
        throw new DocsearchError(
          "STORE_FAILED",
          `Chunk ${chunk.id} cannot be written to document ${documentId}: an id stands for one chunk, in the document that the chunk names. Make chunk ids from the document id.`,
          { operation: "write" },
        );
      }
      seen.add(chunk.id);
      if (embedding.kind === "vector") {
        assertValidVector(embedding.vector, this.#parts.dimensions, `chunk ${chunk.id} of document ${documentId}`);
      }
      if (embedding.kind === "keep" && !stored.has(chunk.id)) {
        throw new DocsearchError(
          "CHUNK_MISSING",
          `There is no chunk ${chunk.id} in document ${documentId} whose vector could be kept. Write it with its vector, or with none.`,
          { chunkId: chunk.id },
        );
      }
    }
  }
}
