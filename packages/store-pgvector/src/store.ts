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
  type StoreCapabilities,
  type StoreCheck,
  type StoreStats,
  type TermCount,
  type TextHits,
  type TextSearch,
  type VectorSearch,
  type VectorStore,
  type WriteResult,
} from "@docsearch/spec";
import { assertValidVector, changeGroups, codeUnitKey, textOfKey } from "@docsearch/store-kit";
import { byteaText } from "./bytea.js";
import { checkIndex } from "./check.js";
import type { Database, Query, Transaction } from "./database.js";
import { EntryCache } from "./entry-cache.js";
import { codeOf, isMissingTable, storeError } from "./errors.js";
import { isIndexable } from "./extension.js";
import { filterCondition } from "./filter-sql.js";
import { inspect, type Place, placeName } from "./inspect.js";
import { lockForWriting } from "./lock.js";
import { maintain } from "./maintenance.js";
import {
  CHUNK_COLUMNS,
  type ChunkRow,
  chunkOf,
  DOCUMENT_COLUMNS,
  type DocumentRow,
  documentOf,
  textColumn,
} from "./records.js";
import type { StoreSettings } from "./settings.js";
import { readState, type State } from "./state.js";
import { isStorable } from "./storable.js";
import type { Tables } from "./tables.js";
import { searchText } from "./text-search.js";
import { searchVector } from "./vector-search.js";

import { clearTables, type Written, writeChanges } from "./write.js";

/** An open index. */
export interface OpenIndex {
  readonly database: Database;
  readonly tables: Tables;
  readonly schema: IndexSchema;
  readonly mode: OpenOptions["mode"];
  readonly settings: StoreSettings;
}

/** Largest error of a score: of both vectors, rounded to 11 or 24 significant bits. */
const TOLERANCE = { halfvec: 1e-3, vector: 1e-5 } as const;

/** The store. Each call is one transaction, so it sees one state of the index. */
export class PgvectorStore implements VectorStore {
  readonly specVersion = 1;
  readonly name = "pgvector";
  readonly capabilities: StoreCapabilities;
  readonly schema: IndexSchema;
  readonly #index: OpenIndex;
  readonly #database: Database;
  readonly #cache = new EntryCache();
  #tables: Tables;
  /** Epoch in which the index was last found to be the one that was opened. */
  #epoch: string | undefined;
  /** Ends when all writes so far have ended: they follow one another, so that none waits for a lock of this process. */
  #writing: Promise<unknown> = Promise.resolve();
  /** Chunks written since the opening. */
  #written = 0;
  #closed = false;

  constructor(index: OpenIndex) {
    const { vectors } = index.tables;
    const approximate =
      index.settings.vectorIndex === "hnsw" && vectors !== undefined && isIndexable(vectors.kind, vectors.dimensions);
    this.#index = index;
    this.#database = index.database;
    this.#tables = index.tables;
    this.schema = index.schema;
    this.capabilities = {
      lexical: "bm25f",
      vector: approximate ? "approximate" : "exact",
      vectorTolerance: vectors === undefined ? 0 : TOLERANCE[vectors.kind],
      atomicity: "document",
      durable: index.database.durable,
      multiProcess: index.database.shared,
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
    await this.#inTurn("clear", () => this.#change(({ query }) => clearTables(query, this.#tables)));
  }

  async searchText(search: TextSearch): Promise<TextHits> {
    return this.#read("searchText", search, async ({ query }, state) => {
      const allowed = search.filter && (await this.#filtered(query, search.filter));
      return searchText(query, this.#tables.schema, state, this.#cache, search, allowed);
    });
  }

  async searchVector(search: VectorSearch): Promise<readonly Hit[]> {
    return this.#read("searchVector", search, async (transaction, state) => {
      const { schema, vectors } = this.#tables;
      if (vectors === undefined || this.schema.embedding === null) {
        throw new DocsearchError(
          "UNSUPPORTED",
          `The index in ${this.#place} was made without an embedder and has no vectors. Search its text, or make it anew with an embedder.`,
          { operation: "searchVector" },
        );
      }
      assertValidVector(search.vector, this.schema.embedding.dimensions, "the query");
      const allowed = search.filter && (await this.#filtered(transaction.query, search.filter));
      const { exactLimit, vectorIndex } = this.#index.settings;
      const mayUseIndex = vectorIndex === "hnsw" && state.hnsw;
      const table = { schema, extensionSchema: vectors.extensionSchema, type: vectors.type, exactLimit };
      return searchVector(transaction, table, state, search, allowed, mayUseIndex);
    });
  }

