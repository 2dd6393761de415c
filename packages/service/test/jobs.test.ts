import { expect, test } from "vitest";
import { IndexJobs, type JobCounts, type JobOptions } from "../src/jobs.js";

const COUNTS: JobCounts = { scanned: 3, unchanged: 1, replaced: 2, deleted: 0, chunks: 9, failed: 0 };

/** A runner whose jobs end when told. */
function controlled(): {
  readonly jobs: IndexJobs;
  readonly started: {
    readonly path: string;
    readonly options: JobOptions;
    readonly end: (counts: JobCounts) => void;
  }[];
} {
  const started: ReturnType<typeof controlled>["started"] = [];
  const jobs = new IndexJobs(
    (path, options) =>
      new Promise((resolve, reject) => {
        options.signal.addEventListener("abort", () => reject(options.signal.reason));
        started.push({ path, options, end: resolve });
      }),
  );
  return { jobs, started };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

test("a job that is done within the wait", async () => {
  const jobs = new IndexJobs(async () => COUNTS);
  const { text, data } = await jobs.start("/p/docs", "docs", 10_000, {});
  expect(data).toEqual({ jobId: "job-1", state: "done", path: "docs", documents: 3, counts: COUNTS });
  expect(text).toBe(
    "job-1 (docs) done: 3 documents, 2 new or changed, 1 unchanged, 0 removed, 0 failed, 9 chunks written.",
  );
});

test("what failed or was left out is told with the counts, quoted", async () => {
  const remarks = ["failed: docs/a.md: EACCES", ...Array.from({ length: 20 }, (_, index) => `failed: ${index}`)];
  const jobs = new IndexJobs(async () => ({ ...COUNTS, failed: 21, remarks }));
  const { text, data } = await jobs.start("/p/docs", "docs", 10_000, {});
  expect(data.counts?.remarks).toHaveLength(9);
  expect(text).toContain("21 failed, 9 chunks written. Text between ~~~~ lines");
  expect(text).toMatch(/\n~~~~ remarks\nfailed: docs\/a\.md: EACCES\n[^~]*\nand 13 more\n~~~~$/);
});

test("a job that waits for another run says for whom", async () => {
  const { jobs, started } = controlled();
  await jobs.start("/p/docs", "docs", 0, {});
  started[0]?.options.onWait("process 7 since then");
  const { text, data } = jobs.status({ cancel: false }, { state: "watching", paths: ["docs"] });
  expect(text).toBe(
    "job-1 (docs) running: it waits for process 7 since then, which is writing to the index. Ask again: index_status with job_id job-1.\nWatching docs: changes are indexed within seconds.",
  );
  expect(data).toMatchObject({ jobs: [{ holder: "process 7 since then" }], watch: { state: "watching" } });
  started[0]?.options.onDocument(1);
  expect(jobs.status({ cancel: false }).data.jobs[0]).not.toHaveProperty("holder");
});

test("a job that takes longer is answered with its id and asked after", async () => {
  const { jobs, started } = controlled();
  const { text, data } = await jobs.start("/p/docs", "docs", 5, {});
  expect(data).toMatchObject({ jobId: "job-1", state: "running" });
  expect(text).toBe("job-1 (docs) running: 0 documents so far. Ask again: index_status with job_id job-1.");
  started[0]?.options.onDocument(2);
  expect(jobs.status({ job_id: "job-1", cancel: false }).data.jobs[0]).toMatchObject({
    state: "running",
    documents: 2,
  });
  started[0]?.end(COUNTS);
  await turn();
  expect(jobs.status({ cancel: false }).data.jobs[0]).toMatchObject({ state: "done", counts: COUNTS });
});

test("one at a time, in order; the same path again joins the one that waits", async () => {
  const { jobs, started } = controlled();
  await jobs.start("/a", "a", 0, {});
  await jobs.start("/b", "b", 0, {});
  const again = await jobs.start("/b", "b", 0, {});
  expect(again.data.jobId).toBe("job-2");
  expect(started.map(({ path }) => path)).toEqual(["/a"]);
  started[0]?.end(COUNTS);
  await turn();
  expect(started.map(({ path }) => path)).toEqual(["/a", "/b"]);
});

test("progress is told while someone waits", async () => {
  const { jobs, started } = controlled();
  const told: number[] = [];
  const answer = jobs.start("/a", "a", 10_000, { onProgress: (done) => told.push(done) });
  await turn();
  for (const documents of [1, 2, 3]) started[0]?.options.onDocument(documents);
  started[0]?.end(COUNTS);
  expect((await answer).data.documents).toBe(3);
  expect(told).toEqual([1, 2, 3]);
});

test("who goes away while waiting cancels the job", async () => {
  const { jobs, started } = controlled();
  const controller = new AbortController();
  const answer = jobs.start("/a", "a", 10_000, { signal: controller.signal });
  await turn();
  controller.abort();
  await expect(answer).rejects.toMatchObject({ name: "AbortError" });
  expect(started[0]?.options.signal.aborted).toBe(true);
  expect(jobs.status({ job_id: "job-1", cancel: false }).data.jobs[0]?.state).toBe("cancelled");
});

test("a job is cancelled by its id; close cancels all, also those that wait", async () => {
  const { jobs, started } = controlled();
  await jobs.start("/a", "a", 0, {});
  await jobs.start("/b", "b", 0, {});
  jobs.status({ job_id: "job-1", cancel: true });
  await turn();
  expect(started).toHaveLength(2);
  await jobs.close();
  expect(jobs.status({ cancel: false }).data.jobs.map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
});

test("a job that fails says why; an unknown one names those there are", async () => {
  const jobs = new IndexJobs(async () => {
    throw new Error("the disk is full\u001b[31m");
  });
  const { text } = await jobs.start("/a", "a", 1000, {});
  expect(text).toBe("job-1 (a) failed: the disk is full\\x1b[31m");
  expect(() => jobs.status({ job_id: "job-7", cancel: false })).toThrow('There is no job "job-7"; known: job-1.');
});

test("too many waiting jobs are refused", async () => {
  const { jobs } = controlled();
  for (let index = 0; index < 8; index++) await jobs.start(`/${index}`, `${index}`, 0, {});
  await expect(jobs.start("/9", "9", 0, {})).rejects.toThrow("8 index jobs are waiting already");
  await jobs.close();
});

test("whoever waits is answered when waiting is stopped", async () => {
  const { jobs } = controlled();
  const answer = jobs.start("/a", "a", 50_000, {});
  await turn();
  jobs.stopWaiting();
  expect((await answer).data.state).toBe("running");
  await jobs.close();
});
