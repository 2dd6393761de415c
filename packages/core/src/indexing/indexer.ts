import type {
  CallOptions,
  Chunker,
  ChunkOptions,
  Document,
  DocumentRecord,
  Embedder,
  ReadItem,
  SourceItem,
  VectorStore,
} from "@docsearch/spec";
import type { Analyzer } from "../analyzer/analyze.js";
import { DocumentWriter, type PreparedDocument } from "./document-writer.js";
import { chunksToEmbed } from "./incomplete-hash.js";
import { prepareDocument } from "./prepare-document.js";
import { type Prune, prune, type SparedCollection } from "./prune.js";

export interface IndexRequest extends CallOptions {
  /** Documents, or what a `DocumentSource` reads. Of two with the same id the later one stays. */
  readonly documents: AsyncIterable<Document | SourceItem> | Iterable<Document | SourceItem>;
  /** Delete the documents of these collections that do not come up; failed ones are kept. Default: delete nothing. */
  readonly prune?: Prune;
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

/** Documents that are looked up at a time. */
const LOOKUP_DOCUMENTS = 64;

/** A document as it came up: with its text, or with its hash alone. */
type Arrival = Exclude<SourceItem, { type: "skip" | "failure" }>;

/**
 * Brings the store to what the documents say: looks up what is known, chunks what is new, embeds the chunks that
 * are not stored yet, in batches across documents, and replaces each document whole. Rejects only when the run
 * cannot go on (abort, a store or an embedder that is gone); what was written until then stays, and the next run
 * goes on from it. A document that fails is left as it was and reported; one of which a chunk could not be embedded is
 * written and reported, so that its words are found, and the next run embeds that chunk.
 */
export async function runIndexer(parts: IndexerParts, request: IndexRequest): Promise<IndexReport> {
  const end = new AbortController();
  const signals = request.signal === undefined ? [end.signal] : [end.signal, request.signal];
  const run = new IndexRun(parts, request, { signal: AbortSignal.any(signals) });
  try {
    let batch: Arrival[] = [];
    for await (const item of request.documents) {
      request.signal?.throwIfAborted();
      const arrival = run.admit(item);
      if (arrival === undefined) continue;
      batch.push(arrival);
      if (batch.length < LOOKUP_DOCUMENTS) continue;
      await run.take(batch);
      batch = [];
    }
    await run.take(batch);
    await run.finish();
    return run.report();
  } finally {
    end.abort();
    await run.settle();
  }
}

class IndexRun {
  readonly #parts: IndexerParts;
  readonly #request: IndexRequest;
  readonly #call: CallOptions;
  readonly #seen = new Set<string>();
  /** Documents that came up and are stored. */
  readonly #present = new Set<string>();
  /** Folders that could not be read: what is known of them is kept. */
  readonly #unreadable: string[] = [];
  readonly #skipped: Record<string, number> = {};
  readonly #failures: IndexFailure[] = [];
  #spared: readonly SparedCollection[] = [];
  readonly #writer: DocumentWriter;
  readonly #counts = { scanned: 0, unchanged: 0, deleted: 0 };

  constructor(parts: IndexerParts, request: IndexRequest, call: CallOptions) {
    this.#parts = parts;
    this.#request = request;
    this.#call = call;
    this.#writer = new DocumentWriter(parts, call, this.#tell, (documentId, error) => this.#fail(documentId, error));
  }

  /** Counts an item and returns its document, if it has one. */
  admit(item: Document | SourceItem): Arrival | undefined {
    const arrival: SourceItem = "type" in item ? item : { type: "document", document: item };
    if (arrival.type === "skip") {
      this.#skip(arrival);
      return undefined;
    }
    if (arrival.type !== "failure") {
      this.#count(arrival.document.id);
      return arrival;
    }
    if (arrival.documentId.endsWith("/")) this.#unreadable.push(arrival.documentId);
    else this.#count(arrival.documentId);
    this.#fail(arrival.documentId, arrival.error);
    return undefined;
  }

  #skip({ path, reason }: Extract<ReadItem, { type: "skip" }>): void {
    this.#skipped[reason] = (this.#skipped[reason] ?? 0) + 1;
    this.#tell({ type: "skip", path, reason });
  }

