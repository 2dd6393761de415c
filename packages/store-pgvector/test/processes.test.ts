import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStored } from "@docsearch/core";
import type { VectorStore } from "@docsearch/spec";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { afterAll, expect, test } from "vitest";
import { OTHER, spacesOf } from "../../../tools/store-tests/two-models.js";
import { pgvectorStore } from "../src/index.js";
import { page, SCHEMA, startPglite, term, textIds, WRITE } from "./support.js";

const folder = mkdtempSync(join(tmpdir(), "docsearch-pgvector-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROCESS = join(import.meta.dirname, "fixtures", "process.mjs");

/** Every space has what it counts, one of them is active, and words find every chunk. Returns the models. */
async function assertWhole(store: VectorStore): Promise<string[]> {
  expect(await store.check()).toEqual({ faults: [] });
  const spaces = await spacesOf(store).list();
  expect(spaces.filter(({ isActive }) => isActive).length).toBe(1);
  const { chunks } = await store.stats();
  for (const { embedding, vectors, lacking } of spaces) {
    const space = await spacesOf(store).open(embedding);
    expect(vectors + lacking).toBe(chunks);
    const hits = await space.searchVector({ vector: new Float32Array(embedding.dimensions).fill(1), limit: 1000 });
    expect(hits.length).toBe(vectors);
    expect((await textIds(space, term("all"), 1000)).length).toBe(chunks);
    await space.close();
  }
  return spaces.map(({ embedding }) => embedding.id);
}

test("killed at any moment of filling, switching and dropping, a folder is whole and has one active model", async () => {
  const url = join(folder, "killed");
  const seen = new Set<string>();
  // After the first opening, in the first fill, before and after a switch, and in the second time round.
  for (const [round, steps] of [1, 2, 3, 4, 7].entries()) {
    const child = fork(PROCESS, ["switch-forever", url, String(round * 3)]);
    const exited = once(child, "exit");
    for (let step = 0; step < steps; step++) await once(child, "message");
    await sleep(Math.random() * 20);
    child.kill("SIGKILL");
    expect(await exited).toEqual([null, "SIGKILL"]);
    const store = await openStored(pgvectorStore({ url }), "write");
    for (const id of await assertWhole(store)) seen.add(id);
    await store.close();
  }
  expect([...seen].sort()).toEqual(["other@1", "test@1"]);
}, 400_000);

test("one process fills a second space on a server while another one writes with the first", async () => {
  const pglite = await startPglite();
  const server = new PGLiteSocketServer({ db: pglite, host: "127.0.0.1", port: 0, maxConnections: 20 });
  await server.start();
  const place = { url: `postgres://postgres@${server.getServerConn()}/postgres`, schema: "both", poolSize: 2 };
  const store = await pgvectorStore(place).open(SCHEMA, WRITE);
  const version = (n: number, of: number): ReturnType<typeof page> =>
    page(`d${n}`, [
      { words: "all stays", vector: [1, n, 0, 0], id: `d${n}#stays` },
      { words: "all goes", vector: [0, n, 1, 0], id: `d${n}#${of}` },
    ]);
  await store.write(Array.from({ length: 30 }, (_, n) => version(n, 0)));
  const child = fork(PROCESS, ["fill", place.url, place.schema]);
  const exited = once(child, "exit");
  await once(child, "message");
  const filled = once(child, "message");
  for (let round = 1; round <= 10; round++) {
    await store.write(Array.from({ length: 10 }, (_, i) => version((round * 7 + i) % 30, round)));
  }
  expect((await filled)[0]).toBeGreaterThan(30);
  expect(await exited).toEqual([0, null]);
  const other = await spacesOf(store).open(OTHER);
  expect(await assertWhole(store)).toEqual(["other@1", "test@1"]);
  // What stays has kept its vector through every write of the other process.
  expect(await spacesOf(other).lacking(Array.from({ length: 30 }, (_, n) => `d${n}#stays`))).toEqual([]);
  await Promise.all([store.close(), other.close()]);
  await server.stop();
  await pglite.close();
}, 400_000);
