import { isDeepStrictEqual } from "node:util";
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
import type { Connection } from "@lancedb/lancedb";
import type { Catalog } from "./catalog.js";
import { checkIndex } from "./check.js";
import { countByCollection, filtered, readRecords, readTexts } from "./document-rows.js";
import { isConflict, storeError } from "./errors.js";
import { chunkCount, sortedIds } from "./facts.js";
import { filterCondition } from "./filter-sql.js";
import type { Generation } from "./generation.js";
import type { Lance } from "./lance.js";
import { type Current, Latest } from "./latest.js";
import { maintain } from "./maintenance.js";
import { PostingCache } from "./posting-cache.js";
import { publish } from "./publish.js";
import { readChunks } from "./records.js";
import type { StoreSettings } from "./settings.js";
import type { Snapshot } from "./snapshot.js";
import { openSpaces } from "./spaces.js";
import { dropTables, openTables } from "./tables.js";
import { listTerms } from "./terms.js";
import { searchText } from "./text-search.js";
import { Upkeep } from "./upkeep.js";
import { canBeIndexed, searchVector } from "./vector-search.js";
import { openVectors } from "./vector-table.js";
import { clearTables, type Target, writeChanges } from "./write.js";

/** An open index. */
export interface OpenIndex {
  readonly lance: Lance;
  readonly connection: Connection;
  readonly settings: StoreSettings;
  readonly schema: IndexSchema;
  readonly mode: OpenOptions["mode"];
  /** Of the index that answers, how to open it in another space; or one that is not published yet. */
  readonly source:
    | {
        readonly catalog: Catalog;
        readonly reopen: (embedding: SpaceEmbedding, options: CallOptions) => Promise<VectorStore>;
      }
    | { readonly own: Generation };
}

/** The store. Each call works on one state of the index. */
export class LancedbStore implements VectorStore {
  readonly specVersion = 1;
  readonly name = "lancedb";
  readonly capabilities: StoreCapabilities;
  readonly schema: IndexSchema;
  readonly spaces?: VectorSpaces;
  readonly #index: OpenIndex;
  readonly #place: string;
  readonly #cache = new PostingCache();
  readonly #latest: Latest;
  readonly #upkeep = new Upkeep((signal) => this.#maintain(signal));
  /** Ends when all writes so far have ended: they follow one another. */
  #writing: Promise<unknown> = Promise.resolve();
  #published = false;
  #closed = false;

  constructor(index: OpenIndex) {
    this.#index = index;
    this.#place = index.settings.location.uri;
    this.schema = index.schema;
    this.#latest = new Latest(index.connection, index.source, index.schema, this.#place);
    // An index that is made beside another one is nobody else's, and has one model.
    if ("catalog" in index.source) this.spaces = this.#openSpaces(index.source);
    const { embedding } = index.schema;
    const approximate = index.settings.vectorIndex === "ivf_rq" && embedding !== null && canBeIndexed(embedding);
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
    await this.#inTurn("clear", async () => clearTables(await this.#target(await this.#latest.current())));
  }

