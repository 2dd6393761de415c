import assert from "node:assert/strict";
import type { SpaceEmbedding, VectorSpaces, VectorStore } from "@docsearch/spec";
import { assertNear, rejectsWith } from "../assertions.js";
import { page, removal, SCHEMA, term, textIds, vectorIds } from "../builders.js";
import { hasText, hasVectors, type StoreCase, type StoreCaseContext } from "../store-case.js";

/** The model of the second space: vectors of another length, so that one of the first can never be taken for one. */
const OTHER: SpaceEmbedding = { id: "conformance-other@1", dimensions: 3 };
const OWN = SCHEMA.embedding as SpaceEmbedding;

interface SpacesContext extends StoreCaseContext {
  readonly spaces: VectorSpaces;
  /** A new space, open; it is closed after the case. */
  readonly addOther: () => Promise<VectorStore>;
}

/** A case for stores with spaces; it passes for the others. */
function spacesCase(
  name: string,
  body: (context: SpacesContext) => Promise<void>,
  settings: Partial<Pick<StoreCase, "applies" | "closes" | "schema">> = {},
): StoreCase {
  return {
    name: `spaces: ${name}`,
    applies: hasVectors,
    ...settings,
    body: async (context) => {
      const { spaces } = context.store;
      if (spaces === undefined) return;
      const opened: VectorStore[] = [];
      const addOther = async (): Promise<VectorStore> => {
        const other = await spaces.open(OTHER, { create: true });
        opened.push(other);
        return other;
      };
      try {
        await body({ ...context, spaces, addOther });
        for (const store of opened) assert.deepEqual(await store.check(), { faults: [] });
      } finally {
        for (const store of opened) await store.close();
      }
    },
  };
}

const [X, Y]: readonly (readonly number[])[] = [
  [1, 0, 0],
  [0, 1, 0],
];

