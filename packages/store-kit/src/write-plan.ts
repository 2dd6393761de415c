import { type Chunk, DocsearchError, type DocumentChange, type LexicalFields } from "@docsearch/spec";
import { assertValidVector } from "./vector-validity.js";

type Replace = Extract<DocumentChange, { readonly type: "replace" }>;

/** A document that is there before the write; a store adds what it needs to find it again. */
export interface StoredDocument {
  readonly id: string;
  readonly chunkIds: readonly string[];
}

/** Where a chunk's vector comes from: it is there already, it is written, or there is none. */
type VectorSource = "stored" | Float32Array | undefined;

/** What becomes of what models say about a chunk. */
interface PlannedVectors {
  readonly vector: VectorSource;
  /** With no vector: whether the model could not be asked. One that is "stored" is as it was, whatever this says. */
  readonly isLacking: boolean;
  /** Whether the chunk was there before the write and never went, so that it keeps the vectors of other models. */
  readonly stays: boolean;
}

export interface PlannedChunk extends PlannedVectors {
  readonly chunk: Chunk;
  readonly fields: LexicalFields;
}

/** A document as it will be. */
export interface PlannedDocument {
  readonly change: Replace;
  /** By ordinal. */
  readonly chunks: readonly PlannedChunk[];
}

/** A document in the course of the changes. */
type Current = { readonly stored: StoredDocument } | { readonly planned: PlannedDocument };

/**
 * Works out what a list of changes comes to, without touching the database: each document is written once, however
 * often it changes. `add` takes a change wholly or throws and leaves the plan as it was.
 */
export class WritePlan<Stored extends StoredDocument> {
  readonly result: { replaced: number; deleted: number; chunks: number } = { replaced: 0, deleted: 0, chunks: 0 };
  readonly #dimensions: number;
  readonly #stored: ReadonlyMap<string, Stored>;
  readonly #current = new Map<string, Current>();
  /** Document id by chunk id. */
  readonly #owners: Map<string, string>;
  readonly #touched = new Set<string>();

  /**
   * @param stored the documents that the changes name and that are there
   * @param owners document id by chunk id: of all chunks of `stored`, and of those that the changes name
   * @param dimensions of the vectors; 0 in an index without
   */
  constructor(stored: readonly Stored[], owners: Map<string, string>, dimensions: number) {
    this.#stored = new Map(stored.map((document) => [document.id, document]));
    for (const document of stored) this.#current.set(document.id, { stored: document });
    this.#owners = owners;
    this.#dimensions = dimensions;
  }

  add(change: DocumentChange): void {
    if (change.type === "delete") this.#delete(change.documentId);
    else this.#replace(change);
  }

  /** Documents that were there and are deleted or replaced. */
  get removed(): readonly Stored[] {
    return [...this.#touched].map((id) => this.#stored.get(id)).filter((document) => document !== undefined);
  }

  /** Documents that are written. */
  get written(): readonly PlannedDocument[] {
    return [...this.#touched].flatMap((id) => {
      const current = this.#current.get(id);
      return current !== undefined && "planned" in current ? [current.planned] : [];
    });
  }

  #delete(documentId: string): void {
    if (!this.#current.has(documentId)) return;
    this.#disown(documentId);
    this.#current.delete(documentId);
    this.#touched.add(documentId);
    this.result.deleted++;
  }

  #replace(change: Replace): void {
    const { document, chunks } = change;
    const before = this.#current.get(document.id);
    const vectors = before === undefined ? new Map<string, PlannedVectors>() : vectorsOf(before);
    const seen = new Set<string>();
    const planned = chunks.map(({ chunk, fields, embedding }): PlannedChunk => {
      const owner = this.#owners.get(chunk.id) ?? document.id;
      if (seen.has(chunk.id) || owner !== document.id || chunk.documentId !== document.id) {
        throw new DocsearchError(
          "STORE_FAILED",
          `Chunk ${chunk.id} cannot be written to document ${document.id}: an id stands for one chunk, in the document that the chunk names. Make chunk ids from the document id.`,
          { operation: "write" },
        );
      }
      seen.add(chunk.id);
      const kept = vectors.get(chunk.id);
      const stays = kept?.stays === true;
      if (embedding.kind === "vector") {
        assertValidVector(embedding.vector, this.#dimensions, `chunk ${chunk.id} of document ${document.id}`);
        return { chunk, fields, vector: embedding.vector, isLacking: false, stays };
      }
      if (embedding.kind === "none") {
        return { chunk, fields, vector: undefined, isLacking: embedding.isLacking === true, stays };
      }
      if (kept === undefined) {
        throw new DocsearchError(
          "CHUNK_MISSING",
          `There is no chunk ${chunk.id} in document ${document.id} whose vector could be kept. Write it with its vector, or with none.`,
          { chunkId: chunk.id },
        );
      }
      return { chunk, fields, ...kept };
    });
    planned.sort((a, b) => a.chunk.ordinal - b.chunk.ordinal);
    this.#disown(document.id);
    for (const id of seen) this.#owners.set(id, document.id);
    this.#current.set(document.id, { planned: { change, chunks: planned } });
    this.#touched.add(document.id);
    this.result.replaced++;
    this.result.chunks += chunks.length;
  }

  #disown(documentId: string): void {
    const current = this.#current.get(documentId);
    for (const id of current === undefined ? [] : vectorsOf(current).keys()) this.#owners.delete(id);
  }
}

const STORED: PlannedVectors = { vector: "stored", isLacking: false, stays: true };

/** What becomes of the vectors of a document's chunks, by chunk id. */
function vectorsOf(current: Current): Map<string, PlannedVectors> {
  if ("stored" in current) return new Map(current.stored.chunkIds.map((id) => [id, STORED]));
  return new Map(
    current.planned.chunks.map(({ chunk, vector, isLacking, stays }) => [chunk.id, { vector, isLacking, stays }]),
  );
}
