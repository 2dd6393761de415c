import {
  type CallOptions,
  type Chunk,
  type CollectionCount,
  DocsearchError,
  type DocumentChange,
  type DocumentPage,
  type DocumentRecord,
  type Hit,
  type IndexSchema,
  type OutlineEntry,
  type SpaceEmbedding,
  type StoreCapabilities,
  type StoreCheck,
  type StoreStats,
  type TermCount,
  type TextHits,
  type TextSearch,
  type VectorSearch,
  type VectorSpaces,
  type VectorStore,
  type WriteResult,
} from "@docsearch/spec";
import { assertValidVector, codeUnitKey } from "@docsearch/store-kit";
import { checkIndex } from "./check.js";
import { ChunkTable } from "./chunk-table.js";

import { emptyIndex } from "./create-index.js";
import { type Connection, transaction } from "./driver.js";
import { isBusy, storeError } from "./errors.js";
import { filteredDocuments } from "./filter-sql.js";
import { removeIndex } from "./generations.js";
import { chunkHits, documentHits } from "./hits.js";
import { assertStillThere, isOfThisFormat } from "./identity.js";
import { Fts5Index } from "./lexical/fts5.js";
import type { LexicalIndex } from "./lexical/lexical-index.js";
import { PostingsIndex } from "./lexical/postings.js";
import { type Identity, readState, readWriter, type State } from "./meta.js";
import { type ChunkRow, chunkOf, DOCUMENT_COLUMNS, type DocumentRow, documentOf, SELECT_CHUNK } from "./records.js";
import { giveBackSpace } from "./space.js";
import { readSpaces } from "./space-table.js";
import { openSpaces } from "./spaces.js";
import { Vec0Index } from "./vec0.js";
import { VectorBlocks } from "./vector-blocks.js";
import type { VectorIndex } from "./vector-index.js";

import { WriteBatch, type WriteParts } from "./write.js";

/** An open index. */
export interface OpenIndex {
  readonly connection: Connection;
  readonly path: string;
  readonly identity: Identity;
  /** How `blocks` of vectors are searched. */
  readonly scan: "int8" | "signs";
  readonly isWritable: boolean;
  /** Puts this index, which was made beside another one, in its place. */
  readonly publishNext?: (next: Connection) => Promise<void>;
  /** Why the extension of a `vec0` index is not there, when it is only read. */
  readonly vec0Missing?: DocsearchError;
  /** Opens the index once more, in the space of another model. */
  readonly reopen: (embedding: SpaceEmbedding, options: CallOptions) => Promise<VectorStore>;
}

/** The store. SQLite works synchronously, so every call is done when it returns its promise. */
export class SqliteStore implements VectorStore {
  readonly specVersion = 1;
  readonly name = "sqlite";
  readonly capabilities: StoreCapabilities;
  readonly schema: IndexSchema;
  readonly spaces?: VectorSpaces;
  readonly #index: OpenIndex;
  readonly #connection: Connection;
  readonly #lexical: LexicalIndex;
  readonly #vectors: VectorIndex | undefined;
  /** Number of the space; `undefined` without vectors. */
  readonly #space: number | undefined;
  readonly #parts: WriteParts;
  readonly #table = new ChunkTable();
  /** Numbering of the index that was last found to be the one that was opened. */
  #numbering = "";
  #closed = false;

