import {
  type CallOptions,
  type Chunk,
  type CollectionCount,
  DocsearchError,
  type DocumentChange,
  type DocumentPage,
  type DocumentRecord,
  type Filter,
  type Hit,
  type IndexSchema,
  isDocsearchError,
  type OpenOptions,
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
import { assertValidVector, changeGroups } from "@docsearch/store-kit";
import { checkIndex } from "./check.js";
import type { Query } from "./database.js";
import { EntryCache } from "./entry-cache.js";
import { codeOf, isMissingTable, storeError } from "./errors.js";
import { isIndexable } from "./extension.js";
import { filterCondition } from "./filter-sql.js";
import { type Place, placeName } from "./inspect.js";
import {
  countByCollection,
  getChunkIds,
  getChunks,
  getDocuments,
  getOutline,
  listDocuments,
  listTerms,
} from "./lookups.js";
import { maintain } from "./maintenance.js";
import { vectorTypeFor } from "./settings.js";
import { type Snapshot, Snapshots } from "./snapshot.js";
import { openSpaces } from "./spaces.js";
import type { Tables } from "./tables.js";
import { searchText } from "./text-search.js";
import { searchVector } from "./vector-search.js";
import { clearTables, type Written, writeChanges } from "./write.js";

/** An open index. */
export interface OpenIndex {
  readonly place: Place;
  readonly tables: Tables;
  readonly schema: IndexSchema;
  readonly mode: OpenOptions["mode"];
  /** Opens the index once more, in the space of another model. */
  readonly reopen: (embedding: SpaceEmbedding) => Promise<VectorStore>;
}

/** Largest error of a score: of both vectors, rounded to 11 or 24 significant bits. */
const TOLERANCE = { halfvec: 1e-3, vector: 1e-5 } as const;

/** The store. Each call is one transaction, so it sees one state of the index. */
export class PgvectorStore implements VectorStore {
  readonly specVersion = 1;
  readonly name = "pgvector";
  readonly capabilities: StoreCapabilities;
  readonly schema: IndexSchema;
  readonly spaces: VectorSpaces;
  readonly #index: OpenIndex;
  readonly #snapshots: Snapshots;
  readonly #cache = new EntryCache();
  /** With more vectors that may be found, the HNSW index is asked. */
  readonly #exactLimit: number;
  /** Ends when all writes so far have ended: they follow one another, so that none waits for a lock of this process. */
  #writing: Promise<unknown> = Promise.resolve();
  /** Chunks and vectors written since the opening. */
  #written = 0;
  #closed = false;

  constructor(index: OpenIndex) {
    const { place, tables, schema } = index;
    const { database, settings } = place;
    const { vectors } = tables;
    const approximate =
      settings.vectorIndex === "hnsw" && vectors !== undefined && isIndexable(vectors.kind, vectors.dimensions);
    this.#index = index;
    this.#snapshots = new Snapshots(place, schema, tables);
    this.#exactLimit = approximate ? settings.exactLimit : Number.POSITIVE_INFINITY;
    this.schema = schema;
    this.spaces = this.#openSpaces();
    this.capabilities = {
      lexical: "bm25f",
      vector: approximate ? "approximate" : "exact",
      vectorTolerance: vectors === undefined ? 0 : TOLERANCE[vectors.kind],
      atomicity: "document",
      durable: database.durable,
      multiProcess: database.shared,
    };
  }

  async write(changes: readonly DocumentChange[], options?: CallOptions): Promise<WriteResult> {
    this.#begin(options);
    this.#assertWritable("write");
    return this.#inTurn("write", async () => {
      const result = { replaced: 0, deleted: 0, chunks: 0 };
      for (const group of changeGroups(changes)) {
        options?.signal?.throwIfAborted();
        const { replaced, deleted, chunks } = await this.#apply(group, options?.signal);
        result.replaced += replaced;
        result.deleted += deleted;
        result.chunks += chunks;
      }
      this.#written += result.chunks;
      return result;
    });
  }

  async clear(options?: CallOptions): Promise<void> {
    this.#begin(options);
    this.#assertWritable("clear");
    await this.#inTurn("clear", () => this.#snapshots.change(clearTables));
  }

  async searchText(search: TextSearch): Promise<TextHits> {
    return this.#read("searchText", search, async (snapshot) => {
      const allowed = search.filter && (await filteredDocuments(snapshot, search.filter));
      return searchText(snapshot, this.#cache, search, allowed);
    });
  }

  async searchVector(search: VectorSearch): Promise<readonly Hit[]> {
    return this.#read("searchVector", search, async (snapshot) => {
      const { vectors } = snapshot.tables;
      if (vectors === undefined) {
        throw new DocsearchError(
          "UNSUPPORTED",
          `The index in ${this.#place} was made without an embedder and has no vectors. Search its text, or make it anew with an embedder.`,
          { operation: "searchVector" },
        );
      }
      assertValidVector(search.vector, vectors.dimensions, "the query");
      const allowed = search.filter && (await filteredDocuments(snapshot, search.filter));
      const exactLimit = snapshot.state.hnsw ? this.#exactLimit : Number.POSITIVE_INFINITY;
      return searchVector(snapshot, vectors, search, allowed, exactLimit);
    });
  }

  async getChunks(ids: readonly string[], options?: CallOptions): Promise<readonly (Chunk | undefined)[]> {
    return this.#look("getChunks", options, (query, schema) => getChunks(query, schema, ids));
  }

  async getDocuments(ids: readonly string[], options?: CallOptions): Promise<readonly (DocumentRecord | undefined)[]> {
    return this.#look("getDocuments", options, (query, schema) => getDocuments(query, schema, ids));
  }

  async getChunkIds(documentId: string, options?: CallOptions): Promise<readonly string[]> {
    return this.#look("getChunkIds", options, (query, schema) => getChunkIds(query, schema, documentId));
  }

  async getOutline(documentId: string, options?: CallOptions): Promise<readonly OutlineEntry[]> {
    return this.#look("getOutline", options, (query, schema) => getOutline(query, schema, documentId));
  }

  async listDocuments(page: DocumentPage): Promise<readonly DocumentRecord[]> {
    return this.#look("listDocuments", page, (query, schema) => listDocuments(query, schema, page));
  }

  async listTerms(
    page: CallOptions & { readonly prefix: string; readonly limit: number },
  ): Promise<readonly TermCount[]> {
    return this.#look("listTerms", page, (query, schema) => listTerms(query, schema, page.prefix, page.limit));
  }

  async stats(options?: CallOptions): Promise<StoreStats> {
    return this.#read("stats", options, async ({ state: { documents, chunks, vectors } }) => {
      return { documents, chunks, vectors };
    });
  }

  async countByCollection(options?: CallOptions): Promise<readonly CollectionCount[]> {
    return this.#look("countByCollection", options, countByCollection);
  }

  async check(options?: CallOptions): Promise<StoreCheck> {
    return this.#read("check", options, async (snapshot) => ({ faults: await checkIndex(snapshot) }));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { mode, place } = this.#index;
    const { database } = place;
    await this.#writing;
    try {
      if (mode === "write") await maintain(database, this.#snapshots, this.#written, this.#exactLimit);
    } catch (error) {
      if (!isGone(error)) throw storeError("close", database.name, error);
    } finally {
      await database.close();
    }
  }

  get #place(): string {
    return placeName(this.#index.place);
  }

  #begin(options: CallOptions | undefined): void {
    if (this.#closed) {
      throw new DocsearchError("CLOSED", `The index in ${this.#place} is closed. Open it again.`, { name: this.name });
    }
    options?.signal?.throwIfAborted();
  }

  #assertWritable(operation: string): void {
    if (this.#index.mode === "write") return;
    throw new DocsearchError(
      "UNSUPPORTED",
      `The index in ${this.#place} was opened for reading. Open it for writing.`,
      {
        operation,
      },
    );
  }

  /** Runs `body` on one state of the index. */
  async #read<T>(
    operation: string,
    options: CallOptions | undefined,
    body: (snapshot: Snapshot) => Promise<T>,
  ): Promise<T> {
    this.#begin(options);
    return this.#guard(operation, () =>
      this.#snapshots.read((snapshot) => {
        options?.signal?.throwIfAborted();
        return body(snapshot);
      }),
    );
  }

  #look<T>(
    operation: string,
    options: CallOptions | undefined,
    body: (query: Query, schema: string) => Promise<T>,
  ): Promise<T> {
    return this.#read(operation, options, ({ query, tables }) => body(query, tables.schema));
  }

  /** Runs `body` on one state of the index, after the writes that were begun before, and keeps other writers out. */
  async #change<T>(
    operation: string,
    options: CallOptions | undefined,
    body: (snapshot: Snapshot) => Promise<T>,
  ): Promise<T> {
    this.#begin(options);
    this.#assertWritable(operation);
    return this.#inTurn(operation, () =>
      this.#snapshots.change((snapshot) => {
        options?.signal?.throwIfAborted();
        return body(snapshot);
      }),
    );
  }

  /** Runs `body` after the writes that were begun before. */
  #inTurn<T>(operation: string, body: () => Promise<T>): Promise<T> {
    const turn = this.#writing.then(() => this.#guard(operation, body));
    this.#writing = turn.catch(() => {});
    return turn;
  }

  /** Turns what Postgres reports into errors of the contract. */
  async #guard<T>(operation: string, body: () => Promise<T>): Promise<T> {
    try {
      return await body();
    } catch (error) {
      throw storeError(operation, this.#index.place.database.name, error);
    }
  }

  #openSpaces(): VectorSpaces {
    const { place, reopen } = this.#index;
    return openSpaces({
      databaseName: place.database.name,
      vectorType: vectorTypeFor(place.settings, place.database),
      read: (operation, options, body) => this.#read(operation, options, body),
      change: (operation, options, body) => this.#change(operation, options, body),
      reopen,
      onFilled: (vectors) => {
        this.#written += vectors;
      },
    });
  }

  /**
   * Applies changes in one transaction. When Postgres refuses one, on a full disk or because of a character that it does
   * not store, the changes are applied in halves until the one is found that fails.
   */
  async #apply(changes: readonly DocumentChange[], signal: AbortSignal | undefined): Promise<WriteResult> {
    let written: Written;
    try {
      written = await this.#snapshots.change((snapshot) => {
        signal?.throwIfAborted();
        return writeChanges(snapshot, changes);
      });
    } catch (error) {
      if (changes.length === 1 || !isRefusal(error)) throw error;
      const first = await this.#apply(changes.slice(0, changes.length >> 1), signal);
      const second = await this.#apply(changes.slice(changes.length >> 1), signal);
      return {
        replaced: first.replaced + second.replaced,
        deleted: first.deleted + second.deleted,
        chunks: first.chunks + second.chunks,
      };
    }
    if (written.error !== undefined) throw written.error;
    return written.result;
  }
}

/** Slots of the documents that meet a filter. */
async function filteredDocuments({ query, tables }: Snapshot, filter: Filter): Promise<number[]> {
  const { sql, parameters } = filterCondition(filter);
  const [row] = await query<{ slots: number[] | null }>(
    `SELECT array_agg(slot) AS slots FROM ${tables.schema}.document WHERE ${sql}`,
    parameters,
  );
  return row?.slots ?? [];
}

/** Whether Postgres did not take a change, and might take others: not a lost connection, a lock or a missing table. */
function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  return !isDocsearchError(error) && code !== undefined && /^(22|23|53|54)/.test(code);
}

/** Whether another process has removed the index or the model, or made the index anew: there is nothing to maintain then. */
function isGone(error: unknown): boolean {
  if (isMissingTable(error)) return true;
  return isDocsearchError(error) && ["INDEX_MISSING", "INDEX_MISMATCH", "INDEX_FORMAT"].includes(error.code);
}
