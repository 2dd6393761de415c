import assert from "node:assert/strict";
import {
  type CallOptions,
  type Chunk,
  type CollectionCount,
  type DocumentChange,
  type DocumentHit,
  type DocumentPage,
  type DocumentRecord,
  type Hit,
  isDocsearchError,
  type OutlineEntry,
  type StoreCheck,
  type StoreStats,
  type TermCount,
  type TextHits,
  type TextSearch,
  type VectorSearch,
  type VectorStore,
  type WriteResult,
} from "@docsearch/spec";
import { compareCodeUnits } from "./assertions.js";

/**
 * Wraps a store for tests and development: it passes every call on and asserts of each answer what the contract
 * says of all answers: order, limits, finite scores, alignment with the request, `CLOSED` after `close`.
 * A breach rejects with an `AssertionError`; errors of the store pass through.
 */
export function checkedStore(inner: VectorStore): VectorStore {
  const capabilities = JSON.stringify(inner.capabilities);
  let closed = false;

  /** Runs a call, checks its answer, and sees to it that a closed store answers with nothing but `CLOSED`. */
  async function run<T>(name: string, call: () => Promise<T>, check: (answer: T) => void): Promise<T> {
    const wasClosed = closed;
    let answer: T;
    try {
      answer = await call();
    } catch (error) {
      if (wasClosed)
        assert.ok(isDocsearchError(error, "CLOSED"), `${name} after close: expected CLOSED, got ${String(error)}`);
      throw error;
    }
    assert.ok(!wasClosed, `${name} answered after close`);
    assert.equal(JSON.stringify(inner.capabilities), capabilities, "the capabilities have changed");
    check(answer);
    return answer;
  }

  return {
    specVersion: inner.specVersion,
    name: inner.name,
    capabilities: inner.capabilities,
    schema: inner.schema,
    write: (changes: readonly DocumentChange[], options?: CallOptions): Promise<WriteResult> =>
      run(
        "write",
        () => inner.write(changes, options),
        (result) => {
          const replacements = changes.filter((change) => change.type === "replace");
          assert.deepEqual(result, {
            replaced: replacements.length,
            deleted: result.deleted,
            chunks: replacements.reduce((sum, change) => sum + change.chunks.length, 0),
          });
          assertCount(result.deleted, changes.length - replacements.length, "deleted");
        },
      ),
    clear: (options?: CallOptions): Promise<void> =>
      run(
        "clear",
        () => inner.clear(options),
        () => {},
      ),
    searchText: (search: TextSearch): Promise<TextHits> =>
      run(
        "searchText",
        () => inner.searchText(search),
        ({ chunks, documents, ceiling }) => {
          assertHits(chunks, ({ chunkId }) => chunkId, search.limit);
          assertHits(documents, ({ documentId }) => documentId, search.limit);
          if (inner.capabilities.lexical !== "bm25f") {
            assert.deepEqual([documents, ceiling], [[], undefined]);
            return;
          }
          assert.ok(ceiling !== undefined, "a bm25f store says the ceiling");
          for (const [hits, most] of [[chunks, ceiling.chunks] as const, [documents, ceiling.documents] as const]) {
            assert.ok(
              Number.isFinite(most) && (hits[0]?.score ?? 0) <= most + 1e-9,
              `a score above the ceiling ${most}`,
            );
          }
        },
      ),
    searchVector: (search: VectorSearch): Promise<readonly Hit[]> =>
      run(
        "searchVector",
        () => inner.searchVector(search),
        (hits) => {
          assertHits(hits, ({ chunkId }) => chunkId, search.limit);
          const largest = 1 + inner.capabilities.vectorTolerance;
          for (const { chunkId, score } of hits)
            assert.ok(Math.abs(score) <= largest, `cosine of ${chunkId}: ${score}`);
        },
      ),
    getChunks: (ids: readonly string[], options?: CallOptions): Promise<readonly (Chunk | undefined)[]> =>
      run(
        "getChunks",
        () => inner.getChunks(ids, options),
        (chunks) => {
          assertAligned(chunks, ids);
        },
      ),
    getDocuments: (ids: readonly string[], options?: CallOptions): Promise<readonly (DocumentRecord | undefined)[]> =>
      run(
        "getDocuments",
        () => inner.getDocuments(ids, options),
        (records) => {
          assertAligned(records, ids);
        },
      ),
    getChunkIds: (documentId: string, options?: CallOptions): Promise<readonly string[]> =>
      run(
        "getChunkIds",
        () => inner.getChunkIds(documentId, options),
        (ids) => {
          assert.equal(new Set(ids).size, ids.length, `a chunk id of ${documentId} comes twice`);
        },
      ),
    getOutline: (documentId: string, options?: CallOptions): Promise<readonly OutlineEntry[]> =>
      run(
        "getOutline",
        () => inner.getOutline(documentId, options),
        (outline) => {
          outline.forEach(({ heading, parent }, i) => {
            assert.ok(parent === undefined || (parent >= 0 && parent < i), `parent ${parent} of ${heading} at ${i}`);
          });
        },
      ),
    listDocuments: (page: DocumentPage): Promise<readonly DocumentRecord[]> =>
      run(
        "listDocuments",
        () => inner.listDocuments(page),
        (records) => {
          assertAscending(
            records.map(({ id }) => id),
            page.limit,
          );
          const [first] = records;
          if (first !== undefined && page.after !== undefined)
            assert.ok(first.id > page.after, "the cursor is exclusive");
        },
      ),
    listTerms: (
      page: CallOptions & { readonly prefix: string; readonly limit: number },
    ): Promise<readonly TermCount[]> =>
      run(
        "listTerms",
        () => inner.listTerms(page),
        (counts) => {
          assertAscending(
            counts.map(({ term }) => term),
            page.limit,
          );
          for (const { term, chunks } of counts) {
            assert.ok(term.startsWith(page.prefix), `${term} does not begin with ${page.prefix}`);
            assert.ok(Number.isInteger(chunks) && chunks > 0, `${term} in ${chunks} chunks`);
          }
        },
      ),
    stats: (options?: CallOptions): Promise<StoreStats> =>
      run(
        "stats",
        () => inner.stats(options),
        ({ documents, chunks, vectors }) => {
          assertCount(documents, Number.MAX_SAFE_INTEGER, "documents");
          assertCount(chunks, Number.MAX_SAFE_INTEGER, "chunks");
          assertCount(vectors, chunks, "vectors");
        },
      ),
    ...(inner.countByCollection !== undefined && {
      countByCollection: (options?: CallOptions): Promise<readonly CollectionCount[]> =>
        run(
          "countByCollection",
          async () => (await inner.countByCollection?.(options)) ?? [],
          (counts) => {
            const names = counts.map(({ collection, mediaType }) => `${collection}\0${mediaType}`);
            assert.equal(new Set(names).size, names.length, "a collection and media type is counted twice");
            for (const { documents } of counts) assert.ok(documents > 0, "a collection without documents is counted");
          },
        ),
    }),
    check: (options?: CallOptions): Promise<StoreCheck> =>
      run(
        "check",
        () => inner.check(options),
        () => {},
      ),
    ...(inner.spaces !== undefined && { spaces: inner.spaces }),
    close: async (): Promise<void> => {
      await inner.close();
      closed = true;
    },
  };
}