  async searchText(search: TextSearch): Promise<TextHits> {
    return this.#readSnapshot("searchText", search, async (snapshot) => {
      const allowed = search.filter && (await filtered(snapshot, search.filter));
      return searchText(snapshot, this.#cache, search, allowed);
    });
  }

  async searchVector(search: VectorSearch): Promise<readonly Hit[]> {
    return this.#read("searchVector", search, async () => {
      const state = await this.#latest.vectors();
      if (state === undefined) {
        throw new DocsearchError(
          "UNSUPPORTED",
          `The index in ${this.#place} was made without an embedder and has no vectors. Search its text, or make it anew with an embedder.`,
          { operation: "searchVector" },
        );
      }
      assertValidVector(search.vector, state.space.embedding.dimensions, "the query");
      const { vectorIndex, exactLimit } = this.#index.settings;
      const limit = vectorIndex === "exact" ? Number.POSITIVE_INFINITY : exactLimit;
      return searchVector(state, search, search.filter && filterCondition(search.filter), limit);
    });
  }

  async getChunks(ids: readonly string[], options?: CallOptions): Promise<readonly (Chunk | undefined)[]> {
    return this.#readSnapshot("getChunks", options, async (snapshot) => {
      const chunks = await readChunks(snapshot, ids);
      // A copy for each: the caller owns what it gets.
      return ids.map((id) => structuredClone(chunks.get(id)));
    });
  }

  async getDocuments(ids: readonly string[], options?: CallOptions): Promise<readonly (DocumentRecord | undefined)[]> {
    return this.#readSnapshot("getDocuments", options, async (snapshot) => {
      const records = await readRecords(snapshot, ids);
      return ids.map((id) => {
        const record = records.get(id);
        return record === undefined ? undefined : (JSON.parse(record) as DocumentRecord);
      });
    });
  }

  async getChunkIds(documentId: string, options?: CallOptions): Promise<readonly string[]> {
    return this.#readSnapshot("getChunkIds", options, async (snapshot) => {
      const index = snapshot.facts.indexOfId.get(documentId);
      return index === undefined ? [] : [...(await snapshot.names([index])).get(index)!.chunkIds];
    });
  }

  async getOutline(documentId: string, options?: CallOptions): Promise<readonly OutlineEntry[]> {
    return this.#readSnapshot("getOutline", options, async ({ facts, tables }) => {
      const index = facts.indexOfId.get(documentId);
      if (index === undefined) return [];
      const outlines = await readTexts(tables.document, facts, [index], "outline");
      return JSON.parse(outlines.get(index)!) as OutlineEntry[];
    });
  }

  async listDocuments({ after, limit, filter, signal }: DocumentPage): Promise<readonly DocumentRecord[]> {
    return this.#readSnapshot("listDocuments", signal && { signal }, async (snapshot) => {
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
    return this.#readSnapshot("listTerms", page, (snapshot) => listTerms(snapshot, page.prefix, page.limit));
  }

  async stats(options?: CallOptions): Promise<StoreStats> {
    return this.#read("stats", options, async () => {
      const state = await this.#latest.vectors();
      const { facts } = state?.snapshot ?? (await this.#latest.snapshot());
      const vectors = (await state?.coverage())?.vectors ?? 0;
      return { documents: facts.ids.length, chunks: chunkCount(facts), vectors };
    });
  }

  async countByCollection(options?: CallOptions): Promise<readonly CollectionCount[]> {
    return this.#readSnapshot("countByCollection", options, countByCollection);
  }

  async check(options?: CallOptions): Promise<StoreCheck> {
    return this.#read("check", options, async () => {
      const { states } = await this.#latest.allVectors();
      return { faults: await checkIndex(states[0]?.snapshot ?? (await this.#latest.snapshot()), states) };
    });
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
    this.#upkeep.stop();
    await this.#writing;
    const { source, connection } = this.#index;
    try {
      if ("catalog" in source) await this.#upkeep.finish();
      else if (!this.#published) await dropTables(connection, [source.own.name]);
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

  /** Runs `body`, once more when another process removed files of what it read: it tidied up, or dropped tables. */
  async #read<T>(operation: string, options: CallOptions | undefined, body: () => Promise<T>): Promise<T> {
    this.#begin(options);
    return this.#guard(operation, async () => {
      try {
        return await body();
      } catch (error) {
        if (isDocsearchError(error)) throw error;
        options?.signal?.throwIfAborted();
        this.#latest.forget();
        return body();
      }
    });
  }

  #readSnapshot<T>(
    operation: string,
    options: CallOptions | undefined,
    body: (snapshot: Snapshot) => Promise<T>,
  ): Promise<T> {
    return this.#read(operation, options, async () => {
      const snapshot = await this.#latest.snapshot();
      options?.signal?.throwIfAborted();
      return body(snapshot);
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

  /** Applies changes, once more when another process changed what they were made for. */
  async #apply(changes: readonly DocumentChange[], signal: AbortSignal | undefined): Promise<WriteResult> {
    for (;;) {
      const current = await this.#latest.current();
      const snapshot = await this.#latest.snapshot();
      signal?.throwIfAborted();
      const target = await this.#target(current);
      // The handles show the state of the snapshot when that is still the latest.
      if ((await this.#latest.snapshot()) !== snapshot || snapshot.generation !== current.generation.name) continue;
      try {
        const { result, error } = await writeChanges(target, snapshot, changes, signal);
        if ((await this.#latest.current()).generation.name !== snapshot.generation) continue;
        this.#upkeep.count(result.chunks);
        if (error !== undefined) throw error;
        return result;
      } catch (error) {
        if (isDocsearchError(error) || signal?.aborted === true) throw error;
        // The table of a space that was dropped meanwhile is gone.
        const { generation } = await this.#latest.current();
        if (isDeepStrictEqual(generation, current.generation)) throw error;
      }
    }
  }

  /** Handles of the tables as they are now. */
  async #target({ generation, space }: Current): Promise<Target> {
    const { lance, connection } = this.#index;
    const tables = await openTables(connection, generation.name);
    const vectors = await Promise.all(generation.spaces.map((each) => openVectors(connection, generation.name, each)));
    return { lance, tables, vectors, own: space, place: this.#place };
  }

  #openSpaces({ catalog, reopen }: Extract<OpenIndex["source"], { readonly catalog: Catalog }>): VectorSpaces {
    const { lance, connection } = this.#index;
    return openSpaces({
      lance,
      connection,
      catalog,
      reopen,
      latest: this.#latest,
      schema: this.schema,
      place: this.#place,
      read: (operation, options, body) => this.#read(operation, options, body),
      change: async (operation, options, body) => {
        this.#begin(options);
        this.#assertWritable(operation);
        return this.#inTurn(operation, body);
      },
      onFilled: (chunks) => this.#upkeep.count(chunks),
    });
  }

  async #maintain(signal?: AbortSignal): Promise<void> {
    const { settings, connection, source } = this.#index;
    const read = async (): Promise<Generation> =>
      "own" in source ? source.own : (await source.catalog.read()).current;
    const generation = await read();
    try {
      await maintain(connection, await this.#target({ generation, space: undefined }), generation.name, {
        vectorIndexAbove: settings.vectorIndex === "ivf_rq" ? settings.exactLimit : undefined,
        ...(signal && { signal }),
      });
    } catch (error) {
      // A writer was faster; the next one ends it.
      if (isConflict(error) || isDocsearchError(error, "INDEX_LOCKED")) return;
      // What it tidied up was dropped.
      if (isDeepStrictEqual(await read(), generation)) throw error;
    }
  }
}
