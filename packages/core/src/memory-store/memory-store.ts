import {
  type CallOptions,
  type Chunk,
  DocsearchError,
  type DocumentChange,
  type DocumentHit,
  type DocumentPage,
  type DocumentRecord,
  type EmbeddingWrite,
  type Filter,
  type Hit,
  type IndexSchema,
  LEXICAL_FIELDS,
  type LexicalFields,
  type LexicalQuery,
  type OpenOptions,
  type OutlineEntry,
  type SpaceEmbedding,
  type StoreCapabilities,
  type StoreCheck,
  type StoreFactory,
  type StoreStats,
  type TermCount,
  type TextHits,
  type TextSearch,
  type VectorSearch,
  type VectorSpaces,
  type VectorStore,
  type WriteResult,
} from "@docsearch/spec";
import { dotProduct } from "../embedding/dot-product.js";
import { bm25f, bm25fCeiling, documentFields, holdsTerm, lexicalStatistics, termWeights } from "./bm25f.js";
import { matchesFilter } from "./filter-match.js";
import { MemorySpaces, type SpaceVectors } from "./memory-spaces.js";
import { unitVector } from "./unit-vector.js";

/**
 * A store in memory that compares everything with everything: the reference for what other stores must answer,
 * and fit for some ten thousand chunks. Every `open` gives a new, empty store, and nothing is kept after it;
 * opening for reading therefore rejects with `INDEX_MISSING`.
 */
export function memoryStore(): StoreFactory {
  return {
    specVersion: 1,
    name: "memory",
    async open(schema: IndexSchema, options: OpenOptions): Promise<VectorStore> {
      options.signal?.throwIfAborted();
      if (options.mode === "read") {
        throw new DocsearchError(
          "INDEX_MISSING",
          "A memory store keeps nothing between openings, so there is no index to read. Open it for writing and index first, or use a store that is durable.",
          { location: "memory", command: "docsearch index" },
        );
      }
      return new MemoryStore(newIndex(schema));
    },
  };
}

interface StoredChunk {
  readonly chunk: Chunk;
  readonly fields: LexicalFields;
}

interface StoredDocument {
  readonly record: DocumentRecord;
  readonly outline: readonly OutlineEntry[];
  /** By ordinal. */
  readonly chunks: readonly StoredChunk[];
  /** Of the document as a whole. */
  readonly fields: LexicalFields;
}

type Replace = Extract<DocumentChange, { type: "replace" }>;

/** What all openings of an index share. */
interface MemoryIndex {
  readonly schema: IndexSchema;
  readonly documents: Map<string, StoredDocument>;
  /** The chunks of `documents` by id. */
  readonly chunks: Map<string, StoredChunk>;
  readonly spaces: MemorySpaces;
}

function newIndex(schema: IndexSchema): MemoryIndex {
  const own = structuredClone(schema);
  return { schema: own, documents: new Map(), chunks: new Map(), spaces: new MemorySpaces(own.embedding) };
}

class MemoryStore implements VectorStore {
  readonly specVersion = 1;
  readonly name = "memory";
  readonly capabilities: StoreCapabilities = {
    lexical: "bm25f",
    vector: "exact",
    vectorTolerance: 1e-6,
    atomicity: "document",
    durable: false,
    multiProcess: false,
  };
  readonly schema: IndexSchema;
  readonly spaces: VectorSpaces;
  readonly #index: MemoryIndex;
  readonly #documents: Map<string, StoredDocument>;
  readonly #chunks: Map<string, StoredChunk>;
  #closed = false;

  /** @param embedding the space of this opening; default: that of the schema */
  constructor(index: MemoryIndex, embedding: SpaceEmbedding | null = index.schema.embedding) {
    this.schema = { ...index.schema, embedding };
    this.#index = index;
    this.#documents = index.documents;
    this.#chunks = index.chunks;
    this.spaces = this.#openSpaces();
  }

