import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { VectorStore } from "@docsearch/spec";
import { expect, test, vi } from "vitest";
import { lancedbStore } from "../src/index.js";
import { maintain } from "../src/maintenance.js";
import { inside } from "./inside.js";
import { SCHEMA, temporaryFolders, term, textIds, vectorIds, WRITE } from "./support.js";
import { version } from "./version.js";

const newFolder = temporaryFolders();
const PROCESS = join(import.meta.dirname, "fixtures", "process.mjs");

/** Every document has all chunks, terms and vectors of one version, and none of another. */
async function assertWhole(store: VectorStore): Promise<string[]> {
  expect(await store.check()).toEqual({ faults: [] });
  const expected: string[] = [];
  for (const { id, contentHash } of await store.listDocuments({ limit: 100 })) {
    const chunks = Array.from({ length: 1 + (Number(contentHash) % 7) }, (_, i) => `${id}@${contentHash}#${i}`);
    expect(await store.getChunkIds(id)).toEqual(chunks);
    expect(await textIds(store, term(id))).toEqual(chunks);
    expect(await textIds(store, term(`${id}-v${contentHash}`))).toEqual(chunks);
    expected.push(...chunks);
  }
  expect((await textIds(store, term("all"), 1000)).sort()).toEqual(expected.sort());
  expect((await vectorIds(store, [1, 1, 1, 0], 1000)).sort()).toEqual(expected);
  return expected;
}

test("killed at any moment, the index is whole and the next process goes on with it", async () => {
  const url = newFolder();
  let next = 1;
  for (let round = 0; round < 6; round++) {
    const child = fork(PROCESS, ["write-forever", url, String(next)]);
    await once(child, "message");
    await sleep(Math.random() * 400);
    child.kill("SIGKILL");
    await once(child, "exit");
    const store = await lancedbStore({ url }).open(SCHEMA, WRITE);
    await assertWhole(store);
    await store.close();
    next += 1000;
  }
}, 60_000);

/** Chunks of the documents before the write of the child, and after it. */
const OLD = ["d0@1#0", "d0@1#1", "d1@1#0", "d1@1#1"];
const NEW = ["d0@2#0", "d0@2#1", "d0@2#2", "d2@2#0", "d2@2#1", "d2@2#2"];

test.each([
  [1, "before the chunks", OLD],
  [2, "before the postings", OLD],
  [3, "before the vectors", OLD],
  [4, "before the documents", OLD],
  [5, "before the old chunks are removed", NEW],
  [6, "before the old vectors are removed", NEW],
  [7, "before the old postings are removed", NEW],
  [8, "after the write", NEW],
])("killed before commit %i, %s, the write is there as a whole or not at all", async (commit, _, expected) => {
  const url = newFolder();
  const writer = await lancedbStore({ url }).open(SCHEMA, WRITE);
  await writer.write([version("d0", 1), version("d1", 1)]);
  await writer.close();
  const child = fork(PROCESS, ["die-at", url, String(commit)]);
  expect((await once(child, "exit"))[1]).toBe("SIGKILL");

  const store = await lancedbStore({ url }).open(SCHEMA, WRITE);
  expect(await assertWhole(store)).toEqual(expected);
  // A filter and rows that belong to nothing together.
  const filter = { op: "in", field: "id", values: ["d0", "d2"] } as const;
  const hits = await store.searchVector({ vector: Float32Array.of(1, 1, 1, 0), limit: 100, filter });
  expect(hits.map(({ chunkId }) => chunkId).sort()).toEqual(expected.filter((id) => !id.startsWith("d1")));

  const { connection, generation, target } = await inside(url);
  // Two hours later, nobody can be writing these rows any more.
  const later = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 7_200_000);
  await maintain(connection, target, generation, { vectorIndexAbove: undefined });
  later.mockRestore();
  const after = await inside(url);
  expect(await after.target.tables.chunk.countRows()).toBe(expected.length);
  expect(await after.target.vectors[0]!.table.countRows("revision <> ''")).toBe(expected.length);
  const segments = new Set(
    (await after.target.tables.posting.query().select(["segment"]).toArray()).map((row) => row.segment as string),
  );
  expect(segments.size).toBe(1);
  expect(await assertWhole(store)).toEqual(expected);
  await store.close();
});

test("a rebuild that was killed leaves the index as it was", async () => {
  const url = newFolder();
  const store = await lancedbStore({ url }).open(SCHEMA, WRITE);
  await store.write([version("d0", 1)]);
  const child = fork(PROCESS, ["rebuild-and-die", url]);
  await once(child, "exit");
  expect(await assertWhole(store)).toEqual(["d0@1#0", "d0@1#1"]);
  await store.close();
});
