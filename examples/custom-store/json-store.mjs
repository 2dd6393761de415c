// A complete store in one file of JSON: everything is in memory, and the file is written anew after every change. Fit for
// some thousand chunks, and to be read. Copy it and put your database in the place of the map.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { DocsearchError } from "@docsearch/spec";
import { matchesFilter } from "./filter.mjs";
import { matchesQuery, scoreOf, termCounts, termWeights } from "./query.mjs";
import { dotProduct, unitVector } from "./vector.mjs";

/**
 * @import { CallOptions, Chunk, DocumentChange, DocumentRecord, EmbeddingWrite, Filter, Hit, IndexSchema,
 *   OpenOptions, OutlineEntry, Provider, StoreCapabilities, StoreFactory, VectorStore } from "@docsearch/spec"
 */

/**
 * @typedef {{ chunk: Chunk, counts: Map<string, number>, vector: readonly number[] | null }} StoredChunk
 * @typedef {{ record: DocumentRecord, outline: readonly OutlineEntry[], chunks: readonly StoredChunk[] }} StoredDocument
 * Chunks are by ordinal.
 */

/**
 * Describes the store; nothing is opened before `open`.
 *
 * @param {{ readonly path?: string | undefined }} [options]
 * @returns {StoreFactory}
 */
export function jsonStore({ path = "index.json" } = {}) {
  return {
    specVersion: 1,
    name: "json",
    async open(schema, options) {
      options.signal?.throwIfAborted();
      const stored = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
      if (stored === undefined && options.mode === "read") {
        const command = "docsearch index";
        throw new DocsearchError("INDEX_MISSING", `There is no index at ${path}. Make one: ${command}`, {
          location: path,
          command,
        });
      }
      const differs = stored !== undefined && !isDeepStrictEqual(stored.schema, schema);
      if (differs && (options.mode === "read" || options.onMismatch === "error")) {
        const command = "docsearch index --rebuild";
        throw new DocsearchError(
          "INDEX_MISMATCH",
          `The index at ${path} was made with other settings. Use those, or make it anew: ${command}`,
          { stored: stored.schema, requested: schema, command },
        );
      }
      const store = new JsonStore(
        path,
        structuredClone(schema),
        options.mode,
        differs ? [] : (stored?.documents ?? []).map(readDocument),
      );
      if (stored === undefined || differs) await store.clear();
      return store;
    },
  };
}

/**
 * Makes the store selectable: DOCS_STORE_BACKEND=./json-store.mjs, and DOCS_STORE_URL for the file.
 *
 * @type {Provider<"store">}
 */
export const provider = {
  specVersion: 1,
  kind: "store",
  name: "json",
  fromEnv: (env) => jsonStore({ path: env.DOCS_STORE_URL?.trim() || undefined }),
};

/** @implements {VectorStore} */
class JsonStore {
  specVersion = /** @type {const} */ (1);
  name = "json";
  /** @type {StoreCapabilities} */
  capabilities = {
    lexical: "other",
    vector: "exact",
    vectorTolerance: 1e-6,
    atomicity: "document",
    durable: true,
    multiProcess: false,
  };
  schema;
  #path;
  #mode;
  /** @type {ReadonlyMap<string, StoredDocument>} */
  #documents = new Map();
  /**
   * The chunks of all documents, by id.
   *
   * @type {ReadonlyMap<string, StoredChunk>}
   */
  #chunks = new Map();
  #closed = false;

  /**
   * @param {string} path
   * @param {IndexSchema} schema
   * @param {OpenOptions["mode"]} mode
   * @param {readonly StoredDocument[]} documents
   */
  constructor(path, schema, mode, documents) {
    this.#path = path;
    this.schema = schema;
    this.#mode = mode;
    this.#take(new Map(documents.map((document) => [document.record.id, document])));
  }

