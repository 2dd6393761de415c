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
import { assertValidVector, changeGroups } from "@docsearch/store-kit";
import type { Connection, Table } from "@lancedb/lancedb";
import type { Catalog, Generation } from "./catalog.js";
import { checkIndex } from "./check.js";
import { countByCollection, filtered, readRecords, readTexts } from "./document-rows.js";
import { isConflict, storeError } from "./errors.js";
import { chunkCount, sortedIds } from "./facts.js";
import { filterCondition } from "./filter-sql.js";
import { identityMismatch } from "./identity.js";
import type { Lance } from "./lance.js";
import { maintain } from "./maintenance.js";
import { PostingCache } from "./posting-cache.js";
import { publish } from "./publish.js";
import { readChunks } from "./records.js";
import type { StoreSettings } from "./settings.js";
import { Snapshot } from "./snapshot.js";
import { dropTables, openTables } from "./tables.js";
import { listTerms } from "./terms.js";
import { searchText } from "./text-search.js";
import { searchVector } from "./vector-search.js";
import { clearTables, type Target, writeChanges } from "./write.js";

/** An open index. */
export interface OpenIndex {
  readonly lance: Lance;
  readonly connection: Connection;
  readonly settings: StoreSettings;
  readonly schema: IndexSchema;
  readonly mode: OpenOptions["mode"];
  /** What says which tables to use; or those of an index that is not published yet. */
  readonly source: { readonly catalog: Catalog } | { readonly own: Generation };
}

/** So many commits after which the index is worth tidying up, beside the writes that follow. */
const MANY_COMMITS = 64;

/** The same when a writer ends, where nothing waits. */
const SOME_COMMITS = 16;
const SOME_CHUNKS = 1000;

/** The store. Each call works on one state of the index. */
export class LancedbStore implements VectorStore {
  readonly specVersion = 1;
  readonly name = "lancedb";
  readonly capabilities: StoreCapabilities;
  readonly schema: IndexSchema;
  readonly #index: OpenIndex;
  readonly #place: string;
  readonly #cache = new PostingCache();
  /** Ends `#maintenance` between two of its steps. */
  readonly #closing = new AbortController();
  #snapshot: Snapshot | undefined;
  /** A handle of `document` that is only asked for its latest version, and the generation it belongs to. */
  #probe: { readonly generation: string; readonly table: Table } | undefined;
  /** Ends when all writes so far have ended: they follow one another. */
  #writing: Promise<unknown> = Promise.resolve();
  #maintenance: Promise<void> | undefined;
  /** Since the last maintenance. */
  #commits = 0;
  #written = 0;
  #published = false;
  #closed = false;

