import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { RawServer, temporaryFolders } from "./support.js";

const folder = temporaryFolders();

/** An embedder that keeps its thread busy for a while with each batch, and counts the batches in a file. */
const BUSY_EMBEDDER = `
import { appendFileSync } from "node:fs";
const embed = (texts) => {
  appendFileSync(process.env.BATCHES, ".");
  for (const end = performance.now() + 40; performance.now() < end; );
  const vector = new Float32Array([1, 0, 0, 0]);
  return Promise.resolve({ vectors: texts.map(() => vector), truncated: [] });
};
const embedder = {
  specVersion: 1, id: "busy@1", dimensions: 4, maxBatchSize: 8, maxParallelCalls: 1,
  embedDocuments: embed, embedQuery: (text) => embed([text]), close: async () => {},
};
export const provider = {
  specVersion: 1, kind: "embedder", name: "busy",
  fromEnv: () => ({ specVersion: 1, name: "busy", load: async () => embedder }),
};
`;

test("MCP-08: a call that is cancelled stops the embedding, also while its thread is busy", async () => {
  const pages = Array.from({ length: 800 }, (_, index) => [`docs/${index}.md`, `# Page ${index}\n\nkelp ${index}\n`]);
  const cwd = folder({ ...Object.fromEntries(pages), "embedder.mjs": BUSY_EMBEDDER });
  const batches = join(cwd, "batches");
  const env = { DOCS_EMBEDDER_BACKEND: join(cwd, "embedder.mjs"), BATCHES: batches };
  const server = new RawServer(cwd, [], env);
  await server.initialize();
  const count = (): number => {
    try {
      return readFileSync(batches, "utf8").length;
    } catch {
      return 0;
    }
  };
  const id = server.callTool("index_path", { path: "docs", wait_ms: 50_000 });
  while (count() < 3) await sleep(5);
  server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
  // Waits for the message to be read: answers come in order.
  await server.call("index_status", {});
  await sleep(200);
  const stopped = count();
  await sleep(300);
  expect(count()).toBe(stopped);
  expect(stopped).toBeLessThan(50);
  let state = "running";
  while (state === "running") {
    const { data } = await server.call("index_status", {});
    state = (data as { readonly jobs: readonly { readonly state: string }[] }).jobs[0]?.state ?? "";
  }
  expect(state).toBe("cancelled");
  expect(server.messages.some((message) => message.id === id)).toBe(false);
  await server.close();
});
