import assert from "node:assert/strict";
import { type IndexSchema, isDocsearchError, type OpenOptions, type VectorStore } from "@docsearch/spec";
import { rejectsWith } from "./assertions.js";
import { documentIds, or, page, removal, SCHEMA, searchText, term, textIds } from "./builders.js";
import { hasText, hasVectors } from "./store-case.js";
import type { TestFunction } from "./test-function.js";

export interface DurableStoreConformanceOptions {
  readonly test: TestFunction;
  /** Opens the index at a location. */
  readonly open: (location: string, schema: IndexSchema, options: OpenOptions) => Promise<VectorStore>;
  /** A new location with no index: a path in an empty folder, the name of a new database. */
  readonly location: () => Promise<string>;
}

const WRITE: OpenOptions = { mode: "write", onMismatch: "error" };
const READ: OpenOptions = { mode: "read", onMismatch: "error" };

const OTHER_SCHEMAS: Readonly<Record<string, IndexSchema>> = {
  "embedder id": { ...SCHEMA, embedding: { id: "conformance@2", dimensions: 4 } },
  dimensions: { ...SCHEMA, embedding: { id: "conformance@1", dimensions: 5 } },
  "no embedder": { ...SCHEMA, embedding: null },
  chunking: { ...SCHEMA, chunking: "conformance@2" },
  analyzer: { ...SCHEMA, analyzer: "conformance@2" },
};

/**
 * Defines the tests for stores whose capabilities say `durable`, beside those of `storeConformance`. What a kill
 * in the middle of a write, a full disk or a second writing process leave behind needs processes and is left to
 * the store's own tests.
 */
