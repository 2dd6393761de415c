import { fork } from "node:child_process";
import { once } from "node:events";
import { openSync, readSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDocsearch, type Docsearch, openStored } from "@docsearch/core";
import type { Document, EmbedderFactory, VectorStore } from "@docsearch/spec";
import { describe, expect, it } from "vitest";
import { addSecondModel, letters, OTHER, spacesOf } from "../../../tools/store-tests/two-models.js";
import { sqliteStore } from "../src/index.js";
import { openStore, page, READ, RECREATE, SCHEMA, temporaryPaths, term, textIds, vectorIds, WRITE } from "./support.js";

const newPath = temporaryPaths();

/** Version of the format in the header of a SQLite file. */
function formatOf(path: string): number {
  const header = Buffer.alloc(64);
  readSync(openSync(path, "r"), header, 0, 64, 0);
  return header.readUInt32BE(60);
}

describe("an index of one model", () => {
  it("stays one of format 3, which earlier versions read, until it gets another", async () => {
    const path = newPath();
    const store = await openStore(path);
    await store.write([page("d", [{ vector: [1, 0, 0, 0] }, {}])]);
    expect(await spacesOf(store).list()).toEqual([
      { embedding: SCHEMA.embedding, isActive: true, vectors: 1, lacking: 0 },
    ]);
    await store.close();
    expect(formatOf(path)).toBe(3);
    const again = await openStore(path);
    await (await spacesOf(again).open(OTHER, { create: true })).close();
    await again.close();
    expect(formatOf(path)).toBe(4);
    await expect(openStore(path).then((opened) => opened.close())).resolves.toBeUndefined();
  });

  it("made by an earlier version: chunks without a vector count as lacking, and are asked about once", async () => {
    const path = newPath();
    const store = await openStore(path);
    const [change] = [page("d", [{ vector: [1, 0, 0, 0] }, {}])];
    if (change.type !== "replace") throw new Error("a replacement was expected");
    const chunks = change.chunks.map((chunk) =>
      chunk.embedding.kind === "none" ? { ...chunk, embedding: { kind: "none", isLacking: true } as const } : chunk,
    );
    await store.write([{ ...change, chunks }]);
    expect(await spacesOf(store).lacking(["d#0", "d#1"])).toEqual(["d#1"]);
    expect(await spacesOf(store).fill([{ chunkId: "d#1", vector: undefined }])).toBe(1);
    expect(await spacesOf(store).lacking(["d#0", "d#1"])).toEqual([]);
    expect(await store.check()).toEqual({ faults: [] });
    await store.close();
  });

  it("has no spaces where vectors are in a table of sqlite-vec", async () => {
    const store = await openStore(newPath(), WRITE, { vectorIndex: "vec0" });
    expect(store.spaces).toBeUndefined();
    await store.close();
  });
});