  async getChunks(ids: readonly string[], options?: CallOptions): Promise<readonly (Chunk | undefined)[]> {
    return this.#read("getChunks", options, async ({ query }) => {
      const { schema } = this.#tables;
      const rows = await query<ChunkRow>(
        `SELECT ${CHUNK_COLUMNS}
         FROM ${schema}.chunk JOIN ${schema}.document ON document.slot = chunk.document WHERE chunk.id = ANY ($1::text[])`,
        [ids.filter(isStorable)],
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => {
        const row = byId.get(id);
        // A copy for each: the caller owns what it gets.
        return row && chunkOf(structuredClone(row));
      });
    });
  }

  async getDocuments(ids: readonly string[], options?: CallOptions): Promise<readonly (DocumentRecord | undefined)[]> {
    return this.#read("getDocuments", options, async ({ query }) => {
      const rows = await query<DocumentRow>(
        `SELECT ${DOCUMENT_COLUMNS} FROM ${this.#tables.schema}.document WHERE id = ANY ($1::text[])`,
        [ids.filter(isStorable)],
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => {
        const row = byId.get(id);
        return row && documentOf(structuredClone(row));
      });
    });
  }

  async getChunkIds(documentId: string, options?: CallOptions): Promise<readonly string[]> {
    return this.#read("getChunkIds", options, async ({ query }) => {
      const { schema } = this.#tables;
      const rows = await query<{ id: string }>(
        `SELECT ${textColumn("chunk.id", "id")} FROM ${schema}.document JOIN ${schema}.chunk ON chunk.document = document.slot
         WHERE document.id = ANY ($1::text[]) ORDER BY chunk.ordinal`,
        [[documentId].filter(isStorable)],
      );
      return rows.map(({ id }) => id);
    });
  }

  async getOutline(documentId: string, options?: CallOptions): Promise<readonly OutlineEntry[]> {
    return this.#read("getOutline", options, async ({ query }) => {
      const [row] = await query<{ outline: readonly OutlineEntry[] }>(
        `SELECT outline FROM ${this.#tables.schema}.document WHERE id = ANY ($1::text[])`,
        [[documentId].filter(isStorable)],
      );
      return row?.outline ?? [];
    });
  }

  async listDocuments(page: DocumentPage): Promise<readonly DocumentRecord[]> {
    return this.#read("listDocuments", page, async ({ query }) => {
      const { sql, parameters } = filterCondition(page.filter ?? { op: "and", clauses: [] });
      const n = parameters.length;
      const rows = await query<DocumentRow>(
        `SELECT ${DOCUMENT_COLUMNS} FROM ${this.#tables.schema}.document
         WHERE ${sql} AND ($${n + 1}::text IS NULL OR sort_key > $${n + 1}::text::bytea)
         ORDER BY sort_key LIMIT $${n + 2}::int`,
        [...parameters, page.after === undefined ? null : byteaText(codeUnitKey(page.after)), rowLimit(page.limit)],
      );
      return rows.map(documentOf);
    });
  }

  async listTerms(
    page: CallOptions & { readonly prefix: string; readonly limit: number },
  ): Promise<readonly TermCount[]> {
    return this.#read("listTerms", page, async ({ query }) => {
      const key = codeUnitKey(page.prefix);
      // No key holds the byte 255, so this is the least above all that begin with the prefix.
      const end = Uint8Array.from([...key, 255]);
      const rows = await query<{ term: Uint8Array; chunks: number }>(
        `SELECT term, sum(chunks)::int AS chunks FROM ${this.#tables.schema}.posting
         WHERE term >= $1::text::bytea AND term < $2::text::bytea GROUP BY term ORDER BY term LIMIT $3::int`,
        [byteaText(key), byteaText(end), rowLimit(page.limit)],
      );
      return rows.map(({ term, chunks }) => ({ term: textOfKey(term), chunks }));
    });
  }

  async stats(options?: CallOptions): Promise<StoreStats> {
    return this.#read("stats", options, async (_, { documents, chunks, vectors }) => ({ documents, chunks, vectors }));
  }

  async countByCollection(options?: CallOptions): Promise<readonly CollectionCount[]> {
    const { schema } = this.#tables;
    return this.#read("countByCollection", options, ({ query }) =>
      query<CollectionCount>(
        `SELECT collection, media_type AS "mediaType", count(*)::int AS documents,
           sum((SELECT count(*) FROM ${schema}.chunk WHERE chunk.document = document.slot))::int AS chunks
         FROM ${schema}.document GROUP BY collection, media_type`,
      ),
    );
  }

  async check(options?: CallOptions): Promise<StoreCheck> {
    return this.#read("check", options, async ({ query }, state) => ({
      faults: await checkIndex(query, this.#tables, state),
    }));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { mode, settings } = this.#index;
    await this.#writing;
    try {
      if (mode === "write") {
        const limit = settings.vectorIndex === "hnsw" ? settings.exactLimit : 0;
        await maintain(this.#database, this.#tables, this.#written, limit);
      }
    } catch (error) {
      // Another process may have made the index anew, or removed it: there is nothing to maintain then.
      if (!isMissingTable(error)) throw storeError("close", this.#database.name, error);
    } finally {
      await this.#database.close();
    }
  }

  get #place(): string {
    return placeName(this.#database, this.#index.settings);
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
    body: (transaction: Transaction, state: State) => Promise<T>,
  ): Promise<T> {
    this.#begin(options);
    return this.#guard(operation, () =>
      this.#database.transaction("read", async (transaction) => {
        const state = await this.#state(transaction);
        options?.signal?.throwIfAborted();
        return body(transaction, state);
      }),
    );
  }

  /** Runs `body` in a transaction that keeps other writers out. */
  #change<T>(body: (transaction: Transaction, state: State) => Promise<T>): Promise<T> {
    return this.#database.transaction("write", async (transaction) => {
      await lockForWriting(transaction, this.#tables.schema);
      return body(transaction, await this.#state(transaction));
    });
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
      // The index was removed, or made anew as another one: say which.
      if (isMissingTable(error)) await this.#verify();
      throw storeError(operation, this.#database.name, error);
    }
  }

  async #verify(): Promise<void> {
    await this.#database.transaction("read", async (transaction) => {
      this.#tables = await inspect(transaction, this.#where, this.schema);
    });
  }

  get #where(): Place {
    return { database: this.#database, schema: this.#tables.schema, settings: this.#index.settings };
  }

  /** The state of the index, which another process may have made anew as another one. */
  async #state(transaction: Transaction): Promise<State> {
    const state = await readState(transaction.query, this.#tables.schema);
    if (state.epoch !== this.#epoch) {
      this.#tables = await inspect(transaction, this.#where, this.schema);
      this.#epoch = state.epoch;
    }
    return state;
  }

  /**
   * Applies changes in one transaction. When Postgres refuses one, on a full disk or because of a character that it does
   * not store, the changes are applied in halves until the one is found that fails.
   */
  async #apply(changes: readonly DocumentChange[], signal: AbortSignal | undefined): Promise<WriteResult> {
    let written: Written;
    try {
      written = await this.#change(async ({ query }, state) => {
        signal?.throwIfAborted();
        return writeChanges(query, this.#tables, state, changes);
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

  /** Slots of the documents that meet a filter. */
  async #filtered(query: Query, filter: Filter): Promise<number[]> {
    const { sql, parameters } = filterCondition(filter);
    const [row] = await query<{ slots: number[] | null }>(
      `SELECT array_agg(slot) AS slots FROM ${this.#tables.schema}.document WHERE ${sql}`,
      parameters,
    );
    return row?.slots ?? [];
  }
}

/** Whether Postgres did not take a change, and might take others: not a lost connection, a lock or a missing table. */
function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  return !isDocsearchError(error) && code !== undefined && /^(22|23|53|54)/.test(code);
}

/** A limit as Postgres takes it. */
function rowLimit(limit: number): number {
  return Math.max(0, Math.min(Math.floor(limit), 2 ** 31 - 1));
}
