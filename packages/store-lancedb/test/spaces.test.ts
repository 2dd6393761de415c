import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryStore, openStored } from "@docsearch/core";
import type { DocumentChange, IndexSchema, OpenOptions, VectorStore } from "@docsearch/spec";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { addSecondModel, OTHER, spacesOf } from "../../../tools/store-tests/two-models.js";
import { type LancedbStoreOptions, lancedbStore } from "../src/index.js";
import { maintain } from "../src/maintenance.js";
import { inside } from "./inside.js";
import {
  page,
  READ,
  REBUILD,
  RECREATE,
  removal,
  SCHEMA,
  temporaryFolders,
  term,
  textIds,
  vectorIds,
  WRITE,
} from "./support.js";
import { version } from "./version.js";

const newFolder = temporaryFolders();
const PROCESS = join(import.meta.dirname, "fixtures", "process.mjs");

function open(
  url: string,
  options: OpenOptions = WRITE,
  schema: IndexSchema = SCHEMA,
  settings: LancedbStoreOptions = {},
): Promise<VectorStore> {
  return lancedbStore({ url, ...settings }).open(schema, options);
}

/** Each model with its vectors and what it lacks; that which answers is marked. */
async function coverage(store: VectorStore): Promise<string[]> {
  return (await spacesOf(store).list()).map(
    ({ embedding, isActive, vectors, lacking }) => `${isActive ? "*" : ""}${embedding.id} ${vectors} ${lacking}`,
  );
}

/** Number of tables of vectors in a folder. */
function vectorTables(url: string): number {
  return readdirSync(url).filter((name) => name.startsWith("vector_")).length;
}

async function twoModels(): Promise<{ url: string; store: VectorStore; other: VectorStore }> {
  const url = newFolder();
  const store = await open(url);
  const other = await addSecondModel(store);
  return { url, store, other };
}

