import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { transformersEmbedder } from "../src/index.js";
import { isAlive } from "./model-folder.js";
import { realModels } from "./real-models.js";
import { watchTurns } from "./watch-turns.js";

const models = realModels();
/** For a machine that has much else to do. */
const PATIENCE = { timeout: 600_000 };

/** An embedder of the real library, and the numbers of the processes that it has started. */
function recorded(dtype: string) {
  const log = join(models.folder, `${dtype}.log`);
  const query = `?log=${pathToFileURL(log).pathname}`;
  const module = new URL(`./fixtures/recording-transformers.mjs${query}`, import.meta.url).href;
  const processes = (): number[] => readFileSync(log, "utf8").trimEnd().split("\n").map(Number);
  return { load: () => transformersEmbedder({ module, model: models.bert, dtype }).load(), processes };
}

describe("the process of a model", () => {
  // The size of another process can be read there alone.
  it.runIf(process.platform === "linux")(
    "does not grow from call to call, and ends with `close`",
    PATIENCE,
    async () => {
      const { load, processes } = recorded("fp32");
      const embedder = await load();
      // What comes and goes in a call is 150 kB: kept, it would be 60 MB.
      const texts = Array.from({ length: 8 }, (_, i) => `port ${i} ${"boats keep right ".repeat(40)}`);
      const embed = async (calls: number): Promise<void> => {
        for (let i = 0; i < calls; i++) await embedder.embedDocuments(texts);
      };
      await embed(100);
      const [pid, ...others] = processes() as [number];
      expect(others).toEqual([]);
      expect(pid).not.toBe(process.pid);
      const before = residentMegabytes(pid);
      await embed(400);
      expect(residentMegabytes(pid) - before).toBeLessThan(30);
      await embedder.close();
      expect(isAlive(pid)).toBe(false);
    },
  );

  it("fails what it was at when it is killed, and is started again for the next text", PATIENCE, async () => {
    const { load, processes } = recorded("q8");
    const embedder = await load();
    const { vectors } = await embedder.embedDocuments(["keep right"]);
    process.kill(processes()[0]!, "SIGKILL");
    await expect(embedder.embedDocuments(["keep right"])).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: `The embedding model "${models.bert}": its process ended (SIGKILL)`,
      details: { retryable: true },
    });
    expect((await embedder.embedDocuments(["keep right"])).vectors).toEqual(vectors);
    expect(processes().length).toBe(2);
    await embedder.close();
  });
});

it("neither the start of a model nor a large call holds up the caller's event loop for 20 ms", PATIENCE, async () => {
  const texts = Array.from({ length: 256 }, (_, i) => `port ${i} ${"boats keep right ".repeat(120)}`);
  const starts: number[] = [];
  const calls: number[] = [];
  for (let repeat = 0; repeat < 4; repeat++) {
    const start = await watchTurns(() =>
      transformersEmbedder({ model: models.bert, dtype: "fp32", maxTokens: 32 }).load(),
    );
    const call = await watchTurns(() => start.result.embedDocuments(texts));
    await start.result.close();
    starts.push(start.longestMs);
    calls.push(call.longestMs);
    // Tens of thousands, where nothing waits for the model; one or two, where something does.
    expect(Math.min(start.turns, call.turns)).toBeGreaterThan(100);
  }
  // What the package does it does each time; collecting garbage and compiling come now and then.
  expect(Math.min(...starts)).toBeLessThan(20);
  expect(Math.min(...calls)).toBeLessThan(20);
});

function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
