import { memoryStore } from "@docsearch/core";
import type { DocumentChange, IndexSchema, OpenOptions, VectorStore } from "@docsearch/spec";
import type { PGlite } from "@electric-sql/pglite";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addSecondModel, OTHER, spacesOf } from "../../../tools/store-tests/two-models.js";
import { pgvectorStore } from "../src/index.js";
import {
  newSchema,
  page,
  READ,
  RECREATE,
  removal,
  SCHEMA,
  startPglite,
  term,
  textIds,
  vectorIds,
  WRITE,
} from "./support.js";

const OTHER_SCHEMA: IndexSchema = { ...SCHEMA, embedding: OTHER };

let pglite: PGlite;
beforeAll(async () => {
  pglite = await startPglite();
}, 60_000);
afterAll(() => pglite.close());

function openIn(schema: string, open: OpenOptions = WRITE, index: IndexSchema = SCHEMA): Promise<VectorStore> {
  return pgvectorStore({ pglite, schema }).open(index, open);
}

function quoted(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`;
}

async function rowsOf(schema: string, sql: string): Promise<unknown[]> {
  return (await pglite.query(sql.replaceAll("%", quoted(schema)))).rows;
}

async function formatOf(schema: string): Promise<unknown> {
  return (await rowsOf(schema, "SELECT value FROM %.meta WHERE key = 'format'"))[0];
}

async function tablesOf(schema: string): Promise<string[]> {
  const { rows } = await pglite.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 ORDER BY 1",
    [schema],
  );
  return rows.map(({ name }) => name);
}

const ONE_MODEL = ["chunk", "document", "meta", "posting", "state", "vector"];

describe("an index of one model", () => {
  it("stays one of format 1, which earlier versions read, until it gets another", async () => {
    const schema = newSchema();
    const store = await openIn(schema);
    await store.write([page("d", [{ vector: [1, 0, 0, 0] }, {}])]);
    expect(await spacesOf(store).list()).toEqual([
      { embedding: SCHEMA.embedding, isActive: true, vectors: 1, lacking: 0 },
    ]);
    expect([await formatOf(schema), await tablesOf(schema)]).toEqual([{ value: 1 }, ONE_MODEL]);
    const [before] = await rowsOf(schema, "SELECT ctid::text, chunk FROM %.vector");
    await (await spacesOf(store).open(OTHER, { create: true })).close();
    expect([await formatOf(schema), await tablesOf(schema)]).toEqual([
      { value: 2 },
      [...ONE_MODEL, "vector_1", "vector_space"],
    ]);
    // The vectors that were there are not written again.
    expect(await rowsOf(schema, "SELECT ctid::text, chunk FROM %.vector")).toEqual([before]);
    await store.close();
    await (await openIn(schema)).close();
  });

  it("made by an earlier version: read as it is, brought up to date by a writer, asked about once", async () => {
    const schema = newSchema();
    const store = await openIn(schema);
    await store.write([page("d", [{ words: "alpha", vector: [1, 0, 0, 0] }, {}])]);
    await store.close();
    await pglite.exec(`ALTER TABLE ${quoted(schema)}.chunk DROP COLUMN silent`);
    const reader = await openIn(schema, READ);
    expect(await textIds(reader, term("alpha"))).toEqual(["d#0"]);
    expect(await spacesOf(reader).lacking(["d#0", "d#1"])).toEqual(["d#1"]);
    expect(await spacesOf(reader).list()).toMatchObject([{ vectors: 1, lacking: 1 }]);
    expect(await reader.check()).toEqual({ faults: [] });
    const writer = await openIn(schema);
    expect(await spacesOf(writer).fill([{ chunkId: "d#1", vector: undefined }])).toBe(1);
    expect(await formatOf(schema)).toEqual({ value: 1 });
    // The reader that was open before sees it.
    expect(await spacesOf(reader).lacking(["d#0", "d#1"])).toEqual([]);
    expect(await spacesOf(reader).list()).toMatchObject([{ vectors: 1, lacking: 0 }]);
    // What an earlier version writes is lacking where it has no vector.
    await pglite.exec(`INSERT INTO ${quoted(schema)}.chunk (slot, id, document, ordinal, text, details, terms)
      SELECT 9, 'd#9', document, 9, '', '{}', 0 FROM ${quoted(schema)}.chunk WHERE id = 'd#0'`);
    expect(await spacesOf(writer).lacking(["d#1", "d#9"])).toEqual(["d#9"]);
    await Promise.all([reader.close(), writer.close()]);
  });

  it("that an earlier version made in place of one of two models takes a second one all the same", async () => {
    const schema = newSchema();
    const store = await openIn(schema);
    await (await spacesOf(store).open(OTHER, { create: true })).close();
    await store.close();
    // That version drops and makes the tables that it knows.
    await pglite.exec(`DROP TABLE ${quoted(schema)}.meta`);
    const anew = await openIn(schema);
    await pglite.exec(`CREATE TABLE ${quoted(schema)}.vector_space (number int); CREATE TABLE ${quoted(schema)}.vector_4 (x int);
      INSERT INTO ${quoted(schema)}.vector_space VALUES (0), (4)`);
    await (await spacesOf(anew).open(OTHER, { create: true })).close();
    expect(await tablesOf(schema)).toEqual([...ONE_MODEL, "vector_1", "vector_space"]);
    await anew.close();
  });
});

describe("an index of two models", () => {
  async function twoModels(): Promise<{ schema: string; store: VectorStore; other: VectorStore }> {
    const schema = newSchema();
    const store = await openIn(schema);
    const other = await addSecondModel(store);
    return { schema, store, other };
  }

  it("is opened with the active one alone, in each mode", async () => {
    const { schema, store, other } = await twoModels();
    await Promise.all([store.close(), other.close()]);
    await expect(openIn(schema, READ, OTHER_SCHEMA)).rejects.toMatchObject({
      code: "INDEX_MISMATCH",
      details: { stored: SCHEMA, requested: OTHER_SCHEMA },
    });
    const before = await openIn(schema, READ);
    await expect(spacesOf(before).use(OTHER.id)).rejects.toMatchObject({ code: "UNSUPPORTED" });
    await expect(spacesOf(before).open({ id: "new@1", dimensions: 2 }, { create: true })).rejects.toMatchObject({
      code: "UNSUPPORTED",
    });
    const writer = await openIn(schema);
    await spacesOf(writer).use(OTHER.id);
    await writer.close();
    const active = await openIn(schema, READ, OTHER_SCHEMA);
    expect(await vectorIds(active, [0, 1, 0], 1)).toEqual(["d#1"]);
    await active.close();
    // What was open before goes on with its own.
    expect(await vectorIds(before, [0, 1, 0, 0], 1)).toEqual(["d#1"]);
    await before.close();
    await expect(openIn(schema)).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
  });

  it("that is dropped while it is open answers with INDEX_MISMATCH, the other goes on", async () => {
    const { schema, store, other } = await twoModels();
    const index = await openIn(schema, READ);
    const reader = await spacesOf(index).open(OTHER);
    await index.close();
    expect(await vectorIds(reader, [1, 0, 0], 1)).toEqual(["d#0"]);
    await spacesOf(store).drop(OTHER.id);
    await expect(vectorIds(reader, [1, 0, 0])).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    await expect(other.write([page("e", [{ vector: [1, 0, 0] }])])).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    await expect(spacesOf(other).fill([])).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    expect(await vectorIds(store, [1, 0, 0, 0], 1)).toEqual(["d#0"]);
    expect(await tablesOf(schema)).toEqual([...ONE_MODEL, "vector_space"]);
    // Its number goes to another model, and the reader does not take that for its own.
    await (await spacesOf(store).open({ id: "third@1", dimensions: 3 }, { create: true })).close();
    expect(await tablesOf(schema)).toContain("vector_1");
    await expect(vectorIds(reader, [1, 0, 0])).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    await Promise.all([store.close(), other.close(), reader.close()]);
  });

  it("a model that takes the number of one that was dropped was asked about nothing", async () => {
    const { store, other } = await twoModels();
    await other.write([page("d", [{ words: "alpha" }, { words: "beta", vector: "keep" }])]);
    await other.close();
    expect((await spacesOf(store).list())[0]).toMatchObject({ vectors: 1, lacking: 0 });
    await spacesOf(store).drop(OTHER.id);
    const third = await spacesOf(store).open({ id: "third@1", dimensions: 2 }, { create: true });
    expect(await spacesOf(third).lacking(["d#0", "d#1"])).toEqual(["d#0", "d#1"]);
    await Promise.all([store.close(), third.close()]);
  });

  it("is seen by stores that were open before, a writer too", async () => {
    const schema = newSchema();
    const [writer, reader] = [await openIn(schema), await openIn(schema)];
    await writer.write([page("d", [{ vector: [1, 0, 0, 0] }]), page("e", [{ vector: [1, 0, 0, 0] }])]);
    expect(await vectorIds(reader, [1, 0, 0, 0])).toEqual(["d#0", "e#0"]);
    const other = await spacesOf(reader).open(OTHER, { create: true });
    await spacesOf(other).fill([
      { chunkId: "d#0", vector: Float32Array.of(1, 0, 0) },
      { chunkId: "e#0", vector: Float32Array.of(1, 0, 0) },
    ]);
    await writer.write([page("d", [{ vector: "keep" }, { vector: [0, 1, 0, 0] }]), removal("e")]);
    expect(await vectorIds(other, [1, 0, 0])).toEqual(["d#0"]);
    expect(await spacesOf(other).lacking(["d#0", "d#1"])).toEqual(["d#1"]);
    expect(await other.check()).toEqual({ faults: [] });
    await Promise.all([writer.close(), reader.close(), other.close()]);
  });

  it("keeps both when it is emptied, and what is indexed anew lacks the second", async () => {
    const { schema, store, other } = await twoModels();
    await Promise.all([store.close(), other.close()]);
    const anew = await openIn(schema, RECREATE);
    await anew.clear();
    await anew.write([page("d", [{ vector: [0, 0, 1, 0] }])]);
    expect(await spacesOf(anew).list()).toEqual([
      { embedding: OTHER, isActive: false, vectors: 0, lacking: 1 },
      { embedding: SCHEMA.embedding, isActive: true, vectors: 1, lacking: 0 },
    ]);
    expect(await anew.check()).toEqual({ faults: [] });
    await anew.close();
    // There is no index beside another, so there is none to go back to.
    expect(pgvectorStore({ pglite }).restorePrevious).toBeUndefined();
  });

  it("is one of one model when it is recreated, and of format 1; other tables are left alone", async () => {
    const { schema, store, other } = await twoModels();
    await other.close();
    await pglite.exec(`CREATE TABLE ${quoted(schema)}.vector_2 (x int)`);
    const changed = { ...SCHEMA, chunking: "changed@1" };
    const anew = await openIn(schema, RECREATE, changed);
    expect((await spacesOf(anew).list()).map(({ embedding }) => embedding.id)).toEqual(["test@1"]);
    expect(await formatOf(schema)).toEqual({ value: 1 });
    expect(await tablesOf(schema)).toEqual([...ONE_MODEL, "vector_2"]);
    await expect(store.stats()).rejects.toMatchObject({ code: "INDEX_MISMATCH", details: { stored: changed } });
    await Promise.all([anew.close(), store.close()]);
  });

  it("a store goes on when the index is made anew with the same settings and one model", async () => {
    const { schema, store, other } = await twoModels();
    await (await openIn(schema, RECREATE, { ...SCHEMA, chunking: "changed@1" })).close();
    await (await openIn(schema, RECREATE)).close();
    await store.write([page("e", [{ words: "alpha", vector: [1, 0, 0, 0] }])]);
    expect(await textIds(store, term("alpha"))).toEqual(["e#0"]);
    await expect(other.stats()).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    expect(await store.check()).toEqual({ faults: [] });
    await Promise.all([store.close(), other.close()]);
  });

  it.each([
    ["UPDATE %.vector_space SET vectors = 9 WHERE number = 1", "9 vectors of other@1 are counted, and there are 2."],
    ["UPDATE %.vector_space SET vectors = 9 WHERE number = 0", "9 vectors of test@1 are counted, and there are 2."],
    ["DELETE FROM %.vector_1", "2 vectors of other@1 are counted, and there are 0."],
    ["UPDATE %.vector_1 SET document = 99", "2 vectors of other@1 belong to no chunk, or to one of another document."],
    ["UPDATE %.chunk SET silent = '{1}'", "2 vectors of other@1 belong to chunks that should have none."],
    ["UPDATE %.chunk SET silent = '{7}'", "2 chunks speak of a model that the index does not have."],
  ])("check finds, in the space of the other: %s", async (statement, fault) => {
    const { schema, store, other } = await twoModels();
    expect(await store.check()).toEqual({ faults: [] });
    await pglite.exec(statement.replaceAll("%", quoted(schema)));
    expect(await store.check()).toEqual({ faults: [fault] });
    expect(await other.check()).toEqual({ faults: [fault] });
    await Promise.all([store.close(), other.close()]);
  });

  it("each has an HNSW index of its own, made when its writer closes", async () => {
    const schema = newSchema();
    const place = { pglite, schema, exactLimit: 5 } as const;
    const store = await pgvectorStore(place).open(SCHEMA, WRITE);
    const ids = Array.from({ length: 20 }, (_, i) => `d${String(i).padStart(2, "0")}`);
    await store.write(ids.map((id, i) => page(id, [{ vector: [1, i, 0, 0] }])));
    const other = await spacesOf(store).open(OTHER, { create: true });
    await spacesOf(other).fill(ids.map((id, i) => ({ chunkId: `${id}#0`, vector: Float32Array.of(1, 20 - i, 0) })));
    const indexes = async (): Promise<unknown> =>
      (
        await pglite.query("SELECT indexname FROM pg_indexes WHERE schemaname = $1 AND indexname LIKE '%hnsw'", [
          schema,
        ])
      ).rows;
    expect(await indexes()).toEqual([]);
    await other.close();
    expect(await indexes()).toEqual([{ indexname: "vector_1_hnsw" }]);
    await store.close();
    expect(await indexes()).toEqual([{ indexname: "vector_1_hnsw" }, { indexname: "vector_hnsw" }]);
    const again = await pgvectorStore(place).open(SCHEMA, WRITE);
    expect(await vectorIds(again, [1, 19, 0, 0], 2)).toEqual(["d19#0", "d18#0"]);
    const reader = await spacesOf(again).open(OTHER);
    expect(await vectorIds(reader, [1, 20, 0], 2)).toEqual(["d00#0", "d01#0"]);
    await spacesOf(again).drop(OTHER.id);
    expect(await indexes()).toEqual([{ indexname: "vector_hnsw" }]);
    await Promise.all([again.close(), reader.close()]);
  });

  it("vectors that pgvector cannot store begin no space", async () => {
    const schema = newSchema();
    const store = await openIn(schema);
    await expect(spacesOf(store).open({ id: "huge@1", dimensions: 20_000 }, { create: true })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
    expect(await tablesOf(schema)).toEqual(ONE_MODEL);
    await store.close();
  });
});