  constructor(index: OpenIndex) {
    const { connection, identity, scan } = index;
    const { embedding } = identity.schema;
    this.#index = index;
    this.#connection = connection;
    this.schema = identity.schema;
    this.#lexical = identity.layout.lexical === "postings" ? new PostingsIndex(connection) : new Fts5Index(connection);
    if (identity.layout.vector === "vec0") this.#vectors = new Vec0Index(connection, index.vec0Missing);
    else if (embedding !== null) {
      const space = transaction(connection, "DEFERRED", () => readSpaces(connection)).find(
        ({ embedding: { id } }) => id === embedding.id,
      );
      this.#space = space?.number;
      if (space !== undefined) this.#vectors = new VectorBlocks(connection, space.table, scan);
    }
    // While an index is made beside another one, nobody else can open it.
    if (identity.layout.vector !== "vec0" && index.publishNext === undefined) this.spaces = this.#openSpaces();
    this.#parts = {
      connection,
      lexical: this.#lexical,
      vectors: this.#vectors,
      dimensions: embedding?.dimensions ?? 0,
      others: () => this.#otherVectors(),
    };
    this.capabilities = {
      lexical: this.#lexical.capability,
      vector: this.#vectors?.capability ?? "exact",
      vectorTolerance: this.#vectors?.tolerance ?? 0,
      atomicity: "document",
      durable: true,
      multiProcess: true,
    };
  }

  async write(changes: readonly DocumentChange[], options?: CallOptions): Promise<WriteResult> {
    this.#begin(options);
    this.#assertWritable("write");
    return this.#guard("write", () => this.#apply(changes, options?.signal), options?.signal);
  }

  async clear(options?: CallOptions): Promise<void> {
    this.#begin(options);
    this.#assertWritable("clear");
    this.#guard("clear", () => emptyIndex(this.#connection, () => this.#assertStillThere()));
  }

  async searchText(search: TextSearch): Promise<TextHits> {
    return this.#read("searchText", search, (state) => {
      this.#table.refresh(this.#connection, state);
      const allowed = search.filter && filteredDocuments(this.#connection, search.filter);
      const { chunks, documents, ceiling } = this.#lexical.search(search, this.#table, allowed);
      return {
        chunks: chunkHits(this.#connection, chunks, search.limit),
        documents: documentHits(this.#connection, documents, search.limit),
        ...(ceiling !== undefined && { ceiling }),
      };
    });
  }

  async searchVector(search: VectorSearch): Promise<readonly Hit[]> {
    return this.#read("searchVector", search, (state) => {
      const vectors = this.#vectors;
      if (vectors === undefined || this.schema.embedding === null) {
        throw new DocsearchError(
          "UNSUPPORTED",
          `The index at ${this.#index.path} was made without an embedder and has no vectors. Search its text, or make it anew with an embedder.`,
          { operation: "searchVector" },
        );
      }
      assertValidVector(search.vector, this.schema.embedding.dimensions, "the query");
      this.#table.refresh(this.#connection, state);
      const allowed = search.filter && this.#table.chunksOf(filteredDocuments(this.#connection, search.filter));
      const found = vectors.search(search.vector, search.limit, this.#table, state, allowed);
      return chunkHits(this.#connection, found, search.limit);
    });
  }

  async getChunks(ids: readonly string[], options?: CallOptions): Promise<readonly (Chunk | undefined)[]> {
    return this.#read("getChunks", options, () => {
      const select = this.#connection.prepare<ChunkRow>(SELECT_CHUNK);
      return ids.map((id) => {
        const row = select.get(id);
        return row && chunkOf(row);
      });
    });
  }

  async getDocuments(ids: readonly string[], options?: CallOptions): Promise<readonly (DocumentRecord | undefined)[]> {
    return this.#read("getDocuments", options, () => {
      const select = this.#connection.prepare<DocumentRow>(`SELECT ${DOCUMENT_COLUMNS} FROM document WHERE id = ?`);
      return ids.map((id) => {
        const row = select.get(id);
        return row && documentOf(row);
      });
    });
  }

  async getChunkIds(documentId: string, options?: CallOptions): Promise<readonly string[]> {
    return this.#read("getChunkIds", options, () =>
      this.#connection
        .prepare<{ id: string }>(
          `SELECT chunk.id FROM document JOIN chunk ON chunk.document = document.slot
           WHERE document.id = ? ORDER BY chunk.ordinal`,
        )
        .all(documentId)
        .map(({ id }) => id),
    );
  }

  async getOutline(documentId: string, options?: CallOptions): Promise<readonly OutlineEntry[]> {
    return this.#read("getOutline", options, () => {
      const row = this.#connection
        .prepare<{ outline: string }>("SELECT outline FROM document WHERE id = ?")
        .get(documentId);
      return row === undefined ? [] : (JSON.parse(row.outline) as OutlineEntry[]);
    });
  }

  async listDocuments(page: DocumentPage): Promise<readonly DocumentRecord[]> {
    return this.#read("listDocuments", page, () => {
      const allowed = page.filter && filteredDocuments(this.#connection, page.filter);
      const sql = `SELECT slot, ${DOCUMENT_COLUMNS} FROM document`;
      const rows =
        page.after === undefined
          ? this.#connection.prepare<DocumentRow & { slot: number }>(`${sql} ORDER BY sort_key`).iterate()
          : this.#connection
              .prepare<DocumentRow & { slot: number }>(`${sql} WHERE sort_key > ? ORDER BY sort_key`)
              .iterate(codeUnitKey(page.after));
      const records: DocumentRecord[] = [];
      for (const row of rows) {
        if (records.length + 1 > page.limit) break;
        if (allowed === undefined || allowed[row.slot] === 1) records.push(documentOf(row));
      }
      return records;
    });
  }

  async listTerms(
    page: CallOptions & { readonly prefix: string; readonly limit: number },
  ): Promise<readonly TermCount[]> {
    return this.#read("listTerms", page, (state) => {
      this.#table.refresh(this.#connection, state);
      return this.#lexical.listTerms(page.prefix, page.limit, this.#table);
    });
  }

  async stats(options?: CallOptions): Promise<StoreStats> {
    return this.#read("stats", options, ({ chunks }) => ({
      documents: this.#connection.prepare<{ n: number }>("SELECT count(*) AS n FROM document").get()!.n,
      chunks,
      vectors: this.#vectors?.count() ?? 0,
    }));
  }

  async countByCollection(options?: CallOptions): Promise<readonly CollectionCount[]> {
    return this.#read("countByCollection", options, () =>
      this.#connection
        .prepare<CollectionCount>(
          `SELECT collection, media_type AS mediaType, count(*) AS documents,
             sum((SELECT count(*) FROM chunk WHERE chunk.document = document.slot)) AS chunks
           FROM document GROUP BY collection, media_type`,
        )
        .all(),
    );
  }

  async check(options?: CallOptions): Promise<StoreCheck> {
    return this.#read("check", options, (state) => ({
      faults: checkIndex(this.#connection, this.#lexical, this.#allVectors(), state),
    }));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#guard("close", () => {
      try {
        if (this.#index.isWritable) giveBackSpace(this.#connection);
      } finally {
        this.#connection.close();
      }
    });
    if (this.#index.publishNext !== undefined) removeIndex(this.#index.path);
  }

  async publish(options?: CallOptions): Promise<void> {
    this.#begin(options);
    const { path, publishNext } = this.#index;
    if (publishNext === undefined) {
      throw new DocsearchError(
        "UNSUPPORTED",
        `The index at ${path} was not made to take the place of another. Open it with the mode "rebuild".`,
        { operation: "publish" },
      );
    }
    try {
      await publishNext(this.#connection);
    } catch (error) {
      throw storeError("publish", path, error);
    }
    await this.close();
  }

  #begin(options: CallOptions | undefined): void {
    if (this.#closed) {
      throw new DocsearchError("CLOSED", `The index at ${this.#index.path} is closed. Open it again.`, {
        name: this.name,
      });
    }
    options?.signal?.throwIfAborted();
  }

  #assertWritable(operation: string): void {
    if (this.#index.isWritable) return;
    throw new DocsearchError(
      "UNSUPPORTED",
      `The index at ${this.#index.path} was opened for reading. Open it for writing.`,
      { operation },
    );
  }

  /** Runs `body` on one state of the index. */
  #read<T>(operation: string, options: CallOptions | undefined, body: (state: State) => T): T {
    this.#begin(options);
    return this.#guard(operation, () => transaction(this.#connection, "DEFERRED", () => body(this.#state())));
  }

  /** Turns what SQLite throws into errors of the contract. */
  #guard<T>(operation: string, body: () => T, signal?: AbortSignal): T {
    try {
      return body();
    } catch (error) {
      if (signal?.aborted === true && error === signal.reason) throw error;
      throw storeError(operation, this.#index.path, error, isBusy(error) ? this.#otherWriter() : undefined);
    }
  }

  /** The state of the index, which another process may have changed, or made anew as another one. */
  #state(): State {
    if (!isOfThisFormat(this.#connection)) this.#assertStillThere();
    const state = readState(this.#connection);
    if (state.numbering !== this.#numbering) this.#assertStillThere();
    this.#numbering = state.numbering;
    return state;
  }

  #assertStillThere(): void {
    assertStillThere(this.#connection, this.#index.path, this.#index.identity, this.#space);
  }

  #openSpaces(): VectorSpaces {
    return openSpaces({
      connection: this.#connection,
      own: this.#space,
      read: (operation, options, body) => this.#read(operation, options, body),
      change: (operation, options, body) => {
        this.#begin(options);
        this.#assertWritable(operation);
        return this.#guard(operation, () => transaction(this.#connection, "IMMEDIATE", () => body(this.#state())));
      },
      reopen: this.#index.reopen,
    });
  }

  /** The vectors of other models. */
  #otherVectors(): readonly VectorIndex[] {
    if (this.#index.identity.layout.vector === "vec0") return [];
    return readSpaces(this.#connection)
      .filter(({ number }) => number !== this.#space)
      .map(({ table }) => new VectorBlocks(this.#connection, table, "int8"));
  }

  #allVectors(): readonly VectorIndex[] {
    return this.#vectors === undefined ? this.#otherVectors() : [this.#vectors, ...this.#otherVectors()];
  }

  /**
   * Applies changes in one transaction. When one fails, what is packed would hold parts of it, so everything is rolled
   * back and the changes before it are applied again by themselves. When the packing fails, on a full disk, the
   * changes are applied in halves until the one is found that fails.
   */
  #apply(changes: readonly DocumentChange[], signal: AbortSignal | undefined): WriteResult {
    let applied = 0;
    try {
      return transaction(this.#connection, "IMMEDIATE", () => {
        const batch = new WriteBatch(this.#parts, this.#state());
        for (const change of changes) {
          signal?.throwIfAborted();
          batch.apply(change);
          applied++;
        }
        return batch.finish();
      });
    } catch (error) {
      if (signal?.aborted === true || changes.length <= 1 || applied === 0) throw error;
      if (applied < changes.length) {
        this.#apply(changes.slice(0, applied), signal);
        throw error;
      }
      const first = this.#apply(changes.slice(0, applied >> 1), signal);
      const second = this.#apply(changes.slice(applied >> 1), signal);
      return {
        replaced: first.replaced + second.replaced,
        deleted: first.deleted + second.deleted,
        chunks: first.chunks + second.chunks,
      };
    }
  }

  #otherWriter(): string | undefined {
    try {
      const writer = readWriter(this.#connection);
      return writer === `process ${process.pid}` ? undefined : writer;
    } catch {
      // The lock may be one that keeps out readers too.
      return undefined;
    }
  }
}