describe("an index of two models", () => {
  async function twoModels(): Promise<{ path: string; store: VectorStore; other: VectorStore }> {
    const path = newPath();
    const store = await openStore(path);
    const other = await addSecondModel(store);
    return { path, store, other };
  }

  it("is opened with the active one alone, in each mode", async () => {
    const { path, store, other } = await twoModels();
    await store.close();
    await other.close();
    const schema = { ...SCHEMA, embedding: OTHER };
    await expect(openStore(path, READ, {}, schema)).rejects.toMatchObject({
      code: "INDEX_MISMATCH",
      details: { stored: SCHEMA, requested: schema },
    });
    const before = await openStore(path, READ);
    await expect(spacesOf(before).use(OTHER.id)).rejects.toMatchObject({ code: "UNSUPPORTED" });
    const writer = await openStore(path);
    await spacesOf(writer).use(OTHER.id);
    await writer.close();
    const active = await openStore(path, READ, {}, schema);
    expect(await vectorIds(active, [0, 1, 0], 1)).toEqual(["d#1"]);
    await active.close();
    // What was open before goes on with its own.
    expect(await vectorIds(before, [0, 1, 0, 0], 1)).toEqual(["d#1"]);
    await before.close();
    await expect(openStore(path)).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
  });

  it("that is dropped while it is open answers with INDEX_MISMATCH, the other goes on", async () => {
    const { path, store, other } = await twoModels();
    const reader = await spacesOf(await openStore(path, READ)).open(OTHER);
    expect(await vectorIds(reader, [1, 0, 0], 1)).toEqual(["d#0"]);
    await spacesOf(store).drop(OTHER.id);
    await expect(vectorIds(reader, [1, 0, 0])).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    await expect(other.write([page("e", [{ vector: [1, 0, 0] }])])).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    expect(await vectorIds(store, [1, 0, 0, 0], 1)).toEqual(["d#0"]);
    // The same model again is another space.
    await (await spacesOf(store).open({ id: "third@1", dimensions: 3 }, { create: true })).close();
    await expect(vectorIds(reader, [1, 0, 0])).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    await Promise.all([store.close(), other.close(), reader.close()]);
  });

  it("is seen by stores that were open before", async () => {
    const path = newPath();
    const [writer, reader] = [await openStore(path), await openStore(path)];
    await writer.write([page("d", [{ vector: [1, 0, 0, 0] }])]);
    expect(await vectorIds(reader, [1, 0, 0, 0])).toEqual(["d#0"]);
    const other = await spacesOf(reader).open(OTHER, { create: true });
    await spacesOf(other).fill([{ chunkId: "d#0", vector: Float32Array.of(1, 0, 0) }]);
    await writer.write([page("d", [{ vector: "keep" }, { vector: [0, 1, 0, 0] }])]);
    expect(await vectorIds(other, [1, 0, 0])).toEqual(["d#0"]);
    expect(await spacesOf(other).lacking(["d#0", "d#1"])).toEqual(["d#1"]);
    expect(await other.check()).toEqual({ faults: [] });
    await Promise.all([writer.close(), reader.close(), other.close()]);
  });

  it("becomes one of one model when it is made anew beside, and has both again when it is rolled back", async () => {
    const { path, store, other } = await twoModels();
    await Promise.all([store.close(), other.close()]);
    const next = await openStore(path, { mode: "rebuild", onMismatch: "recreate" });
    expect(next.spaces).toBeUndefined();
    await next.write([page("d", [{ words: "new", vector: [0, 0, 1, 0] }])]);
    await next.publish?.();
    const rebuilt = await openStore(path);
    expect((await spacesOf(rebuilt).list()).map(({ embedding }) => embedding.id)).toEqual(["test@1"]);
    await rebuilt.close();
    await sqliteStore({ path }).restorePrevious?.();
    const restored = await openStore(path);
    expect((await spacesOf(restored).list()).map(({ embedding }) => embedding.id)).toEqual(["other@1", "test@1"]);
    await restored.close();
  });

  it("is one of one model when it is recreated, and of format 3", async () => {
    const { path, store, other } = await twoModels();
    await Promise.all([store.close(), other.close()]);
    const anew = await openStore(path, RECREATE, {}, { ...SCHEMA, chunking: "changed@1" });
    expect((await spacesOf(anew).list()).map(({ embedding }) => embedding.id)).toEqual(["test@1"]);
    await anew.close();
    expect(formatOf(path)).toBe(3);
  });

  it("damage in the second one is found", async () => {
    const { path, store, other } = await twoModels();
    await Promise.all([store.close(), other.close()]);
    const { default: Database } = await import("better-sqlite3");
    const database = new Database(path);
    database.exec("UPDATE vector_block_1 SET checksum = checksum + 1");
    database.close();
    const opened = await openStore(path, READ);
    expect((await opened.check()).faults).toEqual(["Vector block 0 is not what was written."]);
    await opened.close();
  });
});

function documents(count: number, suffix = ""): Document[] {
  return Array.from({ length: count }, (_, i) => {
    const text = `# Page ${i}\n\n\`\`\`js\nconst a${i} = ${i};\n\`\`\`\n\nThe [target](https://example.com/${i}) ${"abc".slice(0, 1 + (i % 3))} of page ${i}${suffix}.`;
    return {
      id: `p${i}.md`,
      path: `p${i}.md`,
      collection: "docs",
      text,
      contentHash: text,
      mediaType: "text/markdown",
      metadata: {},
    };
  });
}

async function docsearchAt(
  path: string,
  embedder: EmbedderFactory,
  space: "active" | "existing" | "new" = "existing",
): Promise<Docsearch> {
  return createDocsearch({ store: sqliteStore({ path }), embedder, space });
}

