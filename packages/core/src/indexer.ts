import {
  type CallOptions,
  type ChunkDraft,
  type Chunker,
  type ChunkOptions,
  type ChunkWrite,
  type Document,
  type DocumentChange,
  type DocumentRecord,
  type Embedder,
  type EmbeddingWrite,
  isDocsearchError,
  type SourceItem,
  type VectorStore,
} from "@docsearch/spec";
import type { Analyzer } from "./analyzer/analyze.js";
import { BatchEmbedder, type EmbedOutcome } from "./batch-embedder.js";
import { chunkDocument, wellFormed } from "./chunk-document.js";
import { chunkAnalyzer } from "./chunk-fields.js";
import { chunkIds } from "./chunk-id.js";
import { composeEmbedText } from "./embed-text.js";
import { chunksToEmbed, incompleteHash } from "./incomplete-hash.js";
import { shortHeading, withShortHeadings } from "./short-headings.js";

export interface IndexRequest extends CallOptions {
  /** Documents, or what a `DocumentSource` reads. Of two with the same id the later one stays. */
  readonly documents: AsyncIterable<Document | SourceItem> | Iterable<Document | SourceItem>;
  /**
   * Delete the documents of these collections that do not come up; failed ones are kept. A collection of which nothing
   * is left is kept whole and reported, unless `emptied` says otherwise: more often than not a drive is not mounted, or
   * a filter is wrong.
   */
  readonly prune?: { readonly collections: readonly string[]; readonly emptied?: "keep" | "delete" };
  /** Progress, for showing only. The report is the record. */
  readonly onEvent?: (event: IndexEvent) => void;
}

export type IndexEvent =
  | { readonly type: "document"; readonly documentId: string; readonly outcome: "unchanged" | "empty" | "replaced" }
  | { readonly type: "skip"; readonly path: string; readonly reason: string }
  /** The chunker has something to say about a document, which is indexed all the same. */
  | { readonly type: "diagnostic"; readonly documentId: string; readonly message: string; readonly line?: number }
  | { readonly type: "failure"; readonly documentId: string; readonly error: unknown }
  | { readonly type: "delete"; readonly documentId: string }
  /** The chunk that starts in this line was longer than the model takes: its vector stands for its beginning alone. */
  | { readonly type: "truncation"; readonly documentId: string; readonly line: number }
  /** So many chunks are searchable now. */
  | { readonly type: "write"; readonly chunks: number; readonly embedded: number };

export interface IndexFailure {
  readonly documentId: string;
  readonly error: unknown;
}

export interface IndexReport {
  /** Documents that came up, failed ones included. */
  readonly scanned: number;
  readonly unchanged: number;
  /** New or changed documents without any text; they are recorded, with no chunk. */
  readonly empty: number;
  /** New or changed documents. */
  readonly replaced: number;
  readonly deleted: number;
  /** Chunks of the replaced documents. */
  readonly chunks: number;
  /** Chunks that were embedded in this run. */
  readonly embedded: number;
  /** Chunks whose vector stayed as it was. */
  readonly kept: number;
  /** Number of files that the source left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly failures: readonly IndexFailure[];
  /** Chunks that were longer than the model takes; absent when there are none. */
  readonly truncated?: number;
  /** Pruned collections of which nothing came up and which were kept; absent when there are none. */
  readonly spared?: readonly SparedCollection[];
}

export interface SparedCollection {
  readonly collection: string;
  /** Documents that the index has of it. */
  readonly documents: number;
}

export interface IndexerParts {
  readonly store: VectorStore;
  readonly embedder: Embedder | null;
  readonly analyzer: Analyzer;
  /**
   * The first one that supports a document takes it; the last one must support all. Asked for with the first document
   * that is new or changed: most runs find none.
   */
  readonly loadChunkers: () => Promise<readonly Chunker[]>;
  readonly chunking: ChunkOptions;
}

/** Documents that are looked up at a time, and chunks that are embedded and written at a time. */
const LOOKUP_DOCUMENTS = 64;
const WRITE_CHUNKS = 2048;