  /** The text of what came up without it. It may have gone, or changed into what is left out, since it was looked at. */
  async #read(arrival: Arrival): Promise<Document | undefined> {
    if (arrival.type === "document") return arrival.document;
    const { id } = arrival.document;
    const item = await arrival.read();
    if (item.type === "document") return item.document;
    if (item.type === "failure") this.#fail(id, item.error);
    else {
      this.#counts.scanned--;
      this.#seen.delete(id);
      this.#skip(item);
    }
    return undefined;
  }

  #count(documentId: string): void {
    this.#counts.scanned++;
    this.#seen.add(documentId);
  }

  /** Looks the documents up and prepares those that are new or changed. */
  async take(arrivals: readonly Arrival[]): Promise<void> {
    if (arrivals.length === 0) return;
    const { store } = this.#parts;
    const stored = await store.getDocuments(
      arrivals.map(({ document: { id } }) => id),
      this.#call,
    );
    for (const [index, arrival] of arrivals.entries()) {
      const known = stored[index];
      const { id } = arrival.document;
      if (this.#writer.isWaiting(id)) await this.#writer.flush();
      else if (known !== undefined && isUnchanged(known, arrival.document)) {
        this.#counts.unchanged++;
        this.#tell({ type: "document", documentId: id, outcome: "unchanged" });
        continue;
      }
      const document = await this.#read(arrival);
      if (document === undefined) continue;
      const oldIds = new Set(known === undefined ? [] : await store.getChunkIds(document.id, this.#call));
      for (const id of chunksToEmbed(known?.contentHash ?? "")) oldIds.delete(id);
      await this.#writer.add(this.#prepare(document, oldIds, await this.#parts.loadChunkers()));
    }
  }

  #prepare(source: Document, oldIds: ReadonlySet<string>, chunkers: readonly Chunker[]): PreparedDocument {
    const { diagnostics, ...prepared } = prepareDocument({ ...this.#parts, chunkers }, source, (id) => oldIds.has(id));
    for (const { message, span } of diagnostics) {
      const line = span === undefined ? {} : { line: span.startLine };
      this.#tell({ type: "diagnostic", documentId: source.id, message, ...line });
    }
    return prepared;
  }

  /** Writes what waits, and deletes what did not come up where that was asked for. */
  async finish(): Promise<void> {
    await this.#writer.flush();
    if (this.#request.prune === undefined || (await this.#isNothingElse())) return;
    const { ids, deleted, spared } = await prune(
      this.#parts.store,
      this.#request.prune,
      (documentId) => this.#isKept(documentId),
      this.#call,
    );
    this.#counts.deleted += deleted;
    this.#spared = spared;
    for (const documentId of ids) this.#tell({ type: "delete", documentId });
  }

  /** Whether the store has what came up and no more, as after most runs. Far less work than to list what it has. */
  async #isNothingElse(): Promise<boolean> {
    return (await this.#parts.store.stats(this.#call)).documents === this.#present.size;
  }

  /** Resolves when nothing is at work any more. */
  async settle(): Promise<void> {
    await this.#writer.settle();
  }

  #isKept(documentId: string): boolean {
    return this.#seen.has(documentId) || this.#unreadable.some((folder) => documentId.startsWith(folder));
  }

  report(): IndexReport {
    return {
      ...this.#counts,
      ...this.#writer.counts,
      skipped: this.#skipped,
      failures: this.#failures,
      ...(this.#writer.truncated > 0 && { truncated: this.#writer.truncated }),
      ...(this.#spared.length > 0 && { spared: this.#spared }),
    };
  }

  #fail(documentId: string, error: unknown): void {
    this.#failures.push({ documentId, error });
    this.#tell({ type: "failure", documentId, error });
  }

  readonly #tell = (event: IndexEvent): void => {
    if (event.type === "document") this.#present.add(event.documentId);
    this.#request.onEvent?.(event);
  };
}

/** The path and the place count beside the bytes: a moved file is indexed under its new name. */
function isUnchanged(stored: DocumentRecord, document: DocumentRecord): boolean {
  return (
    stored.contentHash === document.contentHash &&
    stored.collection === document.collection &&
    stored.path === document.path &&
    stored.mediaType === document.mediaType &&
    stored.url === document.url
  );
}