describe("an index of two models", () => {
  test("is opened with the active one alone; what is open goes on with its own", async () => {
    const { url, store, other } = await twoModels();
    const schema = { ...SCHEMA, embedding: OTHER };
    await expect(open(url, READ, schema)).rejects.toMatchObject({
      code: "INDEX_MISMATCH",
      details: { stored: SCHEMA, requested: schema },
    });
    const before = await open(url, READ);
    for (const change of [
      () => spacesOf(before).use(OTHER.id),
      () => spacesOf(before).drop(OTHER.id),
      () => spacesOf(before).fill([]),
      () => spacesOf(before).open({ id: "third@1", dimensions: 3 }, { create: true }),
    ]) {
      await expect(change()).rejects.toMatchObject({ code: "UNSUPPORTED" });
    }
    await spacesOf(store).use(OTHER.id);
    const active = await open(url, READ, schema);
    expect(await vectorIds(active, [0, 1, 0], 1)).toEqual(["d#1"]);
    await expect(open(url)).rejects.toMatchObject({ code: "INDEX_MISMATCH", details: { stored: schema } });
    expect(await vectorIds(before, [0, 1, 0, 0], 1)).toEqual(["d#1"]);
    await store.write([page("e", [{ vector: [0, 1, 0, 0] }])]);
    expect(await coverage(active)).toEqual(["*other@1 2 1", "test@1 3 0"]);
    await Promise.all([store, other, before, active].map((each) => each.close()));
  });

  test("that loses the one that is open answers with INDEX_MISMATCH there, and goes on in the other", async () => {
    const { url, store, other } = await twoModels();
    const reader = await spacesOf(await open(url, READ)).open(OTHER);
    expect(await vectorIds(reader, [1, 0, 0], 1)).toEqual(["d#0"]);
    expect(vectorTables(url)).toBe(2);
    await spacesOf(store).drop(OTHER.id);
    expect(vectorTables(url)).toBe(1);
    for (const call of [
      () => vectorIds(reader, [1, 0, 0]),
      () => textIds(reader, term("alpha")),
      () => other.write([page("e", [{ vector: [1, 0, 0] }])]),
      () => spacesOf(other).fill([{ chunkId: "d#0", vector: Float32Array.of(1, 0, 0) }]),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    }
    expect(await vectorIds(store, [1, 0, 0, 0], 1)).toEqual(["d#0"]);
    expect(await store.stats()).toEqual({ documents: 1, chunks: 2, vectors: 2 });
    await Promise.all([store, other, reader].map((each) => each.close()));
  });

  test("of one id and other dimensions is refused", async () => {
    const { store, other } = await twoModels();
    await expect(spacesOf(store).open({ ...OTHER, dimensions: 8 }, { create: true })).rejects.toMatchObject({
      code: "INDEX_MISMATCH",
    });
    expect(await coverage(store)).toEqual(["other@1 2 0", "*test@1 2 0"]);
    await Promise.all([store.close(), other.close()]);
  });

  test("is seen by stores that were open before", async () => {
    const url = newFolder();
    const [writer, reader] = [await open(url), await open(url)];
    await writer.write([page("d", [{ vector: [1, 0, 0, 0] }])]);
    expect(await vectorIds(reader, [1, 0, 0, 0])).toEqual(["d#0"]);
    const other = await spacesOf(reader).open(OTHER, { create: true });
    const watcher = await spacesOf(writer).open(OTHER);
    expect(await vectorIds(watcher, [1, 0, 0])).toEqual([]);
    await spacesOf(other).fill([{ chunkId: "d#0", vector: Float32Array.of(1, 0, 0) }]);
    expect(await vectorIds(watcher, [1, 0, 0])).toEqual(["d#0"]);
    expect(await watcher.stats()).toEqual({ documents: 1, chunks: 1, vectors: 1 });
    await writer.write([page("d", [{ vector: "keep" }, { vector: [0, 1, 0, 0] }])]);
    expect(await vectorIds(other, [1, 0, 0])).toEqual(["d#0"]);
    expect(await spacesOf(other).lacking(["d#0", "d#1"])).toEqual(["d#1"]);
    expect(await other.check()).toEqual({ faults: [] });
    await Promise.all([writer, reader, other, watcher].map((each) => each.close()));
  });

  test("becomes one of one model when it is made anew beside, and has both again when it is rolled back", async () => {
    const { url, store, other } = await twoModels();
    const next = await open(url, REBUILD);
    expect(next.spaces).toBeUndefined();
    await next.write([page("d", [{ words: "new", vector: [0, 0, 1, 0] }])]);
    await next.publish?.();
    expect(await coverage(store)).toEqual(["*test@1 1 0"]);
    await expect(other.stats()).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    await lancedbStore({ url }).restorePrevious?.();
    expect(await coverage(store)).toEqual(["other@1 2 0", "*test@1 2 0"]);
    expect(await vectorIds(other, [0, 1, 0], 1)).toEqual(["d#1"]);
    expect(await store.check()).toEqual({ faults: [] });
    // Twice anew: the tables of both models go with their index.
    for (let round = 0; round < 2; round++) await (await open(url, REBUILD)).publish?.();
    expect(vectorTables(url)).toBe(2);
    await Promise.all([store.close(), other.close()]);
  });

  test("made anew in the space of the other model, goes on with that one", async () => {
    const { url, store, other } = await twoModels();
    await spacesOf(store).use(OTHER.id);
    const next = await open(url, REBUILD, { ...SCHEMA, embedding: OTHER });
    await next.write([page("d", [{ vector: [0, 0, 1] }])]);
    await next.publish?.();
    expect(await vectorIds(other, [0, 0, 1])).toEqual(["d#0"]);
    expect(await coverage(other)).toEqual(["*other@1 1 0"]);
    await expect(store.stats()).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    await lancedbStore({ url }).restorePrevious?.();
    // It was active before, too.
    expect(await coverage(store)).toEqual(["*other@1 2 0", "test@1 2 0"]);
    await Promise.all([store.close(), other.close()]);
  });

  test("is one of one model when it is recreated", async () => {
    const { url, store, other } = await twoModels();
    await Promise.all([store.close(), other.close()]);
    const anew = await open(url, RECREATE, { ...SCHEMA, chunking: "changed@1" });
    expect(await coverage(anew)).toEqual(["*test@1 0 0"]);
    expect(vectorTables(url)).toBe(1);
    await anew.close();
  });

  test("damage in the second one is found, the first answers, and dropping the second mends it", async () => {
    const { url, store, other } = await twoModels();
    const { entry, generation } = await inside(url);
    const second = entry.current.spaces.find(({ embedding }) => embedding.id === OTHER.id)?.name;
    const folder = join(url, `vector_${generation}_${second}.lance`, "data");
    await Promise.all([store.close(), other.close()]);
    for (const name of readdirSync(folder)) truncateSync(join(folder, name), 40);
    const opened = await open(url);
    await expect(opened.check()).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("Make it anew: docsearch index --rebuild"),
    });
    expect(await vectorIds(opened, [1, 0, 0, 0], 1)).toEqual(["d#0"]);
    await spacesOf(opened).drop(OTHER.id);
    expect(await opened.check()).toEqual({ faults: [] });
    await opened.close();
  });

  test("whose second table is gone is mended by making it anew", async () => {
    const { url, store, other } = await twoModels();
    await Promise.all([store.close(), other.close()]);
    for (const name of readdirSync(url)) if (name.startsWith("vector_")) rmSync(join(url, name), { recursive: true });
    const opened = await open(url);
    await expect(opened.check()).rejects.toMatchObject({
      message: expect.stringContaining("Make it anew: docsearch index --rebuild"),
    });
    await opened.close();
    const next = await open(url, REBUILD);
    await next.write([page("d", [{ vector: [1, 0, 0, 0] }])]);
    await next.publish?.();
    const mended = await open(url);
    expect(await mended.check()).toEqual({ faults: [] });
    expect(await coverage(mended)).toEqual(["*test@1 1 0"]);
    await mended.close();
  });

  test("check finds what is wrong with the vectors of the second one", async () => {
    const { url, store, other } = await twoModels();
    const { target } = await inside(url);
    const { table } = target.vectors[1]!;
    await table.update({ where: "id = 'd#0'", valuesSql: { id: "'d#1'" } });
    expect((await store.check()).faults).toEqual(["Chunk d#1 has more than one vector of other@1."]);
    await Promise.all([store.close(), other.close()]);
  });

  test("is tidied up as a whole: vectors that killed writes left, spaces that were not added, indexes", async () => {
    const url = newFolder();
    const store = await open(url, WRITE, SCHEMA, { exactLimit: 1 });
    const wide = { id: "wide@1", dimensions: 16 };
    const other = await spacesOf(store).open(wide, { create: true });
    const vector = (i: number): number[] => Array.from({ length: 16 }, (_, n) => Math.sin(i * 17 + n));
    await other.write(Array.from({ length: 300 }, (_, i) => page(`d${i}`, [{ vector: vector(i) }])));
    const { connection, generation, target } = await inside(url);
    const left = target.vectors[1]!.table;
    // As a writer leaves it that is killed before its documents are there.
    await left.add(await left.query().where("document_id = 'd7'").toArrow());
    await left.update({ where: "id = 'd7#0'", valuesSql: { revision: "'000000001aaaaaaaaaaaa.0'" } });
    await connection.createEmptyTable(`vector_${generation}_000000001aaaaaaaaaaaa`, await left.schema());
    const later = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 7_200_000);
    await maintain(connection, (await inside(url)).target, generation, { vectorIndexAbove: 1 });
    later.mockRestore();
    expect(vectorTables(url)).toBe(2);
    const after = (await inside(url)).target.vectors.map(({ table }) => table);
    expect(await Promise.all(after.map((table) => table.countRows()))).toEqual([1, 300]);
    const indexed = await Promise.all(after.map((table) => table.listIndices()));
    expect(indexed.map((all) => all.flatMap(({ columns }) => columns))).toEqual([[], ["vector"]]);
    expect(await vectorIds(other, vector(42), 1)).toEqual(["d42#0"]);
    // d7 lost its row above, and is honestly lacking.
    expect(await coverage(store)).toEqual(["*test@1 0 300", "wide@1 299 1"]);
    await Promise.all([store.close(), other.close()]);
  });
});

