import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { VectorStore } from "@docsearch/spec";
import { expect, test } from "vitest";
import { openStore, temporaryPaths, term, textIds } from "./support.js";

const newPath = temporaryPaths();

/** Every document has all chunks, terms and vectors of one version, and none of another. */
async function assertWhole(store: VectorStore): Promise<void> {
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
  const hits = await store.searchVector({ vector: Float32Array.of(1, 1, 1, 0), limit: 1000 });
  expect(hits.map(({ chunkId }) => chunkId).sort()).toEqual(expected);
}

test("killed at any moment, the index is whole and the next process goes on with it", async () => {
  const path = newPath();
  let next = 1;
  for (let round = 0; round < 15; round++) {
    const child = fork(join(import.meta.dirname, "fixtures", "process.mjs"), ["write-forever", path, String(next)]);
    await once(child, "message");
    await sleep(Math.random() * 250);
    child.kill("SIGKILL");
    await once(child, "exit");
    const store = await openStore(path);
    await assertWhole(store);
    await store.close();
    next += 1000;
  }
});
