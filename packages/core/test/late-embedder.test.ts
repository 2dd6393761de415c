import { DocsearchError, type Embedder, type EmbedderFactory } from "@docsearch/spec";
import { describe, expect, test, vi } from "vitest";
import { lateEmbedder } from "../src/embedding/late-embedder.js";

const WANTED = { id: "model@1", dimensions: 1 };
const AWAY = new DocsearchError("EMBEDDER_FAILED", "away", { model: "model", retryable: true });
const mismatch = ({ id }: Embedder): Error => new Error(`another model: ${id}`);

function server(id = "model@1"): { factory: EmbedderFactory; state: { isUp: boolean; loads: number; closes: number } } {
  const state = { isUp: false, loads: 0, closes: 0 };
  const result = { vectors: [Float32Array.of(1)], truncated: [] };
  const load = async (): Promise<Embedder> => {
    state.loads++;
    if (!state.isUp) throw AWAY;
    return {
      specVersion: 1,
      id,
      dimensions: 1,
      maxBatchSize: 1,
      maxParallelCalls: 1,
      embedDocuments: async () => result,
      embedQuery: async () => result,
      close: async () => {
        state.closes++;
      },
    };
  };
  return { factory: { specVersion: 1, name: "server", load }, state };
}

describe("a model that is away", () => {
  test("is asked for again after a while, and answers when it is back", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const { factory, state } = server();
      const embedder = lateEmbedder(factory, WANTED, AWAY, mismatch);
      expect(embedder).toMatchObject(WANTED);
      await expect(embedder.embedQuery("tide")).rejects.toBe(AWAY);
      state.isUp = true;
      await expect(embedder.embedQuery("tide")).rejects.toBe(AWAY);
      expect(state.loads).toBe(0);
      vi.advanceTimersByTime(10_001);
      expect((await embedder.embedQuery("tide")).vectors).toEqual([Float32Array.of(1)]);
      await embedder.embedQuery("tide");
      expect(state.loads).toBe(1);
      await embedder.close();
      expect(state.closes).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test("that comes back as another one is refused and closed", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const { factory, state } = server("other@1");
      state.isUp = true;
      const embedder = lateEmbedder(factory, WANTED, AWAY, mismatch);
      vi.advanceTimersByTime(10_001);
      await expect(embedder.embedQuery("tide")).rejects.toThrow("another model: other@1");
      expect(state.closes).toBe(1);
      await embedder.close();
    } finally {
      vi.useRealTimers();
    }
  });
});