describe("embedding with another model", () => {
  it("embeds the same texts as indexing, once, and changes nothing else", async () => {
    const path = newPath();
    const indexed: string[] = [];
    const first = await docsearchAt(
      path,
      letters("first@1", 4, (text) => indexed.push(text)),
    );
    await first.index({ documents: documents(30) });
    const embedded: string[] = [];
    const second = await docsearchAt(
      path,
      letters("second@1", 3, (text) => embedded.push(text)),
      "new",
    );
    const report = await second.embed({ documents: documents(30) });
    expect(report).toEqual({ embedded: 30, lacking: 0, changed: 0, failures: [] });
    expect(embedded.sort()).toEqual(indexed.sort());
    expect(await second.embed({ documents: documents(30) })).toEqual({
      embedded: 0,
      lacking: 0,
      changed: 0,
      failures: [],
    });
    expect(embedded.length).toBe(30);
    // A run of the first finds nothing to do.
    expect(await first.index({ documents: documents(30) })).toMatchObject({ unchanged: 30, embedded: 0 });
    expect((await first.check()).faults).toEqual([]);
    await Promise.all([first.close(), second.close()]);
  });

  it("of an index run while there are two: the other is honestly incomplete, and is completed", async () => {
    const path = newPath();
    const first = await docsearchAt(path, letters("first@1", 4));
    await first.index({ documents: documents(5) });
    const second = await docsearchAt(path, letters("second@1", 3), "new");
    await second.embed({ documents: documents(5) });
    const changed = [...documents(4), ...documents(7, " changed").slice(4)];
    await first.index({ documents: changed, prune: { collections: ["docs"] } });
    const coverage = async (): Promise<object[]> =>
      (await first.listSpaces()).map(({ embedding, vectors, lacking }) => ({ id: embedding.id, vectors, lacking }));
    expect(await coverage()).toEqual([
      { id: "first@1", vectors: 7, lacking: 0 },
      { id: "second@1", vectors: 4, lacking: 3 },
    ]);
    // The texts of before are not those of the index, nor is a document that the index does not have.
    const stale = await second.embed({ documents: [...documents(5), ...documents(9).slice(8)] });
    expect(stale).toEqual({ embedded: 0, lacking: 3, changed: 1, failures: [] });
    expect(await second.embed({ documents: changed })).toEqual({ embedded: 3, lacking: 0, changed: 0, failures: [] });
    expect(await coverage()).toEqual([
      { id: "first@1", vectors: 7, lacking: 0 },
      { id: "second@1", vectors: 7, lacking: 0 },
    ]);
    await Promise.all([first.close(), second.close()]);
  });

  it("goes on where it was stopped, and where a text failed", async () => {
    const path = newPath();
    const first = await docsearchAt(path, letters("first@1", 4));
    await first.index({ documents: documents(600) });
    await first.close();
    const controller = new AbortController();
    const embedded: string[] = [];
    const stopped = await docsearchAt(
      path,
      letters("second@1", 3, (text) => {
        embedded.push(text);
        if (embedded.length === 300) controller.abort();
      }),
      "new",
    );
    await expect(stopped.embed({ documents: documents(600), signal: controller.signal })).rejects.toThrow("aborted");
    await stopped.close();
    let failing = true;
    const poison = await docsearchAt(
      path,
      letters("second@1", 3, (text) => {
        embedded.push(text);
        if (failing && text.includes("page 599")) throw new Error("refused");
      }),
    );
    const report = await poison.embed({ documents: documents(600) });
    expect(report).toMatchObject({ embedded: 600 - 256 - 1, lacking: 1, changed: 0 });
    expect(report.failures).toMatchObject([{ documentId: "p599.md", error: { message: "refused" } }]);
    failing = false;
    expect(await poison.embed({ documents: documents(600) })).toEqual({
      embedded: 1,
      lacking: 0,
      changed: 0,
      failures: [],
    });
    await poison.close();
  });

  it("an embedder that is gone rejects; what was embedded stays, and words are found", async () => {
    const path = newPath();
    const first = await docsearchAt(path, letters("first@1", 4));
    await first.index({ documents: documents(400) });
    let count = 0;
    const dying = await docsearchAt(
      path,
      letters("second@1", 3, () => {
        if (++count > 300) throw new Error("gone");
      }),
      "new",
    );
    await expect(dying.embed({ documents: documents(400) })).rejects.toThrow("gone");
    expect((await dying.listSpaces()).map(({ lacking }) => lacking)).toEqual([0, 144]);
    await dying.close();
    const { results } = await first.search({ query: "page 7", mode: "keyword", limit: 1 });
    expect(results[0]?.document.id).toBe("p7.md");
    await first.close();
  });

  it("that another run overtakes writes nothing old", async () => {
    const path = newPath();
    const first = await docsearchAt(path, letters("first@1", 4));
    await first.index({ documents: documents(20) });
    const second = await docsearchAt(path, letters("second@1", 3), "new");
    async function* overtaken(): AsyncGenerator<Document> {
      yield* documents(20);
      // Read, and not yet written: in between all of them change, and one goes.
      await first.index({ documents: documents(19, " changed"), prune: { collections: ["docs"] } });
    }
    await second.embed({ documents: overtaken() });
    expect((await second.status()).stats).toMatchObject({ documents: 19, chunks: 19 });
    expect(await second.embed({ documents: documents(19, " changed") })).toMatchObject({ lacking: 0, changed: 0 });
    expect((await second.check()).faults).toEqual([]);
    await Promise.all([first.close(), second.close()]);
  });
});

