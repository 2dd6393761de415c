import type {
  CallOptions,
  ChunkWrite,
  DocumentChange,
  DocumentRecord,
  Embedder,
  EmbeddingWrite,
  OutlineEntry,
  VectorStore,
} from "@docsearch/spec";
import { isDocsearchError } from "@docsearch/spec";
import { BatchEmbedder, type EmbedOutcome } from "../embedding/batch-embedder.js";
import { incompleteHash } from "./incomplete-hash.js";
import type { IndexEvent } from "./indexer.js";

/** A document that is chunked and waits to be embedded and written. */
export interface PreparedDocument {
  readonly document: DocumentRecord;
  readonly outline: readonly OutlineEntry[];
  readonly chunks: readonly {
    readonly write: Omit<ChunkWrite, "embedding">;
    /** Absent when the stored vector is kept. */
    readonly embedText?: string;
  }[];
}

type WriteCounts = Record<"empty" | "replaced" | "chunks" | "embedded" | "kept", number>;

/** Documents that are embedded together; their words may be in the store already. */
interface Batch {
  readonly documents: readonly PreparedDocument[];
  readonly vectors: Promise<Vectors>;
}

type Vectors = ReadonlyMap<string, EmbedOutcome>;

/** Chunks that are embedded and written at a time. */
const BATCH_CHUNKS = 2048;
/** A model that takes longer for a batch is not waited for: its documents are found by their words meanwhile. */
const PATIENCE_MS = 1000;
/** Batches whose words may be ahead of their vectors. They are kept in memory. */
const AHEAD_BATCHES = 4;

/**
 * Embeds documents in batches across their borders and writes each whole. With a slow model each is written twice: with
 * its words at once, and again when its vectors are there. In between its content hash says that they are missing, so
 * that a run that ends there is taken up by the next one.
 */
export class DocumentWriter {
  readonly counts: WriteCounts = { empty: 0, replaced: 0, chunks: 0, embedded: 0, kept: 0 };
  /** Chunks that were longer than the model takes. */
  truncated = 0;
  readonly #store: VectorStore;
  readonly #embedder: BatchEmbedder;
  readonly #call: CallOptions;
  readonly #onEvent: (event: IndexEvent) => void;
  readonly #onFailure: (documentId: string, error: unknown) => void;
  #pending: PreparedDocument[] = [];
  #pendingChunks = 0;
  /** In the order in which they are embedded. */
  readonly #batches: Batch[] = [];
  /** Ids of all that wait. */
  readonly #waiting = new Set<string>();

  constructor(
    parts: { readonly store: VectorStore; readonly embedder: Embedder | null },
    call: CallOptions,
    onEvent: (event: IndexEvent) => void,
    onFailure: (documentId: string, error: unknown) => void,
  ) {
    this.#store = parts.store;
    this.#embedder = new BatchEmbedder(parts.embedder, call);
    this.#call = call;
    this.#onEvent = onEvent;
    this.#onFailure = onFailure;
  }

  /** Whether a document with this id waits. Another one may not be added before `flush`. */
  isWaiting(documentId: string): boolean {
    return this.#waiting.has(documentId);
  }