/** A document that is chunked and waits to be embedded and written. */
interface Pending {
  readonly document: DocumentRecord;
  readonly outline: Extract<DocumentChange, { type: "replace" }>["outline"];
  readonly chunks: readonly {
    readonly write: Omit<ChunkWrite, "embedding">;
    /** Absent when the stored vector is kept. */
    readonly embedText?: string;
  }[];
}

/**
 * Brings the store to what the documents say: looks up what is known, chunks what is new, embeds the chunks that
 * are not stored yet, in batches across documents, and replaces each document whole. Rejects only when the run
 * cannot go on (abort, a store or an embedder that is gone); what was written until then stays, and the next run
 * goes on from it. A document that fails is left as it was and reported; one of which a chunk could not be embedded is
 * written and reported, so that its words are found, and the next run embeds that chunk.
 */
export async function runIndexer(parts: IndexerParts, request: IndexRequest): Promise<IndexReport> {
  const run = new IndexRun(parts, request);
  let batch: Document[] = [];
  for await (const item of request.documents) {
    request.signal?.throwIfAborted();
    const document = run.admit(item);
    if (document === undefined) continue;
    batch.push(document);
    if (batch.length < LOOKUP_DOCUMENTS) continue;
    await run.take(batch);
    batch = [];
  }
  await run.take(batch);
  await run.flush();
  await run.prune();
  return run.report();
}

class IndexRun {
  readonly #parts: IndexerParts;
  readonly #request: IndexRequest;
  readonly #call: CallOptions;
  readonly #seen = new Set<string>();
  /** Folders that could not be read: what is known of them is kept. */
  readonly #unreadable: string[] = [];
  readonly #skipped: Record<string, number> = {};
  readonly #failures: IndexFailure[] = [];
  #spared: readonly SparedCollection[] = [];
  readonly #embedder: BatchEmbedder;
  #truncated = 0;
  readonly #counts = { scanned: 0, unchanged: 0, empty: 0, replaced: 0, deleted: 0, chunks: 0, embedded: 0, kept: 0 };
  #pending: Pending[] = [];
  #pendingChunks = 0;

  constructor(parts: IndexerParts, request: IndexRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#call = request.signal === undefined ? {} : { signal: request.signal };
    this.#embedder = new BatchEmbedder(parts.embedder, this.#call);
  }

  /** Counts an item and returns its document, if it has one. */
  admit(item: Document | SourceItem): Document | undefined {
    if (!("type" in item) || item.type === "document") {
      const document = "type" in item ? item.document : item;
      this.#count(document.id);
      return document;
    }
    if (item.type === "skip") {
      this.#skipped[item.reason] = (this.#skipped[item.reason] ?? 0) + 1;
      this.#request.onEvent?.({ type: "skip", path: item.path, reason: item.reason });
      return undefined;
    }
    if (item.documentId.endsWith("/")) this.#unreadable.push(item.documentId);
    else this.#count(item.documentId);
    this.#fail(item.documentId, item.error);
    return undefined;
  }