export function durableStoreConformance({ test, open, location }: DurableStoreConformanceOptions): void {
  const withStore = async <T>(
    place: string,
    schema: IndexSchema,
    options: OpenOptions,
    body: (store: VectorStore) => Promise<T>,
  ): Promise<T> => {
    const store = await open(place, schema, options);
    try {
      return await body(store);
    } finally {
      await store.close();
    }
  };
  /** A location with an index in it. */
  const filled = async (): Promise<string> => {
    const place = await location();
    await withStore(place, SCHEMA, WRITE, fill);
    return place;
  };

  test("durable: the capabilities say so", async () => {
    await withStore(await location(), SCHEMA, WRITE, async ({ capabilities }) => {
      assert.equal(capabilities.durable, true);
    });
  });

  test("durable: an index answers alike before closing, after it, and opened for reading", async () => {
    const place = await location();
    const before = await withStore(place, SCHEMA, WRITE, async (store) => {
      await fill(store);
      return await answers(store);
    });
    for (const options of [WRITE, READ, WRITE]) {
      const after = await withStore(place, SCHEMA, options, async (store) => {
        assert.deepEqual(store.schema, SCHEMA);
        assert.deepEqual(await store.check(), { faults: [] });
        return await answers(store);
      });
      assert.deepEqual(after, before);
    }
  });

  test("durable: writing goes on where it stopped, over many openings", async () => {
    const place = await filled();
    for (let round = 0; round < 5; round++) {
      await withStore(place, SCHEMA, WRITE, async (store) => {
        const kept = page("a", [
          { words: `alpha round${round}`, vector: "keep" },
          { words: "beta", vector: "keep" },
        ]);
        await store.write([
          kept,
          page(`round${round}`, [{ words: "alpha", vector: [1, 2, 3, 4] }]),
          removal(`round${round - 2}`),
        ]);
        assert.deepEqual(await store.check(), { faults: [] });
      });
    }
    // The same documents, written at once to a new place.
    const fresh = await location();
    await withStore(fresh, SCHEMA, WRITE, async (store) => {
      await fill(store);
      const a = page("a", [
        { words: "alpha round4", vector: "keep" },
        { words: "beta", vector: "keep" },
      ]);
      const rounds = [3, 4].map((round) => page(`round${round}`, [{ words: "alpha", vector: [1, 2, 3, 4] }]));
      await store.write([a, ...rounds]);
    });
    assert.deepEqual(await withStore(place, SCHEMA, READ, answers), await withStore(fresh, SCHEMA, READ, answers));
  });

  test("durable: a cleared index is still there, and empty", async () => {
    const place = await filled();
    await withStore(place, SCHEMA, WRITE, (store) => store.clear());
    await withStore(place, SCHEMA, READ, async (store) => {
      assert.deepEqual(await store.stats(), { documents: 0, chunks: 0, vectors: 0 });
      assert.deepEqual(await store.check(), { faults: [] });
    });
  });

  test("durable: a failed write leaves nothing behind for the next opening", async () => {
    const place = await filled();
    const before = await withStore(place, SCHEMA, READ, answers);
    await withStore(place, SCHEMA, WRITE, async (store) => {
      const change = page("a", [{ words: "gamma" }, { words: "delta", vector: "keep", chunk: { id: "unknown" } }]);
      await rejectsWith(store.write([change]), "CHUNK_MISSING", { chunkId: "unknown" });
    });
    await withStore(place, SCHEMA, READ, async (store) => {
      assert.deepEqual(await store.check(), { faults: [] });
      assert.deepEqual(await answers(store), before);
    });
  });

  test("durable: two locations are two indexes", async () => {
    const [first, second] = [await filled(), await location()];
    await withStore(second, SCHEMA, WRITE, async (store) => {
      assert.deepEqual(await store.stats(), { documents: 0, chunks: 0, vectors: 0 });
      await store.write([page("other", [{ words: "alpha" }])]);
    });
    await withStore(first, SCHEMA, READ, async (store) => assert.deepEqual(await documentIds(store), ["a", "b", "c"]));
    await withStore(second, SCHEMA, READ, async (store) => assert.deepEqual(await documentIds(store), ["other"]));
  });

  for (const [difference, schema] of Object.entries(OTHER_SCHEMAS)) {
    test(`durable: another schema (${difference}) rejects with INDEX_MISMATCH and changes nothing`, async () => {
      const place = await filled();
      const before = await withStore(place, SCHEMA, READ, answers);
      // Opened for reading, an index is never begun anew.
      for (const options of [WRITE, READ, { mode: "read", onMismatch: "recreate" } as const]) {
        const error = await open(place, schema, options).then(
          (store) => store.close(),
          (reason: unknown) => reason,
        );
        assert.ok(isDocsearchError(error, "INDEX_MISMATCH"), `expected INDEX_MISMATCH, got ${String(error)}`);
        assert.deepEqual(error.details.stored, SCHEMA);
        assert.deepEqual(error.details.requested, schema);
        assert.notEqual(error.details.command, "");
      }
      assert.deepEqual(await withStore(place, SCHEMA, WRITE, answers), before);
    });

    test(`durable: another schema (${difference}) begins a new index with recreate`, async () => {
      const place = await filled();
      await withStore(place, schema, { mode: "write", onMismatch: "recreate" }, async (store) => {
        assert.deepEqual(store.schema, schema);
        assert.deepEqual(await store.stats(), { documents: 0, chunks: 0, vectors: 0 });
        assert.deepEqual(await documentIds(store), []);
        assert.deepEqual(await store.listTerms({ prefix: "", limit: 10 }), []);
        await store.write([page("new", [{ words: "alpha" }])]);
        assert.deepEqual(await store.check(), { faults: [] });
      });
      await withStore(place, schema, READ, async (store) => assert.deepEqual(await documentIds(store), ["new"]));
      await rejectsWith(open(place, SCHEMA, WRITE), "INDEX_MISMATCH");
    });
  }

  test("durable: recreate keeps an index of the same schema", async () => {
    const place = await filled();
    const before = await withStore(place, SCHEMA, READ, answers);
    const recreate = { mode: "write", onMismatch: "recreate" } as const;
    assert.deepEqual(await withStore(place, SCHEMA, recreate, answers), before);
  });

  test("durable: reading where there is no index rejects with INDEX_MISSING and makes none", async () => {
    const place = await location();
    for (const onMismatch of ["error", "recreate"] as const) {
      const error = await open(place, SCHEMA, { mode: "read", onMismatch }).then(
        (store) => store.close(),
        (reason: unknown) => reason,
      );
      assert.ok(isDocsearchError(error, "INDEX_MISSING"), `expected INDEX_MISSING, got ${String(error)}`);
      assert.notEqual(error.details.location, "");
      assert.notEqual(error.details.command, "");
    }
    // Had one been made, a different schema would not pass.
    const other = { ...SCHEMA, analyzer: "conformance@2" };
    await withStore(place, other, WRITE, async (store) => assert.deepEqual(store.schema, other));
  });

  test("durable: a store opened for reading takes no change", async () => {
    const place = await filled();
    await withStore(place, SCHEMA, READ, async (store) => {
      const before = await answers(store);
      for (const change of [store.write([page("new", [{}])]), store.write([removal("a")]), store.clear()]) {
        const error = await change.then(
          () => "no error",
          (reason: unknown) => reason,
        );
        assert.ok(isDocsearchError(error), `expected a DocsearchError, got ${String(error)}`);
      }
      assert.deepEqual(await answers(store), before);
    });
  });

  test("durable: an aborted opening rejects with AbortError and makes no index", async () => {
    const place = await location();
    await assert.rejects(open(place, SCHEMA, { ...WRITE, signal: AbortSignal.abort() }), { name: "AbortError" });
    await rejectsWith(open(place, SCHEMA, READ), "INDEX_MISSING");
  });

  test("durable: readers see whole documents while a writer writes, if several processes may open the index", async () => {
    const place = await filled();
    await withStore(place, SCHEMA, WRITE, async (writer) => {
      if (!writer.capabilities.multiProcess || !hasText(writer.capabilities)) return;
      const readers = await Promise.all([open(place, SCHEMA, READ), open(place, SCHEMA, READ)]);
      try {
        for (let n = 0; n < 20; n++) {
          const pieces = Array.from({ length: 3 }, (_, i) => ({ words: "common", chunk: { id: `v${n}#${i}` } }));
          const written = writer.write([page("d", pieces)]);
          const seen = await Promise.all(readers.map((reader) => textIds(reader, term("common"))));
          for (const ids of seen) {
            const version = ids[0]?.split("#")[0];
            if (n > 0) assert.ok(version === `v${n - 1}` || version === `v${n}`, `${version} while v${n} is written`);
            assert.deepEqual(ids, version === undefined ? [] : [`${version}#0`, `${version}#1`, `${version}#2`]);
          }
          await written;
          const ids = [`v${n}#0`, `v${n}#1`, `v${n}#2`];
          for (const reader of readers) assert.deepEqual(await textIds(reader, term("common")), ids);
        }
        for (const store of [writer, ...readers]) assert.deepEqual(await store.check(), { faults: [] });
      } finally {
        await Promise.all(readers.map((reader) => reader.close()));
      }
    });
  });
}

