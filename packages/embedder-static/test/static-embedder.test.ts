import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Embedder } from "@docsearch/spec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { provider, staticEmbedder } from "../src/index.js";
import { loadStaticModel } from "../src/load-model.js";
import { writeModel } from "./model-folder.js";

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, j) => sum + x * b[j]!, 0);

describe("the model in the package", () => {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await staticEmbedder().load();
  });
  afterAll(() => embedder.close());

  it("says what it is", () => {
    expect({ ...embedder }).toEqual({
      specVersion: 1,
      id: "static/format-1/version-1/9a183751d8e0742f",
      dimensions: 256,
      maxBatchSize: 256,
      maxParallelCalls: 1,
    });
  });

  it("gives one vector for each text, in order, and none where it has nothing to say", async () => {
    const texts = [
      "Create a new folder with mkdir",
      "",
      "数据库 索引",
      "Delete a directory: rm -rf path",
      "\0 ... \ud800",
    ];
    const { vectors, truncated } = await embedder.embedDocuments(texts);
    expect(vectors.map((vector) => vector?.length)).toEqual([256, undefined, undefined, 256, undefined]);
    expect(truncated).toEqual([]);
    const alone = await embedder.embedDocuments([texts[3]!]);
    expect(alone.vectors).toEqual([vectors[3]]);
  });

  it("returns vectors of unit length, also of a very long text", async () => {
    const texts = ["x", "Configure TLS certificates", "word ".repeat(300_000), "zebra ".repeat(5) + "yak ".repeat(1e5)];
    const { vectors, truncated } = await embedder.embedDocuments(texts);
    for (const vector of vectors) expect(cosine(vector!, vector!)).toBeCloseTo(1, 6);
    expect(truncated).toEqual([]);
  });

  it("finds the passage that answers a question", async () => {
    const passages = [
      "Create a new folder with mkdir",
      "Configure TLS certificates for the HTTPS server",
      "Sort a list",
    ];
    const { vectors } = await embedder.embedDocuments(passages);
    const { vectors: query } = await embedder.embedQuery("enable ssl");
    const scores = vectors.map((vector) => cosine(vector!, query[0]!));
    expect(scores.indexOf(Math.max(...scores))).toBe(1);
  });

  it("gives a result that the next call does not change", async () => {
    const { vectors } = await embedder.embedDocuments(["first"]);
    const before = vectors[0]!.slice();
    await embedder.embedDocuments(["second", "third"]);
    expect(vectors[0]).toEqual(before);
  });

  it("takes no texts", async () => {
    expect(await embedder.embedDocuments([])).toEqual({ vectors: [], truncated: [] });
  });
});

describe("a small model, by hand", () => {
  const at = (values: Readonly<Record<number, number>>): Float32Array =>
    Float32Array.from({ length: 16 }, (_, j) => values[j] ?? 0);
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await staticEmbedder({ directory: writeModel() }).load();
  });

  it("weighs by the root of the count", async () => {
    // sqrt(4) * (3, 4) + 1 * (0, 0, 1), over its length.
    const { vectors } = await embedder.embedDocuments(["red Red RED redish"]);
    const length = Math.sqrt(101);
    expect(vectors[0]).toEqual(at({ 0: 6 / length, 1: 8 / length, 2: 1 / length }));
  });

  it("weighs queries by their own weights", async () => {
    const { vectors: document } = await embedder.embedDocuments(["red green"]);
    const { vectors: query } = await embedder.embedQuery("red green");
    const length = Math.hypot(5, 127);
    const queryLength = Math.hypot(5, 9 * 127);
    expect(document[0]).toEqual(at({ 0: 3 / length, 1: 4 / length, 14: -127 / length }));
    expect(Array.from(query[0]!)).toEqual(
      Array.from(at({ 0: 3 / queryLength, 1: 4 / queryLength, 14: (-9 * 127) / queryLength }), (x) =>
        expect.closeTo(x, 6),
      ),
    );
  });

  it("has no vector where the rows add up to zero", async () => {
    expect(await embedder.embedDocuments(["nothing", "nothing red"])).toEqual({
      vectors: [undefined, at({ 0: Math.fround(0.6), 1: Math.fround(0.8) })],
      truncated: [],
    });
  });
});