  constructor(index: OpenIndex) {
    this.#index = index;
    this.#place = index.settings.location.uri;
    this.schema = index.schema;
    const approximate = index.settings.vectorIndex === "ivf_rq" && canBeIndexed(index.schema);
    this.capabilities = {
      lexical: "bm25f",
      vector: approximate ? "approximate" : "exact",
      vectorTolerance: 1e-5,
      atomicity: "document",
      durable: true,
      multiProcess: true,
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
      return result;
    });
  }

  async clear(options?: CallOptions): Promise<void> {
    this.#begin(options);
    this.#assertWritable("clear");
    await this.#inTurn("clear", async () => clearTables(await this.#target(await this.#generation())));
  }

  async searchText(search: TextSearch): Promise<TextHits> {
    return this.#read("searchText", search, async (snapshot) => {
      const allowed = search.filter && (await filtered(snapshot, search.filter));
      return searchText(snapshot, this.#cache, search, allowed);
    });
  }

  async searchVector(search: VectorSearch): Promise<readonly Hit[]> {
    return this.#read("searchVector", search, async (snapshot) => {
      if (this.schema.embedding === null) {
        throw new DocsearchError(
          "UNSUPPORTED",
          `The index in ${this.#place} was made without an embedder and has no vectors. Search its text, or make it anew with an embedder.`,
          { operation: "searchVector" },
        );
      }
      assertValidVector(search.vector, this.schema.embedding.dimensions, "the query");
      const { vectorIndex, exactLimit } = this.#index.settings;
      const limit = vectorIndex === "exact" ? Number.POSITIVE_INFINITY : exactLimit;
      return searchVector(snapshot, search, search.filter && filterCondition(search.filter), limit);
    });
  }

  async getChunks(ids: readonly string[], options?: CallOptions): Promise<readonly (Chunk | undefined)[]> {
    return this.#read("getChunks", options, async (snapshot) => {
      const chunks = await readChunks(snapshot, ids);
      // A copy for each: the caller owns what it gets.
      return ids.map((id) => structuredClone(chunks.get(id)));
    });
  }

  async getDocuments(ids: readonly string[], options?: CallOptions): Promise<readonly (DocumentRecord | undefined)[]> {
    return this.#read("getDocuments", options, async (snapshot) => {
      const records = await readRecords(snapshot, ids);
      return ids.map((id) => {
        const record = records.get(id);
        return record === undefined ? undefined : (JSON.parse(record) as DocumentRecord);
      });
    });
  }

  async getChunkIds(documentId: string, options?: CallOptions): Promise<readonly string[]> {
    return this.#read("getChunkIds", options, async (snapshot) => {
      const index = snapshot.facts.indexOfId.get(documentId);
      return index === undefined ? [] : [...(await snapshot.names([index])).get(index)!.chunkIds];
    });
  }

  async getOutline(documentId: string, options?: CallOptions): Promise<readonly OutlineEntry[]> {
    return this.#read("getOutline", options, async ({ facts, tables }) => {
      const index = facts.indexOfId.get(documentId);
      if (index === undefined) return [];
      const outlines = await readTexts(tables.document, facts, [index], "outline");
      return JSON.parse(outlines.get(index)!) as OutlineEntry[];
    });
  }

  async listDocuments({ after, limit, filter, signal }: DocumentPage): Promise<readonly DocumentRecord[]> {
    return this.#read("listDocuments", signal && { signal }, async (snapshot) => {
      const { facts } = snapshot;
      const allowed = filter && new Set((await filtered(snapshot, filter)).map((index) => facts.ids[index]!));
      const ids = sortedIds(facts)
        .filter((id) => (after === undefined || id > after) && allowed?.has(id) !== false)
        .slice(0, Math.max(0, limit));
      const records = await readRecords(snapshot, ids);
      return ids.map((id) => JSON.parse(records.get(id)!) as DocumentRecord);
    });
  }

  async listTerms(
    page: CallOptions & { readonly prefix: string; readonly limit: number },
  ): Promise<readonly TermCount[]> {
    return this.#read("listTerms", page, (snapshot) => listTerms(snapshot, page.prefix, page.limit));
  }

  async stats(options?: CallOptions): Promise<StoreStats> {
    return this.#read("stats", options, async ({ facts }) => ({
      documents: facts.ids.length,
      chunks: chunkCount(facts),
      vectors: facts.vectors,
    }));
  }

  async countByCollection(options?: CallOptions): Promise<readonly CollectionCount[]> {
    return this.#read("countByCollection", options, countByCollection);
  }

  async check(options?: CallOptions): Promise<StoreCheck> {
    return this.#read("check", options, async (snapshot) => ({
      faults: await checkIndex(snapshot, this.schema.embedding !== null),
    }));
  }

  async publish(options?: CallOptions): Promise<void> {
    this.#begin(options);
    const { source, lance, connection } = this.#index;
    if (!("own" in source)) {
      throw new DocsearchError(
        "UNSUPPORTED",
        `The index in ${this.#place} is the one that answers already. Open it with the mode rebuild to make another.`,
        { operation: "publish" },
      );
    }
    await this.#inTurn("publish", async () => {
      await this.#maintain(options?.signal);
      options?.signal?.throwIfAborted();
      await publish(connection, lance, source.own, this.#place);
      this.#published = true;
    });
    await this.close();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#closing.abort();
    await this.#writing;
    await this.#maintenance;
    const { source, connection } = this.#index;
    try {
      if ("own" in source) {
        if (!this.#published) await dropTables(connection, [source.own.name]);
      } else if (this.#commits >= SOME_COMMITS || this.#written >= SOME_CHUNKS) {
        await this.#maintain(undefined);
      }
    } catch (error) {
      throw storeError("close", this.#place, error);
    } finally {
      connection.close();
    }
  }

  #begin(options: CallOptions | undefined): void {
    if (this.#closed) {
      throw new DocsearchError("CLOSED", `The index in ${this.#place} is closed. Open it again.`, { name: this.name });
    }
    options?.signal?.throwIfAborted();
  }

  #assertWritable(operation: string): void {
    if (this.#index.mode !== "read") return;
    throw new DocsearchError(
      "UNSUPPORTED",
      `The index in ${this.#place} was opened for reading. Open it for writing.`,
      { operation },
    );
  }

  /** Runs `body` on the latest state of the index. */
  async #read<T>(
    operation: string,
    options: CallOptions | undefined,
    body: (snapshot: Snapshot) => Promise<T>,
  ): Promise<T> {
    this.#begin(options);
    return this.#guard(operation, async () => {
      const snapshot = await this.#latest();
      options?.signal?.throwIfAborted();
      try {
        return await body(snapshot);
      } catch (error) {
        if (isDocsearchError(error)) throw error;
        // Another process may have removed files of this state: it tidied up, or replaced the index twice.
        this.#snapshot = undefined;
        return body(await this.#latest());
      }
    });
  }

  /** Runs `body` after the writes that were begun before. */
  #inTurn<T>(operation: string, body: () => Promise<T>): Promise<T> {
    const turn = this.#writing.then(() => this.#guard(operation, body));
    this.#writing = turn.catch(() => {});
    return turn;
  }

  /** Turns what LanceDB reports into errors of the contract. */
  async #guard<T>(operation: string, body: () => Promise<T>): Promise<T> {
    try {
      return await body();
    } catch (error) {
      throw storeError(operation, this.#place, error);
    }
  }

  /** The generation that answers now, which another process may have put in the place of the one before. */
  async #generation(): Promise<string> {
    const { source } = this.#index;
    if ("own" in source) return source.own.name;
    const { current } = await source.catalog.read();
    const mismatch = identityMismatch(current.schema, this.schema, this.#place);
    if (mismatch !== undefined) throw mismatch;
    return current.name;
  }

  async #latest(): Promise<Snapshot> {
    const { connection } = this.#index;
    const generation = await this.#generation();
    if (this.#probe?.generation !== generation) {
      this.#probe = { generation, table: (await openTables(connection, generation)).document };
    }
    const { table } = this.#probe;
    await table.checkoutLatest();
    const version = await table.version();
    const known = this.#snapshot;
    if (known?.generation === generation && known.version === version) return known;
    const snapshot = await Snapshot.read(connection, generation);
    this.#snapshot = snapshot;
    return snapshot;
  }

  async #target(generation: string): Promise<Target> {
    const { lance, connection } = this.#index;
    const tables = await openTables(connection, generation);
    return { lance, tables, dimensions: this.schema.embedding?.dimensions, place: this.#place };
  }

  /** Applies changes, once more when another process put another index in the place of this one meanwhile. */
  async #apply(changes: readonly DocumentChange[], signal: AbortSignal | undefined): Promise<WriteResult> {
    for (;;) {
      const snapshot = await this.#latest();
      signal?.throwIfAborted();
      const target = await this.#target(snapshot.generation);
      const { result, error } = await writeChanges(target, snapshot, changes, signal);
      if ((await this.#generation()) !== snapshot.generation) continue;
      this.#commits++;
      this.#written += result.chunks;
      if (this.#commits >= MANY_COMMITS) this.#maintainBeside();
      if (error !== undefined) throw error;
      return result;
    }
  }

  /** Begins maintenance that nothing waits for. */
  #maintainBeside(): void {
    if (this.#maintenance !== undefined || this.#closed) return;
    this.#commits = 0;
    const running = this.#maintain(this.#closing.signal)
      // It is tried again after more commits, and when the store is closed, where the error is thrown.
      .catch(() => {})
      .finally(() => {
        this.#maintenance = undefined;
      });
    this.#maintenance = running;
  }

  async #maintain(signal: AbortSignal | undefined): Promise<void> {
    const { settings, connection, source } = this.#index;
    const generation = "own" in source ? source.own.name : (await source.catalog.read()).current.name;
    const vectorIndexAbove =
      settings.vectorIndex === "ivf_rq" && canBeIndexed(this.schema) ? settings.exactLimit : undefined;
    try {
      await maintain(connection, await this.#target(generation), generation, {
        vectorIndexAbove,
        ...(signal && { signal }),
      });
    } catch (error) {
      // A writer was faster; the next one ends it.
      if (!isConflict(error) && !isDocsearchError(error, "INDEX_LOCKED")) throw error;
    }
  }
}

/** Whether an index can be built over the vectors: it packs eight dimensions into a byte. */
function canBeIndexed({ embedding }: IndexSchema): boolean {
  return embedding !== null && embedding.dimensions % 8 === 0;
}