  /** @type {VectorStore["write"]} */
  async write(changes, options) {
    this.#begin(options);
    this.#assertWritable("write");
    // The changes go to copies, so that one that fails, or a disk that is full, leaves everything as it was.
    const documents = new Map(this.#documents);
    const chunks = new Map(this.#chunks);
    const result = { replaced: 0, deleted: 0, chunks: 0 };
    /** @param {string} id */
    const remove = (id) => {
      for (const { chunk } of documents.get(id)?.chunks ?? []) chunks.delete(chunk.id);
      return documents.delete(id);
    };
    let failure;
    for (const change of changes) {
      if (change.type === "delete") {
        if (remove(change.documentId)) result.deleted++;
        continue;
      }
      try {
        const document = this.#prepare(change, chunks);
        remove(change.document.id);
        documents.set(change.document.id, document);
        for (const each of document.chunks) chunks.set(each.chunk.id, each);
        result.replaced++;
        result.chunks += document.chunks.length;
      } catch (error) {
        failure = error;
        break;
      }
    }
    this.#save(documents);
    if (failure !== undefined) throw failure;
    return result;
  }

  /** @type {VectorStore["clear"]} */
  async clear(options) {
    this.#begin(options);
    this.#assertWritable("clear");
    this.#save(new Map());
  }

  /** @type {VectorStore["searchText"]} */
  async searchText(search) {
    this.#begin(search);
    const { query, limit, filter } = search;
    const weights = termWeights(query);
    const hits = this.#filtered(filter).flatMap(({ record, chunks }) =>
      chunks
        .filter(({ counts }) => matchesQuery(query, counts))
        .map(({ chunk, counts }) => ({ chunkId: chunk.id, documentId: record.id, score: scoreOf(weights, counts) })),
    );
    // Stores that score by BM25F also rank documents as a whole and say how high a score can be.
    return { chunks: best(hits, limit), documents: [] };
  }

  /** @type {VectorStore["searchVector"]} */
  async searchVector(search) {
    this.#begin(search);
    const { vector, limit, filter } = search;
    if (this.schema.embedding === null) {
      throw new DocsearchError("UNSUPPORTED", "This index was made without an embedder. Search its text.", {
        operation: "searchVector",
      });
    }
    const query = unitVector(vector, this.schema.embedding.dimensions);
    const hits = this.#filtered(filter).flatMap(({ record, chunks }) =>
      chunks.flatMap(({ chunk, vector: stored }) =>
        stored === null ? [] : [{ chunkId: chunk.id, documentId: record.id, score: dotProduct(query, stored) }],
      ),
    );
    return best(hits, limit);
  }

