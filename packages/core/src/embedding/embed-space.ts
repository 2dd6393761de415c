import type { CallOptions, Document, DocumentRecord, SourceItem, SpaceEntry, VectorSpaces } from "@docsearch/spec";
import type { IndexerParts, IndexFailure } from "../indexing/indexer.js";
import { prepareDocument } from "../indexing/prepare-document.js";
import { BatchEmbedder } from "./batch-embedder.js";
import { spacesUnsupported } from "./open-space.js";

export interface EmbedRequest extends CallOptions {
  /** The documents of the index, as they are read for indexing. Others among them are passed over. */
  readonly documents: AsyncIterable<Document | SourceItem> | Iterable<Document | SourceItem>;
  /** Told after each write: chunks that were lacking and have been embedded in this run. */
  readonly onProgress?: (embedded: number) => void;
}

export interface EmbedReport {
  /** Chunks that were embedded in this run; those among them that the model has nothing to say about have no vector. */
  readonly embedded: number;
  /** Chunks of the index that this model still lacks. */
  readonly lacking: number;
  /** Documents with lacking chunks whose text is no longer what the index has of it. */
  readonly changed: number;
  readonly failures: readonly IndexFailure[];
  /** Chunks that were longer than the model takes; absent when there are none. */
  readonly truncated?: number;
}

/** Chunks that are embedded and written at a time: what a run that is killed loses. */
const BATCH_CHUNKS = 256;
/** Documents that are looked up at a time. */
const LOOKUP_DOCUMENTS = 64;

interface Pending {
  readonly documentId: string;
  readonly chunkId: string;
  readonly embedText: string;
}

/**
 * Embeds the chunks that the store's space lacks, and changes nothing else: words, and the vectors of other models, are
 * as before. What a text is embedded as is not stored, so documents are chunked anew; where the chunks are not those of
 * the index the document has changed, which is for an index run. Rejects when the embedder or the store is gone; what
 * was written until then stays, and the next call goes on from it. A chunk that fails is reported and stays lacking.
 *
 * @throws `UNSUPPORTED` for a store that keeps one model, or an index without embedder
 */
export async function embedSpace(parts: IndexerParts, request: EmbedRequest): Promise<EmbedReport> {
  const { spaces } = parts.store;
  if (spaces === undefined) throw spacesUnsupported(parts.store);
  const run = new EmbedRun(parts, spaces, request);
  const isDone = (await run.countLacking()) === 0;
  let batch: Exclude<SourceItem, { type: "skip" | "failure" }>[] = [];
  for await (const item of isDone ? [] : request.documents) {
    request.signal?.throwIfAborted();
    const arrival: SourceItem = "type" in item ? item : { type: "document", document: item };
    if (arrival.type === "skip" || arrival.type === "failure") continue;
    batch.push(arrival);
    if (batch.length < LOOKUP_DOCUMENTS) continue;
    await run.take(batch);
    batch = [];
  }
  await run.take(batch);
  await run.flush();
  return run.report();
}

class EmbedRun {
  readonly #parts: IndexerParts;
  readonly #spaces: VectorSpaces;
  readonly #request: EmbedRequest;
  readonly #call: CallOptions;
  readonly #embedder: BatchEmbedder;
  readonly #failures: IndexFailure[] = [];
  readonly #pending: Pending[] = [];
  #embedded = 0;
  #changed = 0;
  #truncated = 0;

  constructor(parts: IndexerParts, spaces: VectorSpaces, request: EmbedRequest) {
    this.#parts = parts;
    this.#spaces = spaces;
    this.#request = request;
    this.#call = request.signal === undefined ? {} : { signal: request.signal };
    this.#embedder = new BatchEmbedder(parts.embedder, this.#call);
  }

  async countLacking(): Promise<number> {
    const id = this.#parts.store.schema.embedding?.id;
    return (await this.#spaces.list(this.#call)).find(({ embedding }) => embedding.id === id)?.lacking ?? 0;
  }

  async take(arrivals: readonly Exclude<SourceItem, { type: "skip" | "failure" }>[]): Promise<void> {
    if (arrivals.length === 0) return;
    const { store } = this.#parts;
    const records = await store.getDocuments(
      arrivals.map(({ document }) => document.id),
      this.#call,
    );
    for (const [index, arrival] of arrivals.entries()) {
      const record = records[index];
      if (record === undefined) continue;
      const stored = await store.getChunkIds(record.id, this.#call);
      const lacking = new Set(await this.#spaces.lacking(stored, this.#call));
      if (lacking.size === 0) continue;
      const item = arrival.type === "unread" ? await arrival.read() : arrival;
      if (item.type === "failure") this.#failures.push({ documentId: record.id, error: item.error });
      if (item.type === "document") await this.#add(record, item.document, stored, lacking);
    }
  }

  async #add(
    record: DocumentRecord,
    document: Document,
    stored: readonly string[],
    lacking: ReadonlySet<string>,
  ): Promise<void> {
    const chunkers = await this.#parts.loadChunkers();
    const prepared = prepareDocument({ ...this.#parts, chunkers }, document, (id) => !lacking.has(id));
    const isSame =
      prepared.chunks.length === stored.length && prepared.chunks.every(({ write }, i) => write.chunk.id === stored[i]);
    if (!isSame) {
      this.#changed++;
      return;
    }
    for (const { write, embedText } of prepared.chunks) {
      if (embedText !== undefined) this.#pending.push({ documentId: record.id, chunkId: write.chunk.id, embedText });
    }
    while (this.#pending.length >= BATCH_CHUNKS) await this.flush();
  }

  /** Embeds and writes as much of what waits as is done at a time. */
  async flush(): Promise<void> {
    const batch = this.#pending.splice(0, BATCH_CHUNKS);
    if (batch.length === 0) return;
    const outcomes = await this.#embedder.embed(batch.map(({ embedText }) => embedText));
    const entries: SpaceEntry[] = [];
    for (const { documentId, chunkId, embedText } of batch) {
      const outcome = outcomes.get(embedText);
      if (outcome?.kind === "failed") this.#failures.push({ documentId, error: outcome.error });
      if (outcome?.kind !== "vector" && outcome?.kind !== "none") continue;
      if (this.#embedder.isCut(embedText)) this.#truncated++;
      entries.push({ chunkId, vector: outcome.kind === "vector" ? outcome.vector : undefined });
    }
    this.#embedded += await this.#spaces.fill(entries, this.#call);
    this.#request.onProgress?.(this.#embedded);
  }

  async report(): Promise<EmbedReport> {
    return {
      embedded: this.#embedded,
      lacking: await this.countLacking(),
      changed: this.#changed,
      failures: this.#failures,
      ...(this.#truncated > 0 && { truncated: this.#truncated }),
    };
  }
}
