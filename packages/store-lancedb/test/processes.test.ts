import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { lancedbStore } from "../src/index.js";
import { page, READ, SCHEMA, temporaryFolders, term, textIds, vectorIds, WRITE } from "./support.js";

const newFolder = temporaryFolders();
const DIST = join(import.meta.dirname, "..", "dist", "index.js");
const PROCESS = join(import.meta.dirname, "fixtures", "process.mjs");

function start(...argument: readonly string[]): ChildProcess {
  return fork(PROCESS, argument);
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  return child.exitCode ?? ((await once(child, "exit"))[0] as number | null);
}

test("a reader sees what a writer has committed, at its next call", async () => {
  const url = newFolder();
  const writer = await lancedbStore({ url }).open(SCHEMA, WRITE);
  await writer.write([page("a", [{ words: "alpha", vector: [1, 0, 0, 0] }])]);
  const reader = await lancedbStore({ url }).open(SCHEMA, READ);
  expect(await textIds(reader, term("alpha"))).toEqual(["a#0"]);
  expect(await vectorIds(reader, [1, 0, 0, 0])).toEqual(["a#0"]);
  await writer.write([page("b", [{ words: "alpha", vector: [1, 1, 0, 0] }]), page("a", [{ words: "beta" }])]);
  expect(await textIds(reader, term("alpha"))).toEqual(["b#0"]);
  expect(await vectorIds(reader, [1, 0, 0, 0])).toEqual(["b#0"]);
  expect(await reader.stats()).toEqual({ documents: 2, chunks: 2, vectors: 1 });
  await writer.clear();
  expect(await textIds(reader, term("alpha"))).toEqual([]);
  expect(await vectorIds(reader, [1, 0, 0, 0])).toEqual([]);
  const other = start("open-and-write", url, "other");
  expect(await exitCode(other)).toBe(0);
  expect(await textIds(reader, term("other"))).toEqual(["other@3#0", "other@3#1", "other@3#2", "other@3#3"]);
  await reader.close();
  await writer.close();
});

test("processes that create one index at the same time all succeed, whichever is first", async () => {
  for (let round = 0; round < 6; round++) {
    const url = newFolder();
    const children = Array.from({ length: 3 }, (_, n) => start("open-and-write", url, `p${n}`));
    expect(await Promise.all(children.map(exitCode))).toEqual([0, 0, 0]);
    const store = await lancedbStore({ url }).open(SCHEMA, READ);
    expect((await store.listDocuments({ limit: 10 })).map(({ id }) => id)).toEqual(["p0", "p1", "p2"]);
    expect(await store.check()).toEqual({ faults: [] });
    await store.close();
  }
}, 60_000);

test("three processes that write at the same time lose nothing, and leave one version of what all of them wrote", async () => {
  const url = newFolder();
  const first = await lancedbStore({ url }).open(SCHEMA, WRITE);
  const children = ["x", "y", "z"].map((name) => start("write-many", url, name));
  expect(await Promise.all(children.map(exitCode))).toEqual([0, 0, 0]);
  const expected = ["same", "x-14", "y-14", "z-14"];
  expect((await first.listDocuments({ limit: 100 })).map(({ id }) => id)).toEqual(expected);
  expect(await first.check()).toEqual({ faults: [] });
  expect(await first.getChunkIds("same")).toEqual(["same@14#0"]);
  expect((await textIds(first, term("all"))).sort()).toEqual(expected.map((id) => `${id}@14#0`));
  expect((await vectorIds(first, [1, 1, 1, 0])).sort()).toEqual(expected.map((id) => `${id}@14#0`));
  await first.close();
}, 60_000);

test.each<[env: Record<string, string>, expected: string]>([
  [{}, availableParallelism() <= 3 ? "4" : "none"],
  [{ LANCE_CPU_THREADS: "7" }, "7"],
])(
  "the native module has threads of its own on a small machine, and is not loaded before it is used: %j",
  (env, expected) => {
    const code = `
    import { createRequire } from "node:module";
    import { lancedbStore, provider } from ${JSON.stringify(DIST)};
    const isLoaded = () => Object.keys(createRequire(${JSON.stringify(DIST)}).cache).some((path) => path.includes("lancedb/dist"));
    provider.fromEnv({});
    const factory = lancedbStore({ url: process.argv[1] });
    const before = [isLoaded(), process.env.LANCE_CPU_THREADS ?? "none"];
    const store = await factory.open(${JSON.stringify(SCHEMA)}, { mode: "write", onMismatch: "error" });
    await store.close();
    console.log(JSON.stringify([...before, isLoaded(), process.env.LANCE_CPU_THREADS ?? "none"]));`;
    const child = spawnSync(process.execPath, ["--input-type=module", "-e", code, newFolder()], {
      env: { PATH: process.env.PATH, ...env },
      encoding: "utf8",
    });
    expect([child.stdout.trim(), child.stderr]).toEqual([
      JSON.stringify([false, env.LANCE_CPU_THREADS ?? "none", true, expected]),
      "",
    ]);
  },
);

test("two threads of a process have one index open", async () => {
  const url = newFolder();
  const store = await lancedbStore({ url }).open(SCHEMA, WRITE);
  const worker = new Worker(PROCESS, { argv: ["open-and-write", url, "t"] });
  expect((await once(worker, "exit"))[0]).toBe(0);
  expect((await store.listDocuments({ limit: 10 })).map(({ id }) => id)).toEqual(["t"]);
  await store.close();
});