describe("random changes through two spaces", () => {
  const ids = ["d0", "d1", "d2", "d3"];
  const piece = fc.record({
    id: fc.integer({ min: 0, max: 3 }),
    kind: fc.constantFrom("vector", "vector", "keep", "none", "lacking"),
    direction: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 2, maxLength: 2 }),
  });
  type Pieces = typeof piece extends fc.Arbitrary<infer T> ? readonly T[] : never;
  const change = fc.oneof(
    { weight: 1, arbitrary: fc.record({ id: fc.constantFrom(...ids) }) },
    {
      weight: 5,
      arbitrary: fc.record({
        id: fc.constantFrom(...ids),
        pieces: fc.uniqueArray(piece, { maxLength: 4, selector: (each) => each.id }),
      }),
    },
  );
  const step = fc.record({
    who: fc.constantFrom(0, 1),
    what: fc.oneof(
      { weight: 5, arbitrary: fc.array(change, { minLength: 1, maxLength: 4 }) },
      { weight: 2, arbitrary: fc.constant("fill" as const) },
      { weight: 1, arbitrary: fc.constant("clear" as const) },
    ),
  });

  /** A change as the model of that many dimensions makes it. */
  function changeOf(dimensions: number, id: string, pieces: Pieces | undefined): DocumentChange {
    if (pieces === undefined) return removal(id);
    const made = page(
      id,
      pieces.map((each) => ({
        id: `${id}#${each.id}`,
        ...(each.kind === "keep" && { vector: "keep" as const }),
        ...(each.kind === "vector" && { vector: [1, ...each.direction, 0].slice(0, dimensions) }),
      })),
    );
    if (made.type === "delete") return made;
    const lacking = { kind: "none", isLacking: true } as const;
    return {
      ...made,
      chunks: made.chunks.map((chunk, i) => (pieces[i]!.kind === "lacking" ? { ...chunk, embedding: lacking } : chunk)),
    };
  }

  const chunkIds = ids.flatMap((id) => [0, 1, 2, 3].map((n) => `${id}#${n}`));

  test("leave what they leave in the memory store", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (steps) => {
        const firsts = [await open(newFolder()), await memoryStore().open(SCHEMA, WRITE)];
        const pairs: VectorStore[][] = [];
        for (const first of firsts) pairs.push([first, await spacesOf(first).open(OTHER, { create: true })]);
        for (const { who, what } of steps) {
          const outcomes = await Promise.all(
            pairs.map((pair) => {
              const space = pair[who]!;
              const { dimensions } = space.schema.embedding!;
              if (what === "clear") return space.clear();
              if (what === "fill") {
                const entry = (chunkId: string, i: number) => ({
                  chunkId,
                  vector: i % 3 === 0 ? undefined : new Float32Array(dimensions).fill(1),
                });
                return spacesOf(space).fill(chunkIds.filter((_, i) => i % 2 === who).map(entry));
              }
              const changes = what.map((each) =>
                changeOf(dimensions, each.id, "pieces" in each ? each.pieces : undefined),
              );
              return space.write(changes).catch((error: { readonly code: string }) => error.code);
            }),
          );
          expect(outcomes[0]).toEqual(outcomes[1]);
          const [mine, theirs] = await Promise.all(pairs.map(stateOf));
          expect(mine).toEqual(theirs);
        }
        expect(await firsts[0]!.check()).toEqual({ faults: [] });
        for (const store of pairs.flat()) await store.close();
      }),
      { numRuns: 8 },
    );
  }, 60_000);

  async function stateOf(pair: readonly VectorStore[]): Promise<unknown> {
    const spaces = pair.map(async (space) => {
      const vector = Float32Array.from([1, 2, 3, 4].slice(0, space.schema.embedding!.dimensions));
      const hits = await space.searchVector({ vector, limit: 100 });
      return {
        stats: await space.stats(),
        lacking: await spacesOf(space).lacking(chunkIds),
        hits: hits.map(({ chunkId, score }) => `${chunkId} ${score.toFixed(4).replace("-0.0000", "0.0000")}`).sort(),
      };
    });
    return { list: await spacesOf(pair[0]!).list(), spaces: await Promise.all(spaces) };
  }
});