export const SPACE_CASES: readonly StoreCase[] = [
  spacesCase("an index begins with that of its embedder, which is active", async ({ spaces, write }) => {
    await write(page("d", [{ vector: [1, 0, 0, 0] }, {}]));
    assert.deepEqual(await spaces.list(), [{ embedding: OWN, isActive: true, vectors: 1, lacking: 0 }]);
  }),
  spacesCase(
    "a new one is empty, lacks every chunk and changes nothing",
    async ({ store, spaces, write, addOther }) => {
      await write(page("d", [{ vector: [1, 0, 0, 0] }, {}]));
      const other = await addOther();
      assert.deepEqual(other.schema, { ...SCHEMA, embedding: OTHER });
      assert.deepEqual(await other.stats(), { documents: 1, chunks: 2, vectors: 0 });
      assert.deepEqual(await vectorIds(other, X!), []);
      assert.deepEqual(await other.spaces?.lacking(["d#1", "gone#0", "d#0"]), ["d#1", "d#0"]);
      assert.deepEqual(await spaces.lacking(["d#1", "d#0"]), []);
      assert.deepEqual(await spaces.list(), [
        { embedding: OTHER, isActive: false, vectors: 0, lacking: 2 },
        { embedding: OWN, isActive: true, vectors: 1, lacking: 0 },
      ]);
      assert.deepEqual(await vectorIds(store, [1, 0, 0, 0]), ["d#0"]);
    },
  ),
  spacesCase("each is searched with its own vectors alone", async ({ store, write, addOther }) => {
    await write(page("d", [{ vector: [1, 0, 0, 0] }, { vector: [0, 1, 0, 0] }]));
    const other = await addOther();
    await other.write([page("d", [{ vector: Y! }, { vector: X! }])]);
    assert.deepEqual(await vectorIds(other, X!, { limit: 1 }), ["d#1"]);
    assert.deepEqual(await vectorIds(store, [1, 0, 0, 0], { limit: 1 }), ["d#0"]);
    const [hit] = await other.searchVector({ vector: Float32Array.from(X!), limit: 1 });
    assertNear(hit?.score ?? 0, 1, other.capabilities.vectorTolerance);
    await rejectsWith(other.searchVector({ vector: Float32Array.of(1, 0, 0, 0), limit: 1 }), "VECTOR_INVALID");
    await rejectsWith(store.searchVector({ vector: Float32Array.from(X!), limit: 1 }), "VECTOR_INVALID");
    await rejectsWith(other.write([page("e", [{ vector: [1, 0, 0, 0] }])]), "VECTOR_INVALID");
    assert.deepEqual((await store.stats()).documents, 1);
  }),
  spacesCase(
    "chunks that stay keep their vectors in both, whoever writes",
    async ({ store, spaces, write, addOther }) => {
      await write(page("d", [{ vector: [1, 0, 0, 0] }, { vector: [0, 1, 0, 0] }]));
      const other = await addOther();
      await other.write([page("d", [{ vector: X! }, { vector: "keep" }])]);
      assert.deepEqual(await spaces.list(), [
        { embedding: OTHER, isActive: false, vectors: 1, lacking: 1 },
        { embedding: OWN, isActive: true, vectors: 2, lacking: 0 },
      ]);
      await write(page("d", [{ vector: "keep" }, { vector: [0, 1, 0, 0] }, { vector: [0, 0, 1, 0] }]));
      assert.deepEqual(await vectorIds(other, X!), ["d#0"]);
      assert.deepEqual(await other.spaces?.lacking(["d#0", "d#1", "d#2"]), ["d#1", "d#2"]);
      assert.deepEqual(await vectorIds(store, [0, 0, 1, 0], { limit: 1 }), ["d#2"]);
    },
  ),
  spacesCase("a chunk that goes is gone from both", async ({ store, spaces, write, addOther }) => {
    await write(page("d", [{ vector: [1, 0, 0, 0] }, { vector: [0, 1, 0, 0] }]), page("e", [{ vector: [0, 0, 1, 0] }]));
    const other = await addOther();
    await other.write([page("d", [{ vector: X! }, { vector: Y! }]), page("e", [{ vector: [0, 0, 1] }])]);
    await write(page("d", [{ vector: "keep", chunk: { id: "d#1" } }]), removal("e"));
    assert.deepEqual(await vectorIds(other, X!), ["d#1"]);
    assert.deepEqual(await vectorIds(store, [1, 0, 0, 0]), ["d#1"]);
    await write(page("d", [{ vector: [1, 0, 0, 0] }]));
    assert.deepEqual(await vectorIds(other, X!), []);
    assert.deepEqual(await spaces.list(), [
      { embedding: OTHER, isActive: false, vectors: 0, lacking: 1 },
      { embedding: OWN, isActive: true, vectors: 1, lacking: 0 },
    ]);
  }),
  spacesCase("nothing to say is not lacking, unless it was not asked", async ({ store, spaces, write, addOther }) => {
    await write(page("d", [{ vector: [1, 0, 0, 0] }, { vector: [0, 1, 0, 0] }]));
    const other = await addOther();
    await other.write([page("d", [{}, { vector: "keep" }])]);
    assert.deepEqual(await other.spaces?.lacking(["d#0", "d#1"]), ["d#1"]);
    const failed = page("d", [{ vector: "keep" }, { vector: "keep" }, {}]);
    const chunks = failed.chunks.map((chunk, i) =>
      i === 2 ? { ...chunk, embedding: { kind: "none", isLacking: true } as const } : chunk,
    );
    await store.write([{ ...failed, chunks }]);
    assert.deepEqual(await spaces.lacking(["d#0", "d#1", "d#2"]), ["d#2"]);
    await write(page("d", [{ vector: "keep" }, { vector: "keep" }, { vector: "keep" }]));
    assert.deepEqual(await spaces.lacking(["d#0", "d#1", "d#2"]), ["d#2"]);
    assert.deepEqual(await other.spaces?.lacking(["d#0", "d#1", "d#2"]), ["d#1", "d#2"]);
    await write(page("d", [{ vector: "keep" }, { vector: "keep" }, {}]));
    assert.deepEqual(await spaces.lacking(["d#0", "d#1", "d#2"]), []);
  }),
  spacesCase("filling changes lacking chunks alone", async ({ store, spaces, write, addOther }) => {
    await write(page("d", [{ vector: [1, 0, 0, 0] }, { vector: [0, 1, 0, 0] }, {}], { title: "Old" }));
    const other = await addOther();
    const fill = (ids: Readonly<Record<string, readonly number[] | undefined>>): Promise<number | undefined> =>
      other.spaces?.fill(
        Object.entries(ids).map(([chunkId, vector]) => ({ chunkId, vector: vector && Float32Array.from(vector) })),
      ) ?? Promise.resolve(undefined);
    assert.equal(await fill({ "d#0": X!, "gone#0": Y!, "d#2": undefined }), 2);
    assert.deepEqual(await other.spaces?.lacking(["d#0", "d#1", "d#2"]), ["d#1"]);
    assert.deepEqual(await vectorIds(other, X!), ["d#0"]);
    // What is there stays, as when two of them are at work.
    assert.equal(await fill({ "d#0": Y!, "d#2": Y! }), 0);
    const [hit] = await other.searchVector({ vector: Float32Array.from(X!), limit: 1 });
    assertNear(hit?.score ?? 0, 1, other.capabilities.vectorTolerance);
    assert.deepEqual(await other.stats(), { documents: 1, chunks: 3, vectors: 1 });
    await rejectsWith(fill({ "d#1": [0, 0, 0] }), "VECTOR_INVALID", { reason: "zero", expected: 3, actual: 3 });
    await rejectsWith(fill({ "d#1": [1, 0, 0, 0] }), "VECTOR_INVALID");
    assert.equal(await fill({}), 0);
    assert.equal(await fill({ "d#1": Y! }), 1);
    assert.deepEqual(await vectorIds(store, [0, 1, 0, 0], { limit: 1 }), ["d#1"]);
    assert.equal((await store.getDocuments(["d"]))[0]?.title, "Old");
    assert.deepEqual(await spaces.list(), [
      { embedding: OTHER, isActive: false, vectors: 2, lacking: 0 },
      { embedding: OWN, isActive: true, vectors: 2, lacking: 0 },
    ]);
  }),
  spacesCase(
    "text is the same in both",
    async ({ store, addOther }) => {
      const other = await addOther();
      await other.write([page("d", [{ words: "alpha" }])]);
      assert.deepEqual(await textIds(store, term("alpha")), ["d#0"]);
      assert.deepEqual(await textIds(other, term("alpha")), ["d#0"]);
    },
    { applies: (capabilities) => hasVectors(capabilities) && hasText(capabilities) },
  ),
  spacesCase(
    "another one is made active, and back; stores go on in theirs",
    async ({ store, spaces, write, addOther }) => {
      await write(page("d", [{ vector: [1, 0, 0, 0] }]));
      const other = await addOther();
      await other.write([page("d", [{ vector: X! }])]);
      const actives = async (): Promise<readonly string[]> =>
        (await spaces.list()).filter(({ isActive }) => isActive).map(({ embedding }) => embedding.id);
      await spaces.use(OTHER.id);
      assert.deepEqual(await actives(), [OTHER.id]);
      assert.deepEqual(await vectorIds(store, [1, 0, 0, 0]), ["d#0"]);
      await write(page("e", [{ vector: [1, 0, 0, 0] }]));
      assert.deepEqual(await other.spaces?.lacking(["d#0", "e#0"]), ["e#0"]);
      await spaces.use(OTHER.id);
      await spaces.use(OWN.id);
      assert.deepEqual(await actives(), [OWN.id]);
    },
  ),
  spacesCase("one that is dropped is gone, and begins anew empty", async ({ store, spaces, write }) => {
    await write(page("d", [{ vector: [1, 0, 0, 0] }]));
    const other = await spaces.open(OTHER, { create: true });
    await other.write([page("d", [{ vector: X! }])]);
    await other.close();
    await spaces.drop(OTHER.id);
    assert.deepEqual(await spaces.list(), [{ embedding: OWN, isActive: true, vectors: 1, lacking: 0 }]);
    await rejectsWith(spaces.open(OTHER), "NOT_FOUND");
    const again = await spaces.open(OTHER, { create: true });
    try {
      assert.deepEqual(await vectorIds(again, X!), []);
      assert.deepEqual(await again.spaces?.lacking(["d#0"]), ["d#0"]);
    } finally {
      await again.close();
    }
    assert.deepEqual(await vectorIds(store, [1, 0, 0, 0]), ["d#0"]);
  }),
  spacesCase(
    "the first one can be dropped when it is no longer active",
    async ({ spaces, write, addOther }) => {
      await write(page("d", [{ vector: [1, 0, 0, 0] }]));
      const other = await addOther();
      await other.write([page("d", [{ vector: X! }])]);
      await rejectsWith(spaces.drop(OWN.id), "UNSUPPORTED", { operation: "drop" });
      await spaces.use(OTHER.id);
      await rejectsWith(spaces.drop(OTHER.id), "UNSUPPORTED", { operation: "drop" });
      await other.spaces?.drop(OWN.id);
      assert.deepEqual(await other.spaces?.list(), [{ embedding: OTHER, isActive: true, vectors: 1, lacking: 0 }]);
      await other.write([page("d", [{ vector: "keep" }, { vector: Y! }])]);
      assert.deepEqual(await vectorIds(other, Y!, { limit: 1 }), ["d#1"]);
      // The store that the suite opened has no space any more.
    },
    { closes: true },
  ),
  spacesCase("those that are not there are NOT_FOUND", async ({ spaces }) => {
    const details = { what: "vector space", name: "nobody" };
    await rejectsWith(spaces.use("nobody"), "NOT_FOUND", details);
    await rejectsWith(spaces.drop("nobody"), "NOT_FOUND", details);
    await rejectsWith(spaces.open({ id: "nobody", dimensions: 4 }), "NOT_FOUND", details);
  }),
  spacesCase("emptying the index empties all of them", async ({ store, spaces, write, addOther }) => {
    await write(page("d", [{ vector: [1, 0, 0, 0] }]));
    const other = await addOther();
    await other.write([page("d", [{ vector: X! }])]);
    await store.clear();
    assert.deepEqual(await spaces.list(), [
      { embedding: OTHER, isActive: false, vectors: 0, lacking: 0 },
      { embedding: OWN, isActive: true, vectors: 0, lacking: 0 },
    ]);
    await write(page("d", [{ vector: [0, 1, 0, 0] }]));
    assert.deepEqual(await vectorIds(other, X!), []);
    assert.deepEqual(await other.spaces?.lacking(["d#0"]), ["d#0"]);
  }),
  spacesCase(
    "an index without embedding can be given one",
    async ({ spaces, write, addOther }) => {
      await write(page("d", [{ words: "alpha" }]));
      assert.deepEqual(await spaces.list(), []);
      const other = await addOther();
      await other.write([page("d", [{ words: "alpha", vector: X! }])]);
      await write(page("d", [{ words: "alpha", vector: "keep" }, { words: "beta" }]));
      assert.deepEqual(await vectorIds(other, X!), ["d#0"]);
      assert.deepEqual(await other.spaces?.lacking(["d#0", "d#1"]), ["d#1"]);
      await other.spaces?.use(OTHER.id);
      assert.deepEqual(await spaces.list(), [{ embedding: OTHER, isActive: true, vectors: 1, lacking: 1 }]);
    },
    { schema: { ...SCHEMA, embedding: null } },
  ),
  spacesCase("many chunks are replaced, and the other space stays right", async ({ write, addOther }) => {
    const vectorOf = (i: number): number[] => [Math.cos(i), Math.sin(i), (i % 7) - 3];
    const ids = Array.from({ length: 400 }, (_, i) => `d${i}`);
    await write(...ids.map((id, i) => page(id, [{ vector: [1, i + 1, 2, 0] }])));
    const other = await addOther();
    await other.write(ids.map((id, i) => page(id, [{ vector: vectorOf(i) }])));
    // Often enough for a store that numbers its rows anew.
    for (let round = 0; round < 14; round++) {
      await write(...ids.map((id) => page(id, [{ words: `round${round}`, vector: "keep" }])));
    }
    for (const i of [0, 57, 258, 399]) {
      const filter = { op: "in", field: "id", values: [`d${i}`] } as const;
      const [hit] = await other.searchVector({ vector: Float32Array.from(vectorOf(i)), limit: 1, filter });
      assertNear(hit?.score ?? 0, 1, other.capabilities.vectorTolerance, `d${i}`);
    }
    assert.deepEqual(await other.spaces?.lacking(ids.map((id) => `${id}#0`)), []);
  }),
];
