import type { Embedder } from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { withQueryCache } from "../src/embedding/query-cache.js";

function counting(): { embedder: Embedder; asked: string[] } {
  const asked: string[] = [];
  const embedder: Embedder = {
    specVersion: 1,
    id: "counting@1",
    dimensions: 1,
    maxBatchSize: 7,
    maxParallelCalls: 3,
    embedDocuments: async (texts) => ({ vectors: texts.map(() => Float32Array.of(1)), truncated: [] }),
    embedQuery: async (text) => {
      asked.push(text);
      if (text === "fails") throw new Error("away");
      return { vectors: [Float32Array.of(text === "broken" ? Number.NaN : 1)], truncated: [] };
    },
    close: async () => {},
  };
  return { embedder: withQueryCache(embedder), asked };
}

describe("the last queries", () => {
  test("are embedded once", async () => {
    const { embedder, asked } = counting();
    const first = await embedder.embedQuery("tide");
    expect(await embedder.embedQuery("tide")).toBe(first);
    await embedder.embedQuery("Tide");
    expect(asked).toEqual(["tide", "Tide"]);
    expect(embedder).toMatchObject({ id: "counting@1", dimensions: 1, maxBatchSize: 7, maxParallelCalls: 3 });
  });

  test("are 256, the one that was used longest ago goes", async () => {
    const { embedder, asked } = counting();
    for (let i = 0; i < 256; i++) await embedder.embedQuery(`q${i}`);
    await embedder.embedQuery("q0");
    await embedder.embedQuery("one more");
    asked.length = 0;
    await embedder.embedQuery("q0");
    await embedder.embedQuery("q2");
    await embedder.embedQuery("q1");
    expect(asked).toEqual(["q1"]);
  });

  test("that failed are asked again, and a signal that has fired is heeded", async () => {
    const { embedder, asked } = counting();
    await expect(embedder.embedQuery("fails")).rejects.toThrow("away");
    await expect(embedder.embedQuery("fails")).rejects.toThrow("away");
    expect(asked).toEqual(["fails", "fails"]);
    await embedder.embedQuery("tide");
    await expect(embedder.embedQuery("tide", { signal: AbortSignal.abort() })).rejects.toThrow("aborted");
  });

  test("whose vector cannot be searched with are asked again", async () => {
    const { embedder, asked } = counting();
    await embedder.embedQuery("broken");
    await embedder.embedQuery("broken");
    expect(asked).toEqual(["broken", "broken"]);
  });
});