describe("which model an index is opened with", () => {
  it("active, existing and new", async () => {
    const path = newPath();
    const first = await docsearchAt(path, letters("first@1", 4));
    await first.index({ documents: documents(3) });
    await first.close();
    await expect(docsearchAt(path, letters("second@1", 3), "existing")).rejects.toMatchObject({
      code: "INDEX_MISMATCH",
    });
    const second = await docsearchAt(path, letters("second@1", 3), "new");
    await second.embed({ documents: documents(3) });
    await expect(docsearchAt(path, letters("second@1", 3), "active")).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
    const joined = await docsearchAt(path, letters("second@1", 3), "existing");
    expect((await joined.status()).schema.embedding).toEqual({ id: "second@1", dimensions: 3 });
    const { results } = await joined.search({ query: "cccc", mode: "semantic", limit: 1 });
    expect(results[0]?.document.id).toBe("p2.md");
    await Promise.all([second.close(), joined.close()]);
    const store = await openStored(sqliteStore({ path }), "write");
    expect(store.schema.embedding?.id).toBe("first@1");
    await spacesOf(store).use("second@1");
    await store.close();
    await (await docsearchAt(path, letters("second@1", 3), "active")).close();
    await (await docsearchAt(path, letters("first@1", 4), "existing")).close();
    await expect(docsearchAt(path, letters("first@1", 4), "active")).rejects.toMatchObject({ code: "INDEX_MISMATCH" });
  });

  it("a keyword index gets a model without being made anew", async () => {
    const path = newPath();
    const words = await createDocsearch({ store: sqliteStore({ path }) });
    await words.index({ documents: documents(3) });
    await words.close();
    const model = await docsearchAt(path, letters("second@1", 3), "new");
    expect(await model.embed({ documents: documents(3) })).toMatchObject({ embedded: 3, lacking: 0 });
    await model.close();
    const store = await openStored(sqliteStore({ path }), "write");
    await spacesOf(store).use("second@1");
    await store.close();
    const active = await docsearchAt(path, letters("second@1", 3), "active");
    expect((await active.status()).stats.vectors).toBe(3);
    await active.close();
  });
});

it("killed at any moment of filling, switching and dropping, the index is whole and has one active model", async () => {
  const path = newPath();
  const seen = new Set<string>();
  for (let round = 0; round < 12; round++) {
    const child = fork(join(import.meta.dirname, "fixtures", "process.mjs"), ["switch-forever", path, String(round)]);
    const exited = once(child, "exit");
    await once(child, "message");
    await sleep(Math.random() * 200);
    child.kill("SIGKILL");
    expect(await exited).toEqual([null, "SIGKILL"]);
    const store = await openStored(sqliteStore({ path }), "write");
    expect(await store.check()).toEqual({ faults: [] });
    const spaces = await spacesOf(store).list();
    expect(spaces.filter(({ isActive }) => isActive).length).toBe(1);
    const { chunks } = await store.stats();
    for (const { embedding, vectors, lacking } of spaces) {
      seen.add(embedding.id);
      const space = await spacesOf(store).open(embedding);
      expect(vectors + lacking).toBe(chunks);
      const hits = await space.searchVector({ vector: new Float32Array(embedding.dimensions).fill(1), limit: 1000 });
      expect(hits.length).toBe(vectors);
      expect((await textIds(space, term("all"), 1000)).length).toBe(chunks);
      await space.close();
    }
    await store.close();
  }
  expect([...seen].sort()).toEqual(["other@1", "test@1"]);
});