function start(...argument: readonly string[]): ChildProcess {
  return fork(PROCESS, argument);
}

/** An index of two models with so many chunks, of which the second one lacks all. */
async function indexOf(chunks: number): Promise<string> {
  const url = newFolder();
  const store = await open(url);
  await store.write(
    Array.from({ length: chunks / 2 }, (_, i) => page(`d${i}`, [{ vector: [1, i, 0, 0] }, { vector: [1, 0, i, 0] }])),
  );
  await (await spacesOf(store).open(OTHER, { create: true })).close();
  await store.close();
  return url;
}

test("processes that fill a space at the same time fill each chunk once", async () => {
  const url = await indexOf(40);
  const children = [start("fill", url, "7"), start("fill", url, "8"), start("fill", url, "9")];
  const filled = await Promise.all(
    children.map(async (child) => {
      let last = 0;
      child.on("message", (count) => {
        last = Number(count);
      });
      expect((await once(child, "exit"))[0]).toBe(0);
      return last;
    }),
  );
  expect(filled.reduce((sum, count) => sum + count, 0)).toBe(40);
  const store = await open(url);
  expect(await coverage(store)).toEqual(["other@1 40 0", "*test@1 40 0"]);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
}, 60_000);

test("of two that fill the same chunks at the same moment, one finds that it is done", async () => {
  const url = await indexOf(40);
  const stores = [await open(url), await open(url)];
  const others = await Promise.all(stores.map((store) => spacesOf(store).open(OTHER)));
  for (let first = 0; first < 40; first += 10) {
    const entries = Array.from({ length: 10 }, (_, i) => ({
      chunkId: `d${(first + i) >> 1}#${i % 2}`,
      vector: Float32Array.of(1, first, i),
    }));
    const filled = await Promise.all(others.map((other) => spacesOf(other).fill(entries)));
    expect(filled.sort((a, b) => a - b)).toEqual([0, 10]);
  }
  expect(await coverage(stores[0]!)).toEqual(["other@1 40 0", "*test@1 40 0"]);
  expect(await stores[0]!.check()).toEqual({ faults: [] });
  await Promise.all([...stores, ...others].map((each) => each.close()));
});