  /** Takes a document, and writes what waits when it is enough. */
  async add(prepared: PreparedDocument): Promise<void> {
    this.#pending.push(prepared);
    this.#waiting.add(prepared.document.id);
    this.#pendingChunks += prepared.chunks.length;
    if (this.#pendingChunks >= BATCH_CHUNKS) await this.#begin();
  }

  /** Embeds and writes all that waits. */
  async flush(): Promise<void> {
    await this.#begin();
    while (this.#batches.length > 0) await this.#finish();
  }

  /** Resolves when the model is no longer at work. The signal of the calls must have fired, or nothing waits. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#batches.map(({ vectors }) => vectors));
  }

  async #begin(): Promise<void> {
    const documents = this.#pending;
    this.#pending = [];
    this.#pendingChunks = 0;
    if (documents.length === 0) return;
    const texts = documents.flatMap(({ chunks }) => chunks.map(({ embedText }) => embedText));
    const before = this.#batches.at(-1)?.vectors ?? Promise.resolve();
    const vectors = before.then(() => this.#embedder.embed(texts));
    // Whoever waits for it hears of a failure.
    vectors.catch(() => {});
    this.#batches.push({ documents, vectors });
    if (this.#batches.length === 1 && (await isSettled(vectors, PATIENCE_MS))) return this.#finish();
    await this.#writeWords(documents);
    while (this.#batches.length > AHEAD_BATCHES || (await this.#isFirstSettled())) await this.#finish();
  }

  async #isFirstSettled(): Promise<boolean> {
    const [first] = this.#batches;
    return first !== undefined && isSettled(first.vectors, 0);
  }

  /** Writes documents as they are found until their vectors are there. */
  async #writeWords(documents: readonly PreparedDocument[]): Promise<void> {
    const changes = documents.map((prepared) => changeOf(prepared, undefined).change);
    try {
      await this.#store.write(changes, this.#call);
    } catch (error) {
      // Which one it is shows when they are written with their vectors.
      if (!isDocumentFault(error)) throw error;
    }
    const ahead = this.#batches.flatMap((batch) => batch.documents);
    const chunks = ahead.reduce((sum, prepared) => sum + prepared.chunks.length, this.counts.chunks);
    this.#onEvent({ type: "write", chunks, embedded: this.counts.embedded });
  }

  /** Waits for the vectors of the first batch and writes it. */
  async #finish(): Promise<void> {
    const { documents, vectors: embedding } = this.#batches[0] as Batch;
    const vectors = await embedding;
    this.#batches.shift();
    const changes: DocumentChange[] = [];
    for (const prepared of documents) {
      const { id } = prepared.document;
      this.#waiting.delete(id);
      const { change, error } = changeOf(prepared, vectors);
      if (error !== undefined) this.#onFailure(id, error);
      this.#countCut(prepared);
      changes.push(change);
    }
    await this.#write(changes);
  }

  #countCut({ document, chunks }: PreparedDocument): void {
    for (const { write, embedText } of chunks) {
      if (embedText === undefined || !this.#embedder.isCut(embedText)) continue;
      this.truncated++;
      this.#onEvent({ type: "truncation", documentId: document.id, line: write.chunk.span.startLine });
    }
  }

  async #write(changes: readonly DocumentChange[]): Promise<void> {
    try {
      await this.#store.write(changes, this.#call);
      for (const change of changes) this.#count(change);
      this.#onEvent({ type: "write", chunks: this.counts.chunks, embedded: this.counts.embedded });
    } catch (error) {
      if (changes.length > 1 && isDocumentFault(error)) {
        for (const change of changes) await this.#write([change]);
        return;
      }
      const [change] = changes;
      if (change?.type !== "replace" || !isDocumentFault(error)) throw error;
      this.#onFailure(change.document.id, error);
    }
  }

  #count(change: DocumentChange): void {
    if (change.type !== "replace") return;
    const { chunks } = change;
    const outcome = chunks.length === 0 ? "empty" : "replaced";
    this.counts[outcome]++;
    this.counts.chunks += chunks.length;
    this.counts.kept += chunks.filter(({ embedding }) => embedding.kind === "keep").length;
    this.counts.embedded += chunks.filter(({ embedding }) => embedding.kind === "vector").length;
    this.#onEvent({ type: "document", documentId: change.document.id, outcome });
  }
}

/**
 * What is written of a document, with the first error of those of its chunks that could not be embedded.
 *
 * @param vectors by text; undefined while they are waited for
 */
function changeOf(
  { document, outline, chunks }: PreparedDocument,
  vectors: Vectors | undefined,
): { readonly change: DocumentChange; readonly error?: unknown } {
  const lacking: string[] = [];
  let failed: { readonly error: unknown } | undefined;
  const writes = chunks.map(({ write, embedText }): ChunkWrite => {
    if (embedText === undefined) return { ...write, embedding: { kind: "keep" } };
    const outcome = vectors?.get(embedText);
    const isLacking = vectors === undefined || outcome?.kind === "failed";
    if (isLacking) lacking.push(write.chunk.id);
    if (outcome?.kind === "failed") failed ??= outcome;
    return { ...write, embedding: isLacking ? { kind: "none", isLacking } : embeddingOf(outcome) };
  });
  const record = lacking.length === 0 ? document : { ...document, contentHash: incompleteHash(lacking) };
  return { change: { type: "replace", document: record, outline, chunks: writes }, ...failed };
}

function embeddingOf(outcome: EmbedOutcome | undefined): EmbeddingWrite {
  return outcome === undefined || outcome.kind === "failed" ? { kind: "none" } : outcome;
}

/** Faults of one document's data; anything else means that the store cannot go on. */
function isDocumentFault(error: unknown): boolean {
  return isDocsearchError(error, "VECTOR_INVALID") || isDocsearchError(error, "CHUNK_MISSING");
}

/** Whether work ends, one way or the other, within so many milliseconds. */
async function isSettled(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  const done = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}