type Step =
  | { readonly type: "write"; readonly space: 0 | 1; readonly changes: readonly PlainChange[] }
  | {
      readonly type: "fill";
      readonly space: 0 | 1;
      readonly entries: readonly (readonly [chunk: string, kind: Kind])[];
    }
  | { readonly type: "use"; readonly space: 0 | 1 }
  | { readonly type: "clear" };
type Kind = "vector" | "none" | "lacking" | "keep";
/** The chunks of a document; none: it is deleted. */
type PlainChange = readonly [document: string, chunks: readonly (readonly [chunk: number, kind: Kind])[] | undefined];

const anyKind = fc.constantFrom<Kind>("vector", "none", "lacking", "keep");
const anyDocument = fc.constantFrom("a", "b", "c");
const anyPlainChange: fc.Arbitrary<PlainChange> = fc.tuple(
  anyDocument,
  fc.option(fc.uniqueArray(fc.tuple(fc.nat(3), anyKind), { maxLength: 4, selector: ([chunk]) => chunk }), {
    nil: undefined,
    freq: 4,
  }),
);
const anySpace = fc.constantFrom<0 | 1>(0, 1);
const anyEntry = fc.tuple(
  fc.tuple(anyDocument, fc.nat(3)).map(([id, n]) => `${id}#${n}`),
  fc.constantFrom<Kind>("vector", "none"),
);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("write" as const),
      space: anySpace,
      changes: fc.array(anyPlainChange, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant("fill" as const), space: anySpace, entries: fc.array(anyEntry) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("use" as const), space: anySpace }) },
  { weight: 1, arbitrary: fc.constant({ type: "clear" as const }) },
);

