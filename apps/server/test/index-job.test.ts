import { expect, test } from "vitest";
import { RawServer, temporaryFolders } from "./support.js";

const folder = temporaryFolders();

const many = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `docs/${index}.md`,
      `# D ${index}\n\n${"kelp and anemone ".repeat(120)}\n`,
    ]),
  );

test("progress always grows, and the result repeats the totals", async () => {
  const server = new RawServer(folder(many(1500)));
  await server.initialize();
  const id = server.callTool("index_path", { path: "docs", wait_ms: 50_000 }, { progressToken: "p" });
  const { result } = await server.answerTo(id);
  const progress = server.messages
    .filter(({ method }) => method === "notifications/progress")
    .map(({ params }) => params.progress);
  expect(progress.length).toBeGreaterThan(0);
  expect(progress).toEqual([...new Set<number>(progress)].sort((a, b) => a - b));
  expect(result.structuredContent).toMatchObject({
    state: "done",
    documents: 1500,
    counts: { scanned: 1500, replaced: 1500 },
  });
  await server.close();
});

test("a slow job is answered with its id after the wait, searches go on, and index_status ends it", async () => {
  const server = new RawServer(folder(many(4000)));
  await server.initialize();
  const { data } = await server.call("index_path", { path: "docs", wait_ms: 0 });
  expect(data).toMatchObject({ jobId: "job-1", state: "running" });
  const status = await server.call("index_status", { job_id: "job-1" });
  expect(status.text).toMatch(/^job-1 \(docs\) running: \d+ documents so far/);
  await server.call("index_status", { job_id: "job-1", cancel: true });
  let state = "running";
  while (state === "running") {
    const { data: asked } = await server.call("index_status", {});
    state = (asked as { jobs: { state: string }[] }).jobs[0]?.state ?? "";
  }
  expect(state).toBe("cancelled");
  await server.close();
});

test("a client that cancels its call stops the work", async () => {
  const server = new RawServer(folder(many(6000)));
  await server.initialize();
  const id = server.callTool("index_path", { path: "docs", wait_ms: 50_000 }, { progressToken: "p" });
  const progress = (): number => server.messages.filter(({ method }) => method === "notifications/progress").length;
  await server.until(() => progress() > 0);
  server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason: "stop" } });
  let job: { state: string; documents: number } = { state: "running", documents: 0 };
  while (job.state === "running") {
    job = ((await server.call("index_status", {})).data as { jobs: (typeof job)[] }).jobs[0] ?? job;
  }
  expect(job.state).toBe("cancelled");
  expect(job.documents).toBeLessThan(6000);
  expect(server.messages.some((message) => message.id === id && message.result !== undefined)).toBe(false);
  await server.close();
});

test.each([
  "../../etc/passwd",
  "/etc/passwd",
  "docs/%2e%2e/%2e%2e/etc/passwd",
  "docs\\..\\..\\etc\\passwd",
  "file:///etc/passwd",
])("ht-path-traversal: index_path refuses %j, and the server lives on", async (path) => {
  const server = new RawServer(folder(many(1)));
  await server.initialize();
  const { text, isError } = await server.call("index_path", { path });
  expect(isError).toBe(true);
  expect(text).toContain("cannot be indexed");
  expect(text).not.toContain("root:");
  expect((await server.call("index_path", { path: "docs" })).isError).toBe(false);
  const read = await server.call("read", { path });
  expect(read.isError).toBe(true);
  expect(read.text).toContain("There is no document");
  await server.close();
});