/** Asserts that hits are best first, equal scores by id, each once, finite, and not more than `limit`. */
export function assertHits<T extends Hit | DocumentHit>(
  hits: readonly T[],
  idOf: (hit: T) => string,
  limit: number,
): void {
  assert.ok(hits.length <= limit, `${hits.length} hits with limit ${limit}`);
  assert.equal(new Set(hits.map(idOf)).size, hits.length, "a hit comes twice");
  hits.forEach((hit, i) => {
    assert.ok(Number.isFinite(hit.score), `score of ${idOf(hit)}: ${hit.score}`);
    const before = hits[i - 1];
    if (before === undefined) return;
    const order = before.score - hit.score || compareCodeUnits(idOf(hit), idOf(before));
    assert.ok(order > 0, `${idOf(before)} (${before.score}) before ${idOf(hit)} (${hit.score})`);
  });
}

function assertAligned(found: readonly ({ readonly id: string } | undefined)[], ids: readonly string[]): void {
  assert.equal(found.length, ids.length, "as many answers as ids");
  found.forEach((value, i) => {
    if (value !== undefined) assert.equal(value.id, ids[i], `answer ${i}`);
  });
}

function assertAscending(keys: readonly string[], limit: number): void {
  assert.ok(keys.length <= limit, `${keys.length} with limit ${limit}`);
  keys.forEach((key, i) => {
    assert.ok(i === 0 || keys[i - 1]! < key, `${keys[i - 1]} before ${key}`);
  });
}

function assertCount(count: number, most: number, name: string): void {
  assert.ok(Number.isInteger(count) && count >= 0 && count <= most, `${name}: ${count}`);
}