  async write(changes: readonly DocumentChange[], options?: CallOptions): Promise<WriteResult> {
    this.#begin(options);
    const result = { replaced: 0, deleted: 0, chunks: 0 };
    const own = this.#vectors();
    for (const change of changes) {
      if (change.type === "delete") {
        if (this.#remove(change.documentId)) result.deleted++;
        continue;
      }
      // Whatever can fail comes before the first change to the maps.
      const document = this.#prepare(change);
      const vectors = change.chunks.map(
        ({ chunk, embedding }) => [chunk.id, this.#vectorOf(chunk.id, embedding)] as const,
      );
      this.#remove(change.document.id, new Set(document.chunks.map(({ chunk }) => chunk.id)));
      this.#documents.set(change.document.id, document);
      for (const stored of document.chunks) this.#chunks.set(stored.chunk.id, stored);
      for (const [id, vector] of vectors) {
        if (vector === undefined) own.delete(id);
        else own.set(id, vector);
      }
      result.replaced++;
      result.chunks += document.chunks.length;
    }
    return result;
  }

  async clear(options?: CallOptions): Promise<void> {
    this.#begin(options);
    this.#documents.clear();
    this.#chunks.clear();
    this.#index.spaces.clear();
  }

  async searchText(search: TextSearch): Promise<TextHits> {
    this.#begin(search);
    const fieldsOf = (stored: Iterable<{ readonly fields: LexicalFields }>): LexicalFields[] =>
      [...stored].map(({ fields }) => fields);
    const weights = termWeights(search.query);
    const chunkStatistics = lexicalStatistics(fieldsOf(this.#chunks.values()), weights.keys());
    const documentStatistics = lexicalStatistics(fieldsOf(this.#documents.values()), weights.keys());
    const chunkHits: Hit[] = [];
    const documentHits: DocumentHit[] = [];
    for (const document of this.#filtered(search.filter)) {
      const documentId = document.record.id;
      const matching = document.chunks.filter(({ fields }) => matchesQuery(search.query, fields));
      for (const { chunk, fields } of matching) {
        const score = bm25f(fields, weights, chunkStatistics, search.ranking);
        chunkHits.push({ chunkId: chunk.id, documentId, score });
      }
      if (matching.length > 0) {
        const score = bm25f(document.fields, weights, documentStatistics, search.ranking);
        documentHits.push({ documentId, score });
      }
    }
    return {
      chunks: best(chunkHits, (hit) => hit.chunkId, search.limit),
      documents: best(documentHits, (hit) => hit.documentId, search.limit),
      ceiling: {
        chunks: bm25fCeiling(weights, chunkStatistics, search.ranking),
        documents: bm25fCeiling(weights, documentStatistics, search.ranking),
      },
    };
  }

  async searchVector(search: VectorSearch): Promise<readonly Hit[]> {
    this.#begin(search);
    if (this.schema.embedding === null) {
      throw new DocsearchError(
        "UNSUPPORTED",
        "This index was made without an embedder and has no vectors. Search its text, or index again with an embedder.",
        { operation: "searchVector" },
      );
    }
    const query = this.#unitVector(search.vector);
    const vectors = this.#vectors();
    const hits: Hit[] = [];
    for (const document of this.#filtered(search.filter)) {
      for (const { chunk } of document.chunks) {
        const vector = vectors.get(chunk.id) ?? null;
        if (vector === null) continue;
        hits.push({ chunkId: chunk.id, documentId: document.record.id, score: dotProduct(query, vector) });
      }
    }
    return best(hits, (hit) => hit.chunkId, search.limit);
  }

  async getChunks(ids: readonly string[], options?: CallOptions): Promise<readonly (Chunk | undefined)[]> {
    this.#begin(options);
    return ids.map((id) => structuredClone(this.#chunks.get(id)?.chunk));
  }

  async getDocuments(ids: readonly string[], options?: CallOptions): Promise<readonly (DocumentRecord | undefined)[]> {
    this.#begin(options);
    return ids.map((id) => structuredClone(this.#documents.get(id)?.record));
  }

  async getChunkIds(documentId: string, options?: CallOptions): Promise<readonly string[]> {
    this.#begin(options);
    return (this.#documents.get(documentId)?.chunks ?? []).map(({ chunk }) => chunk.id);
  }

  async getOutline(documentId: string, options?: CallOptions): Promise<readonly OutlineEntry[]> {
    this.#begin(options);
    return structuredClone(this.#documents.get(documentId)?.outline ?? []);
  }

  async listDocuments(page: DocumentPage): Promise<readonly DocumentRecord[]> {
    this.#begin(page);
    const { after } = page;
    return this.#filtered(page.filter)
      .map(({ record }) => record)
      .filter(({ id }) => after === undefined || id > after)
      .sort((a, b) => compareCodeUnits(a.id, b.id))
      .slice(0, page.limit)
      .map((record) => structuredClone(record));
  }

  async listTerms(
    page: CallOptions & { readonly prefix: string; readonly limit: number },
  ): Promise<readonly TermCount[]> {
    this.#begin(page);
    const counts = new Map<string, number>();
    for (const { fields } of this.#chunks.values()) {
      const terms = new Set(LEXICAL_FIELDS.flatMap((name) => [...(fields[name]?.terms.keys() ?? [])]));
      for (const term of terms) {
        if (term.startsWith(page.prefix)) counts.set(term, (counts.get(term) ?? 0) + 1);
      }
    }
    return [...counts]
      .map(([term, chunks]) => ({ term, chunks }))
      .sort((a, b) => compareCodeUnits(a.term, b.term))
      .slice(0, page.limit);
  }

  async stats(options?: CallOptions): Promise<StoreStats> {
    this.#begin(options);
    const vectors = [...this.#vectors().values()].filter((vector) => vector !== null).length;
    return { documents: this.#documents.size, chunks: this.#chunks.size, vectors };
  }

  async check(options?: CallOptions): Promise<StoreCheck> {
    this.#begin(options);
    const faults: string[] = [];
    let listed = 0;
    for (const [id, { record, chunks }] of this.#documents) {
      if (record.id !== id) faults.push(`Document ${record.id} is stored under ${id}.`);
      listed += chunks.length;
      for (const stored of chunks) {
        const { chunk } = stored;
        const vector = this.#vectors().get(chunk.id) ?? null;
        if (chunk.documentId !== id) faults.push(`Chunk ${chunk.id} of document ${id} names ${chunk.documentId}.`);
        if (this.#chunks.get(chunk.id) !== stored)
          faults.push(`Chunk ${chunk.id} of document ${id} is not found by id.`);
        if (vector !== null && Math.abs(dotProduct(vector, vector) - 1) > 1e-6) {
          faults.push(`The vector of chunk ${chunk.id} is not of unit length.`);
        }
      }
    }
    if (listed !== this.#chunks.size) {
      faults.push(`The documents list ${listed} chunks, and ${this.#chunks.size} are found by id.`);
    }
    return { faults };
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #openSpaces(): VectorSpaces {
    const { spaces } = this.#index;
    return {
      list: async (options) => {
        this.#begin(options);
        return spaces.list(this.#chunks.size);
      },
      open: async (embedding, options) => {
        this.#begin(options);
        if (options?.create === true) spaces.add({ ...embedding });
        return new MemoryStore(this.#index, spaces.get(embedding.id).embedding);
      },
      lacking: async (chunkIds, options) => {
        this.#begin(options);
        return chunkIds.filter((id) => this.#chunks.has(id) && !this.#vectors().has(id));
      },
      fill: async (entries, options) => {
        this.#begin(options);
        const own = this.#vectors();
        const wanted = new Map(entries.map(({ chunkId, vector }) => [chunkId, vector && this.#unitVector(vector)]));
        const lacking = [...wanted].filter(([id]) => this.#chunks.has(id) && !own.has(id));
        for (const [id, vector] of lacking) own.set(id, vector ?? null);
        return lacking.length;
      },
      use: async (embedderId, options) => {
        this.#begin(options);
        spaces.use(embedderId);
      },
      drop: async (embedderId, options) => {
        this.#begin(options);
        spaces.drop(embedderId);
      },
    };
  }

  /** Of this opening's space; none in an index without embedding. */
  #vectors(): SpaceVectors {
    const { embedding } = this.schema;
    return embedding === null ? new Map() : this.#index.spaces.get(embedding.id).vectors;
  }

  #begin(options: CallOptions | undefined): void {
    if (this.#closed) {
      throw new DocsearchError("CLOSED", "The memory store is closed. Open a new one.", { name: this.name });
    }
    options?.signal?.throwIfAborted();
  }

  #filtered(filter: Filter | undefined): StoredDocument[] {
    const documents = [...this.#documents.values()];
    return filter === undefined ? documents : documents.filter(({ record }) => matchesFilter(filter, record));
  }

  /** @param kept chunks that are written again */
  #remove(documentId: string, kept: ReadonlySet<string> = new Set()): boolean {
    for (const { chunk } of this.#documents.get(documentId)?.chunks ?? []) {
      this.#chunks.delete(chunk.id);
      if (!kept.has(chunk.id)) this.#index.spaces.remove(chunk.id);
    }
    return this.#documents.delete(documentId);
  }

  /** Checks and copies a replacement; changes nothing. */
  #prepare({ document, outline, chunks }: Replace): StoredDocument {
    const seen = new Set<string>();
    const stored = chunks.map(({ chunk, fields }): StoredChunk => {
      const owner = this.#chunks.get(chunk.id)?.chunk.documentId ?? document.id;
      if (seen.has(chunk.id) || owner !== document.id || chunk.documentId !== document.id) {
        throw new DocsearchError(
          "STORE_FAILED",
          `Chunk ${chunk.id} cannot be written to document ${document.id}: an id stands for one chunk, in the document that the chunk names. Make chunk ids from the document id.`,
          { operation: "write" },
        );
      }
      seen.add(chunk.id);
      return { chunk: structuredClone(chunk), fields: copyFields(fields) };
    });
    stored.sort((a, b) => a.chunk.ordinal - b.chunk.ordinal);
    return {
      record: structuredClone(document),
      outline: structuredClone(outline),
      chunks: stored,
      fields: documentFields(stored.map(({ fields }) => fields)),
    };
  }

  /** What the space has of a chunk from then on; `undefined`: it is lacking. */
  #vectorOf(chunkId: string, embedding: EmbeddingWrite): Float32Array | null | undefined {
    switch (embedding.kind) {
      case "vector":
        return this.#unitVector(embedding.vector);
      case "none":
        return embedding.isLacking === true ? undefined : null;
      case "keep": {
        if (this.#chunks.has(chunkId)) return this.#vectors().get(chunkId);
        throw new DocsearchError(
          "CHUNK_MISSING",
          `There is no chunk ${chunkId} whose vector could be kept. Write it with its vector, or with none.`,
          { chunkId },
        );
      }
    }
  }

  #unitVector(vector: Float32Array): Float32Array {
    return unitVector(vector, this.schema.embedding?.dimensions ?? 0);
  }
}

/** Whether a chunk matches a query tree. Without clauses nothing matches, so every match holds a term. */
function matchesQuery(query: LexicalQuery, fields: LexicalFields): boolean {
  switch (query.op) {
    case "term":
      return holdsTerm(fields, query.term);
    case "and":
      return query.clauses.length > 0 && query.clauses.every((clause) => matchesQuery(clause, fields));
    case "or":
      return query.clauses.some((clause) => matchesQuery(clause, fields));
  }
}

/** The first `limit` hits: highest score first, equal scores by id in code unit order. */
function best<T extends { readonly score: number }>(hits: T[], idOf: (hit: T) => string, limit: number): readonly T[] {
  return hits.sort((a, b) => b.score - a.score || compareCodeUnits(idOf(a), idOf(b))).slice(0, limit);
}

function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function copyFields(fields: LexicalFields): LexicalFields {
  const copy: { -readonly [Name in keyof LexicalFields]: LexicalFields[Name] } = {};
  for (const name of LEXICAL_FIELDS) {
    const field = fields[name];
    if (field !== undefined) copy[name] = { terms: new Map(field.terms), length: field.length };
  }
  return copy;
}