  /** @type {VectorStore["getChunks"]} */
  async getChunks(ids, options) {
    this.#begin(options);
    return ids.map((id) => structuredClone(this.#chunks.get(id)?.chunk));
  }

  /** @type {VectorStore["getDocuments"]} */
  async getDocuments(ids, options) {
    this.#begin(options);
    return ids.map((id) => structuredClone(this.#documents.get(id)?.record));
  }

  /** @type {VectorStore["getChunkIds"]} */
  async getChunkIds(documentId, options) {
    this.#begin(options);
    return (this.#documents.get(documentId)?.chunks ?? []).map(({ chunk }) => chunk.id);
  }

  /** @type {VectorStore["getOutline"]} */
  async getOutline(documentId, options) {
    this.#begin(options);
    return structuredClone(this.#documents.get(documentId)?.outline ?? []);
  }

  /** @type {VectorStore["listDocuments"]} */
  async listDocuments(page) {
    this.#begin(page);
    const { after, limit, filter } = page;
    return this.#filtered(filter)
      .map(({ record }) => record)
      .filter(({ id }) => after === undefined || id > after)
      .sort((a, b) => compare(a.id, b.id))
      .slice(0, limit)
      .map((record) => structuredClone(record));
  }

  /** @type {VectorStore["listTerms"]} */
  async listTerms(page) {
    this.#begin(page);
    const { prefix, limit } = page;
    /** @type {Map<string, number>} */
    const numbers = new Map();
    for (const { counts } of this.#chunks.values()) {
      for (const term of counts.keys()) {
        if (term.startsWith(prefix)) numbers.set(term, (numbers.get(term) ?? 0) + 1);
      }
    }
    return [...numbers]
      .sort(([a], [b]) => compare(a, b))
      .slice(0, limit)
      .map(([term, chunks]) => ({ term, chunks }));
  }

  /** @type {VectorStore["stats"]} */
  async stats(options) {
    this.#begin(options);
    const vectors = [...this.#chunks.values()].filter(({ vector }) => vector !== null).length;
    return { documents: this.#documents.size, chunks: this.#chunks.size, vectors };
  }

  /** @type {VectorStore["check"]} */
  async check(options) {
    this.#begin(options);
    const { documents } = JSON.parse(readFileSync(this.#path, "utf8"));
    const same = documents.length === this.#documents.size;
    return { faults: same ? [] : [`${this.#path} was changed by someone else.`] };
  }

  async close() {
    this.#closed = true;
  }

  /**
   * Comes first in every call.
   *
   * @param {CallOptions | undefined} options
   */
  #begin(options) {
    if (this.#closed) {
      throw new DocsearchError("CLOSED", "The store is closed. Open it again.", { name: this.name });
    }
    options?.signal?.throwIfAborted();
  }

  /** @param {string} operation */
  #assertWritable(operation) {
    if (this.#mode === "write") return;
    throw new DocsearchError("UNSUPPORTED", "The index was opened for reading. Open it for writing.", { operation });
  }

  /** @param {Filter | undefined} filter */
  #filtered(filter) {
    const documents = [...this.#documents.values()];
    return filter === undefined ? documents : documents.filter(({ record }) => matchesFilter(filter, record));
  }

  /**
   * Checks and copies a replacement; changes nothing.
   *
   * @param {Extract<DocumentChange, { type: "replace" }>} change
   * @param {ReadonlyMap<string, StoredChunk>} stored
   * @returns {StoredDocument}
   */
  #prepare({ document, outline, chunks }, stored) {
    const seen = new Set();
    const prepared = chunks.map(({ chunk, fields, embedding }) => {
      const owner = stored.get(chunk.id)?.chunk.documentId ?? document.id;
      if (seen.has(chunk.id) || owner !== document.id || chunk.documentId !== document.id) {
        throw new DocsearchError("STORE_FAILED", `The chunk id ${chunk.id} stands for another chunk already.`, {
          operation: "write",
        });
      }
      seen.add(chunk.id);
      return {
        chunk: structuredClone(chunk),
        counts: termCounts(fields),
        vector: this.#vectorOf(chunk, embedding, stored),
      };
    });
    prepared.sort((a, b) => a.chunk.ordinal - b.chunk.ordinal);
    return { record: structuredClone(document), outline: structuredClone(outline), chunks: prepared };
  }

  /**
   * @param {Chunk} chunk
   * @param {EmbeddingWrite} embedding
   * @param {ReadonlyMap<string, StoredChunk>} stored
   */
  #vectorOf({ id }, embedding, stored) {
    if (embedding.kind === "none") return null;
    if (embedding.kind === "vector") return unitVector(embedding.vector, this.schema.embedding?.dimensions ?? 0);
    const before = stored.get(id);
    if (before !== undefined) return before.vector;
    throw new DocsearchError("CHUNK_MISSING", `There is no chunk ${id} whose vector could be kept.`, { chunkId: id });
  }

  /**
   * Writes everything beside the file and puts it in its place at once, then shows it to searches.
   *
   * @param {ReadonlyMap<string, StoredDocument>} documents
   */
  #save(documents) {
    const beside = `${this.#path}.new`;
    const content = { schema: this.schema, documents: [...documents.values()].map(writeDocument) };
    writeFileSync(beside, JSON.stringify(content));
    renameSync(beside, this.#path);
    this.#take(documents);
  }

  /** @param {ReadonlyMap<string, StoredDocument>} documents */
  #take(documents) {
    this.#documents = documents;
    this.#chunks = new Map(
      [...documents.values()].flatMap(({ chunks }) => chunks).map((each) => [each.chunk.id, each]),
    );
  }
}

/**
 * Maps have no JSON.
 *
 * @param {StoredDocument} document
 */
function writeDocument(document) {
  return { ...document, chunks: document.chunks.map((each) => ({ ...each, counts: [...each.counts] })) };
}

/**
 * @param {ReturnType<typeof writeDocument>} document
 * @returns {StoredDocument}
 */
function readDocument(document) {
  return { ...document, chunks: document.chunks.map((each) => ({ ...each, counts: new Map(each.counts) })) };
}

/**
 * Best first; equal scores by chunk id.
 *
 * @param {Hit[]} hits
 * @param {number} limit
 */
function best(hits, limit) {
  return hits.sort((a, b) => b.score - a.score || compare(a.chunkId, b.chunkId)).slice(0, limit);
}

/**
 * In code unit order, as the contract wants it everywhere. `localeCompare` would give another.
 *
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
