import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { holdRun, readRun } from "@docsearch/service/run-record";
import { expect, test } from "vitest";
import { indexFolder, KELP, RawServer, temporaryFolders } from "./support.js";

const folder = temporaryFolders();
const never = new AbortController().signal;

test("index_path and remove_source wait for a run of another process, and say so", async () => {
  const cwd = folder(KELP);
  await indexFolder(cwd, "docs");
  const index = join(cwd, ".docsearch", "index.db");
  const hold = await holdRun(index, never, () => {});
  const server = new RawServer(cwd);
  await server.initialize();
  const { data } = await server.call("index_path", { path: "docs", wait_ms: 0 });
  expect(data).toMatchObject({ jobId: "job-1" });
  let text = "";
  while (!text.includes("waits for")) {
    await sleep(20);
    text = (await server.call("index_status", { job_id: "job-1" })).text;
  }
  expect(text).toMatch(
    new RegExp(`^job-1 \\(docs\\) running: it waits for process ${process.pid} since .* UTC, which is writing`),
  );
  // Answers do not wait.
  expect((await server.call("search", { query: "kelp" })).text).toContain("docs/kelp.md");
  const removal = server.callTool("remove_source", { path: "docs/kelp.md" });
  await sleep(300);
  expect(server.messages.some(({ id }) => id === removal)).toBe(false);
  expect((await server.call("list_sources", {})).data).toMatchObject({ documents: 2 });
  hold.end("done");
  const removed = await server.answerTo(removal);
  expect(removed.result.structuredContent).toEqual({ removed: 1 });
  // Whichever came first, the job is done before the server may end.
  while (!(await server.call("index_status", {})).text.includes(" done: ")) await sleep(20);
  await server.close();
  expect(existsSync(`${index}.run`)).toBe(false);
});

test("while it indexes, the server holds the record that the command waits for", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 1500 }, (_, index) => [
      `docs/${index}.md`,
      `# D ${index}\n\n${"kelp and alga ".repeat(80)}\n`,
    ]),
  );
  const cwd = folder(files);
  const index = join(cwd, ".docsearch", "index.db");
  const server = new RawServer(cwd);
  await server.initialize();
  const id = server.callTool("index_path", { path: "docs", wait_ms: 50_000 });
  while (readRun(index) === undefined) await sleep(5);
  expect(readRun(index)).toMatchObject({ pid: server.child.pid, state: "running" });
  // Takes its turn behind the server.
  const hold = await holdRun(index, never, () => {});
  expect(hold.unfinished).toBeUndefined();
  const { result } = await server.answerTo(id);
  expect(result.structuredContent).toMatchObject({ state: "done", documents: 1500 });
  hold.end("done");
  await server.close();
});

test("a run that is cancelled says that it was stopped; one that ends well leaves nothing", async () => {
  const cwd = folder(KELP);
  const index = join(cwd, ".docsearch", "index.db");
  const hold = await holdRun(index, never, () => {});
  const server = new RawServer(cwd);
  await server.initialize();
  await server.call("index_path", { path: "docs", wait_ms: 0 });
  await server.call("index_status", { job_id: "job-1", cancel: true });
  let state = "running";
  while (state === "running") {
    const { data } = await server.call("index_status", {});
    state = (data as { readonly jobs: readonly { readonly state: string }[] }).jobs[0]?.state ?? "";
  }
  expect(state).toBe("cancelled");
  hold.end("done");
  expect(readRun(index)).toBeUndefined();
  expect((await server.call("index_path", { path: "docs" })).text).toContain(" done: 2 documents");
  await server.close();
  expect(readRun(index)).toBeUndefined();
});