  #count(documentId: string): void {
    this.#counts.scanned++;
    this.#seen.add(documentId);
  }

  /** Looks the documents up and prepares those that are new or changed. */
  async take(documents: readonly Document[]): Promise<void> {
    if (documents.length === 0) return;
    const { store } = this.#parts;
    const stored = await store.getDocuments(
      documents.map(({ id }) => id),
      this.#call,
    );
    for (const [index, document] of documents.entries()) {
      const known = stored[index];
      if (this.#pending.some((pending) => pending.document.id === document.id)) await this.flush();
      else if (known !== undefined && isUnchanged(known, document)) {
        this.#counts.unchanged++;
        this.#request.onEvent?.({ type: "document", documentId: document.id, outcome: "unchanged" });
        continue;
      }
      const oldIds = new Set(known === undefined ? [] : await store.getChunkIds(document.id, this.#call));
      for (const id of chunksToEmbed(known?.contentHash ?? "")) oldIds.delete(id);
      const pending = this.#prepare(document, oldIds, await this.#parts.loadChunkers());
      this.#pending.push(pending);
      this.#pendingChunks += pending.chunks.length;
      if (this.#pendingChunks >= WRITE_CHUNKS) await this.flush();
    }
  }

  #prepare(source: Document, oldIds: ReadonlySet<string>, chunkers: readonly Chunker[]): Pending {
    const { analyzer, chunking } = this.#parts;
    const document = wellFormed(source);
    const result = chunkDocument(chunkers, chunking, document);
    for (const { message, span } of result.diagnostics) {
      const line = span === undefined ? {} : { line: span.startLine };
      this.#request.onEvent?.({ type: "diagnostic", documentId: document.id, message, ...line });
    }
    const title = shortHeading(document.title ?? result.title);
    const { text: _text, ...rest } = document;
    const record: DocumentRecord = {
      ...rest,
      ...(title !== undefined && { title }),
      metadata: { ...result.metadata, ...document.metadata },
    };
    const drafts = result.chunks.map(withShortHeadings).map((draft) => ({
      draft,
      text: draft.text,
      embedText: composeEmbedText(title, draft),
    }));
    const ids = chunkIds(document.id, drafts);
    const analyzeChunk = chunkAnalyzer(analyzer, record);
    return {
      document: record,
      outline: result.outline,
      chunks: drafts.map(({ draft, embedText }, ordinal) => {
        const id = ids[ordinal] as string;
        const write = { chunk: toChunk(draft, id, document.id, ordinal), fields: analyzeChunk(draft) };
        return oldIds.has(id) ? { write } : { write, embedText };
      }),
    };
  }

  /** Embeds and writes what waits. */
  async flush(): Promise<void> {
    const pending = this.#pending;
    this.#pending = [];
    this.#pendingChunks = 0;
    if (pending.length === 0) return;
    const texts = pending.flatMap(({ chunks }) => chunks.map(({ embedText }) => embedText));
    const vectors = await this.#embedder.embed(texts);
    const changes: DocumentChange[] = [];
    for (const { document, outline, chunks } of pending) {
      const lacking: string[] = [];
      for (const { write, embedText } of chunks) {
        const outcome = embedText === undefined ? undefined : vectors.get(embedText);
        if (outcome?.kind !== "failed") continue;
        if (lacking.length === 0) this.#fail(document.id, outcome.error);
        lacking.push(write.chunk.id);
      }
      this.#countCut(document.id, chunks);
      changes.push({
        type: "replace",
        document: lacking.length === 0 ? document : { ...document, contentHash: incompleteHash(lacking) },
        outline,
        chunks: chunks.map(({ write, embedText }) => ({ ...write, embedding: embeddingOf(embedText, vectors) })),
      });
    }
    await this.#write(changes);
  }

  #countCut(documentId: string, chunks: Pending["chunks"]): void {
    for (const { write, embedText } of chunks) {
      if (embedText === undefined || !this.#embedder.isCut(embedText)) continue;
      this.#truncated++;
      this.#request.onEvent?.({ type: "truncation", documentId, line: write.chunk.span.startLine });
    }
  }

  async #write(changes: readonly DocumentChange[]): Promise<void> {
    if (changes.length === 0) return;
    const { store } = this.#parts;
    try {
      await store.write(changes, this.#call);
      for (const change of changes) this.#written(change);
      this.#request.onEvent?.({ type: "write", chunks: this.#counts.chunks, embedded: this.#counts.embedded });
    } catch (error) {
      if (changes.length > 1 && isDocumentFault(error)) {
        for (const change of changes) await this.#write([change]);
        return;
      }
      const [change] = changes;
      if (change?.type !== "replace" || !isDocumentFault(error)) throw error;
      this.#fail(change.document.id, error);
    }
  }

  #written(change: DocumentChange): void {
    if (change.type !== "replace") return;
    const { chunks } = change;
    const kept = chunks.filter(({ embedding }) => embedding.kind === "keep").length;
    if (chunks.length === 0) this.#counts.empty++;
    else this.#counts.replaced++;
    this.#counts.chunks += chunks.length;
    this.#counts.kept += kept;
    this.#counts.embedded += chunks.filter(({ embedding }) => embedding.kind === "vector").length;
    const outcome = chunks.length === 0 ? "empty" : "replaced";
    this.#request.onEvent?.({ type: "document", documentId: change.document.id, outcome });
  }

  /** Deletes what the pruned collections hold beyond the documents that came up. */
  async prune(): Promise<void> {
    const { prune } = this.#request;
    if (prune === undefined) return;
    const { store } = this.#parts;
    const filter = { op: "in", field: "collection", values: prune.collections } as const;
    const gone: DocumentRecord[] = [];
    const isLeft = new Set<string>();
    let after: string | undefined;
    for (;;) {
      const page = await store.listDocuments({
        limit: 1000,
        filter,
        ...(after !== undefined && { after }),
        ...this.#call,
      });
      for (const record of page) {
        if (this.#isKept(record.id)) isLeft.add(record.collection);
        else gone.push(record);
      }
      after = page.at(-1)?.id;
      if (after === undefined) break;
    }
    const isDeleted = ({ collection }: DocumentRecord): boolean => isLeft.has(collection) || prune.emptied === "delete";
    const ids = gone.filter(isDeleted).map(({ id }) => id);
    this.#spared = countByCollection(gone.filter((record) => !isDeleted(record)));
    if (ids.length === 0) return;
    const { deleted } = await store.write(
      ids.map((documentId) => ({ type: "delete", documentId })),
      this.#call,
    );
    this.#counts.deleted += deleted;
    for (const documentId of ids) this.#request.onEvent?.({ type: "delete", documentId });
  }

  #isKept(documentId: string): boolean {
    return this.#seen.has(documentId) || this.#unreadable.some((folder) => documentId.startsWith(folder));
  }

  report(): IndexReport {
    return {
      ...this.#counts,
      skipped: this.#skipped,
      failures: this.#failures,
      ...(this.#truncated > 0 && { truncated: this.#truncated }),
      ...(this.#spared.length > 0 && { spared: this.#spared }),
    };
  }

  #fail(documentId: string, error: unknown): void {
    this.#failures.push({ documentId, error });
    this.#request.onEvent?.({ type: "failure", documentId, error });
  }
}

function countByCollection(records: readonly DocumentRecord[]): SparedCollection[] {
  const counts = new Map<string, number>();
  for (const { collection } of records) counts.set(collection, (counts.get(collection) ?? 0) + 1);
  return [...counts].map(([collection, documents]) => ({ collection, documents }));
}

function embeddingOf(embedText: string | undefined, vectors: ReadonlyMap<string, EmbedOutcome>): EmbeddingWrite {
  if (embedText === undefined) return { kind: "keep" };
  const outcome = vectors.get(embedText);
  return outcome === undefined || outcome.kind === "failed" ? { kind: "none" } : outcome;
}

/** The path and the place count beside the bytes: a moved file is indexed under its new name. */
function isUnchanged(stored: DocumentRecord, document: Document): boolean {
  return (
    stored.contentHash === document.contentHash &&
    stored.collection === document.collection &&
    stored.path === document.path &&
    stored.mediaType === document.mediaType &&
    stored.url === document.url
  );
}

/** Faults of one document's data; anything else means that the store cannot go on. */
function isDocumentFault(error: unknown): boolean {
  return isDocsearchError(error, "VECTOR_INVALID") || isDocsearchError(error, "CHUNK_MISSING");
}

function toChunk(draft: ChunkDraft, id: string, documentId: string, ordinal: number): ChunkWrite["chunk"] {
  const { zones: _zones, startsSection: _startsSection, ...rest } = draft;
  return { ...rest, id, documentId, ordinal };
}