/** A vector that tells the chunk, so that one that is another's is found out. */
function vectorFor(chunkId: string, dimensions: number): number[] {
  const n = [...chunkId].reduce((sum, character) => sum * 7 + character.charCodeAt(0), 0);
  return Array.from({ length: dimensions }, (_, i) => Math.sin(n * (i + 1)));
}

function changeOf([id, chunks]: PlainChange, dimensions: number): DocumentChange {
  if (chunks === undefined) return removal(id);
  const pieces = chunks.map(([n, kind]) => ({
    id: `${id}#${n}`,
    ...(kind === "vector" && { vector: vectorFor(`${id}#${n}`, dimensions) }),
    ...(kind === "keep" && { vector: "keep" as const }),
  }));
  const change = page(id, pieces);
  if (change.type === "delete") return change;
  const writes = change.chunks.map((write, i) =>
    chunks[i]?.[1] === "lacking" ? { ...write, embedding: { kind: "none", isLacking: true } as const } : write,
  );
  return { ...change, chunks: writes };
}

/** What the call comes to: its result, or the code of its error. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: { readonly code?: unknown }) => ({ code: error.code }));
}

it("after any changes both spaces are those of the memory store", async () => {
  const chunkIds = ["a", "b", "c"].flatMap((id) => [0, 1, 2, 3].map((n) => `${id}#${n}`));
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 12 }), async (steps) => {
      const first = [await openIn(newSchema()), await memoryStore().open(SCHEMA, WRITE)];
      const second = await Promise.all(first.map((store) => spacesOf(store).open(OTHER, { create: true })));
      const opened = [first, second];
      for (const step of steps) {
        const results: unknown[] = [];
        for (const side of [0, 1]) {
          const store = opened[step.type === "clear" ? 0 : step.space]![side]!;
          const { id, dimensions } = store.schema.embedding!;
          if (step.type === "clear") results.push(await store.clear());
          else if (step.type === "use") results.push(await spacesOf(store).use(id));
          else if (step.type === "write") {
            results.push(await outcome(store.write(step.changes.map((change) => changeOf(change, dimensions)))));
          } else {
            const entries = step.entries.map(([chunkId, kind]) => ({
              chunkId,
              vector: kind === "vector" ? Float32Array.from(vectorFor(chunkId, dimensions)) : undefined,
            }));
            results.push(await spacesOf(store).fill(entries));
          }
        }
        expect(results[0]).toEqual(results[1]);
        expect(await spacesOf(first[0]!).list()).toEqual(await spacesOf(first[1]!).list());
        for (const [ours, oracle] of opened as [VectorStore, VectorStore][]) {
          expect(await spacesOf(ours).lacking(chunkIds)).toEqual(await spacesOf(oracle).lacking(chunkIds));
          const query = vectorFor("a#0", ours.schema.embedding!.dimensions);
          expect(await vectorIds(ours, query)).toEqual(await vectorIds(oracle, query));
        }
      }
      expect(await first[0]!.check()).toEqual({ faults: [] });
      for (const store of opened.flat()) await store.close();
    }),
    { numRuns: 25 },
  );
}, 180_000);