describe("life", () => {
  // Two of these make a turn, after which a call lets others run.
  const long = "red ".repeat(150_000);
  const load = (): Promise<Embedder> => staticEmbedder({ directory: writeModel() }).load();

  it("touches nothing before load", () => {
    expect(staticEmbedder({ directory: "/no/such/folder" })).toMatchObject({ specVersion: 1, name: "static" });
  });

  it("rejects with CLOSED after close, which may be called again", async () => {
    const embedder = await load();
    await embedder.close();
    await embedder.close();
    const closed = { name: "DocsearchError", code: "CLOSED", details: { name: "static" } };
    await expect(embedder.embedDocuments(["red"])).rejects.toMatchObject(closed);
    await expect(embedder.embedDocuments([])).rejects.toMatchObject(closed);
    await expect(embedder.embedQuery("red")).rejects.toMatchObject(closed);
  });

  it("rejects a call in progress when it is closed", async () => {
    const embedder = await load();
    const call = embedder.embedDocuments([long, long, "red"]);
    await embedder.close();
    await expect(call).rejects.toMatchObject({ code: "CLOSED" });
  });

  it("rejects with AbortError, before and in a call", async () => {
    const embedder = await load();
    const aborted = { signal: AbortSignal.abort() };
    await expect(embedder.embedDocuments(["red"], aborted)).rejects.toMatchObject({ name: "AbortError" });
    await expect(embedder.embedDocuments([], aborted)).rejects.toMatchObject({ name: "AbortError" });
    await expect(embedder.embedQuery("red", aborted)).rejects.toMatchObject({ name: "AbortError" });
    await expect(staticEmbedder({ directory: "/no/such/folder" }).load(aborted)).rejects.toMatchObject({
      name: "AbortError",
    });

    const controller = new AbortController();
    const texts = [long, long, "red", "green"];
    Object.defineProperty(texts, 3, { get: () => expect.fail("the call went on") });
    const call = embedder.embedDocuments(texts, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
  });

  it("keeps calls apart that run at the same time", async () => {
    const embedder = await load();
    const texts = [long, long, "green", "red"];
    const [first, second] = await Promise.all([
      embedder.embedDocuments(texts),
      embedder.embedDocuments([...texts].reverse()),
    ]);
    const expected = await embedder.embedDocuments(["red", "red", "green", "red"]);
    expect(first).toEqual(expected);
    expect(second.vectors).toEqual([...expected.vectors].reverse());
  });
});

it("says what the model in the package is before its table is read", async () => {
  const embedder = await staticEmbedder().load();
  const { id, dimensions } = await loadStaticModel(fileURLToPath(new URL("../data/", import.meta.url)));
  expect([embedder.id, embedder.dimensions]).toEqual([id, dimensions]);
  await embedder.close();
  await expect(embedder.embedQuery("late")).rejects.toMatchObject({ code: "CLOSED" });
});

describe("provider", () => {
  it("is the embedder called static", () => {
    expect(provider).toMatchObject({ specVersion: 1, kind: "embedder", name: "static" });
  });

  it("takes the folder of DOCS_EMBEDDER_MODEL", async () => {
    const small = await provider.fromEnv({ DOCS_EMBEDDER_MODEL: writeModel() }).load();
    expect(small.dimensions).toBe(16);
    const missing = provider.fromEnv({ DOCS_EMBEDDER_MODEL: join(writeModel(), "none") });
    await expect(missing.load()).rejects.toMatchObject({ code: "BACKEND_LOAD_FAILED" });
  });

  it.each([{}, { DOCS_EMBEDDER_MODEL: undefined }, { DOCS_EMBEDDER_MODEL: "" }])(
    "takes its own model by %j",
    async (env) => {
      expect((await provider.fromEnv(env).load()).dimensions).toBe(256);
    },
  );
});