/** Three documents, after replacements and deletions. */
async function fill(store: VectorStore): Promise<void> {
  const vectors = hasVectors(store.capabilities) && store.schema.embedding?.dimensions === 4;
  const piece = (words: string, vector: readonly number[]): Parameters<typeof page>[1][number] =>
    vectors ? { words, vector } : { words };
  const outline = [{ heading: "Alpha", level: 1, anchor: "alpha", line: 1 }];
  await store.write([
    page("a", [piece("alpha old", [1, 0, 0, 0]), piece("beta", [0, 1, 0, 0]), piece("gone", [1, 1, 1, 1])], {
      title: "Old",
    }),
    page("b", [piece("alpha beta gamma", [3, 4, 0, 0])], {
      path: "p/b.md",
      metadata: { n: 1.5, flag: true, text: "é" },
    }),
    page("deleted", [piece("alpha alpha alpha", [1, 0, 0, 1])]),
    page("c", []),
  ]);
  await store.write([
    page("a", [piece("alpha new", [1, 0, 0.5, 0]), piece("beta", [0, 1, 0, 0])], { title: "New", outline }),
    removal("deleted"),
  ]);
}

/** What an index answers, as one value. */
async function answers(store: VectorStore): Promise<unknown> {
  const ids = await documentIds(store);
  const chunkIds = (await Promise.all(ids.map((id) => store.getChunkIds(id)))).flat();
  const filter = { op: "in", field: "metadata.flag", values: [true] } as const;
  return {
    documents: await store.getDocuments(ids),
    outlines: await Promise.all(ids.map((id) => store.getOutline(id))),
    chunkIds,
    chunks: await store.getChunks(chunkIds),
    terms: await store.listTerms({ prefix: "", limit: 1000 }),
    stats: await store.stats(),
    text: hasText(store.capabilities) && [
      await searchText(store, or(term("alpha"), term("beta", 0.5))),
      await searchText(store, term("alpha"), { filter }),
      await searchText(store, term("gone")),
    ],
    vector: hasVectors(store.capabilities) && [
      await store.searchVector({ vector: Float32Array.of(1, 2, 3, 4), limit: 10 }),
      await store.searchVector({ vector: Float32Array.of(1, 0, 0, 0), limit: 10, filter }),
    ],
  };
}