test("of three that add one model at the same time one adds a space", async () => {
  const url = newFolder();
  const stores = [await open(url), await open(url), await open(url)];
  const others = await Promise.all(stores.map((store) => spacesOf(store).open(OTHER, { create: true })));
  expect(await coverage(stores[0]!)).toEqual(["other@1 0 0", "*test@1 0 0"]);
  expect(vectorTables(url)).toBe(2);
  await Promise.all([...stores, ...others].map((each) => each.close()));
});

test("killed while it fills a space, nothing that was filled is lost, the first answers, and the next goes on", async () => {
  const url = await indexOf(40);
  const child = start("fill", url, "4");
  let told = 0;
  child.on("message", (count) => {
    told = Number(count);
    if (told >= 12) child.kill("SIGKILL");
  });
  expect((await once(child, "exit"))[1]).toBe("SIGKILL");
  const store = await open(url);
  const other = await spacesOf(store).open(OTHER);
  const { vectors } = await other.stats();
  expect(vectors).toBeGreaterThanOrEqual(told);
  expect(vectors).toBeLessThan(40);
  expect((await vectorIds(other, [1, 1, 1])).length).toBe(vectors);
  expect((await vectorIds(store, [1, 0, 0, 0])).length).toBe(40);
  expect(await store.check()).toEqual({ faults: [] });
  const next = start("fill", url, "100");
  expect((await once(next, "exit"))[0]).toBe(0);
  expect(await coverage(store)).toEqual(["other@1 40 0", "*test@1 40 0"]);
  await Promise.all([store.close(), other.close()]);
}, 60_000);

test.each([
  [1, "before the table of the second", ["*test@1 3 0"], 1],
  [2, "before the second is added", ["*test@1 3 0"], 1],
  [3, "before the second is filled", ["other@1 0 3", "*test@1 3 0"], 2],
  [4, "before the second is used", ["other@1 3 0", "*test@1 3 0"], 2],
  [5, "before the first is dropped", ["*other@1 3 0", "test@1 3 0"], 2],
  [6, "before the table of the first goes", ["*other@1 3 0"], 1],
  [7, "at the end", ["*other@1 3 0"], 1],
])("killed before commit %i of a switch, %s, the index is whole", async (commit, _, expected, tables) => {
  const url = newFolder();
  const writer = await open(url);
  await writer.write([version("d0", 2)]);
  await writer.close();
  const child = start("switch-and-die-at", url, String(commit));
  expect((await once(child, "exit"))[1]).toBe("SIGKILL");
  const store = await openStored(lancedbStore({ url }), "write");
  expect(await coverage(store)).toEqual(expected);
  expect(await store.check()).toEqual({ faults: [] });
  const { connection, generation, target } = await inside(url);
  const later = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 7_200_000);
  await maintain(connection, target, generation, { vectorIndexAbove: undefined });
  later.mockRestore();
  expect(vectorTables(url)).toBe(tables);
  await store.close();
});

test("killed at any moment of filling, switching and dropping, the index is whole and has one active model", async () => {
  const url = newFolder();
  const seen = new Set<string>();
  for (let round = 0; round < 4; round++) {
    const child = start("switch-forever", url, String(round));
    const exited = once(child, "exit");
    await once(child, "message");
    await sleep(200 + Math.random() * 800);
    child.kill("SIGKILL");
    expect(await exited).toEqual([null, "SIGKILL"]);
    const store = await openStored(lancedbStore({ url }), "write");
    expect(await store.check()).toEqual({ faults: [] });
    const spaces = await spacesOf(store).list();
    expect(spaces.filter(({ isActive }) => isActive).length).toBe(1);
    const { chunks } = await store.stats();
    for (const { embedding, vectors, lacking } of spaces) {
      seen.add(embedding.id);
      const space = await spacesOf(store).open(embedding);
      expect(vectors + lacking).toBe(chunks);
      const vector = new Float32Array(embedding.dimensions).fill(1);
      expect((await space.searchVector({ vector, limit: 1000 })).length).toBe(vectors);
      expect((await textIds(space, term("all"), 1000)).length).toBe(chunks);
      await space.close();
    }
    await store.close();
  }
  expect([...seen].sort()).toEqual(["other@1", "test@1"]);
}, 60_000);
