import { once } from "node:events";
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { holdRun, readRun } from "@docsearch/service/run-record";
import { expect, test } from "vitest";
import { docsearch, json, longPages, start, temporaryFolders } from "./support.js";

const newFolder = temporaryFolders();
const never = new AbortController().signal;
const EMBEDDER = join(import.meta.dirname, "fixtures", "slow-embedder.mjs");

/** Settings with an embedder whose second call takes so long. */
function slowEmbedder(folder: string, milliseconds: string): Record<string, string> {
  return {
    DOCS_EMBEDDER_BACKEND: EMBEDDER,
    DOCS_CHUNK_SIZE: "100",
    SLOW_EMBEDDER_MARK: join(folder, "mark"),
    SLOW_EMBEDDER_MS: milliseconds,
  };
}

/** Of a process that is not there. */
const DEAD_PID = 2 ** 22 + 1;

function record(index: string, values: object): void {
  const base = { pid: DEAD_PID, host: hostname(), startedAt: "2026-11-30T12:00:05.000Z", state: "running" };
  writeFileSync(`${index}.run`, JSON.stringify({ ...base, ...values }));
}

test("a run is written down, and gone when it has ended well", async () => {
  const index = join(newFolder(), "index.db");
  const run = await holdRun(index, never, () => expect.fail());
  expect(run.unfinished).toBeUndefined();
  expect(readRun(index)).toMatchObject({ pid: process.pid, host: hostname(), state: "running" });
  run.end("done");
  expect(existsSync(`${index}.run`)).toBe(false);
  const second = await holdRun(index, never, () => {});
  second.end("stopped");
  expect(readRun(index)).toMatchObject({ pid: process.pid, state: "stopped" });
  const third = await holdRun(index, never, () => expect.fail());
  expect(third.unfinished).toMatchObject({ state: "stopped" });
  third.end("untouched");
  expect(readRun(index)).toMatchObject({ state: "stopped" });
});

test("the next run waits for the end of the one before, and may give up", async () => {
  const index = join(newFolder(), "index.db");
  const first = await holdRun(index, never, () => {});
  const second = holdRun(index, never, () => {});
  await expect(holdRun(index, AbortSignal.timeout(150), () => {})).rejects.toMatchObject({ name: "AbortError" });
  let isHeld = false;
  void second.then(() => {
    isHeld = true;
  });
  await sleep(300);
  expect(isHeld).toBe(false);
  first.end("done");
  (await second).end("done");
});

test("of many that want a dead holder's place one gets it at a time", async () => {
  const index = join(newFolder(), "index.db");
  record(index, {});
  expect(readRun(index)?.state).toBe("killed");
  let active = 0;
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      const run = await holdRun(index, never, () => {});
      expect(++active).toBe(1);
      await sleep(20);
      active--;
      run.end("done");
    }),
  );
  expect(existsSync(`${index}.run`)).toBe(false);
});

test("a holder on another host is believed as long as it is heard of", async () => {
  const index = join(newFolder(), "index.db");
  record(index, { host: "elsewhere" });
  expect(readRun(index)?.state).toBe("running");
  const past = new Date(Date.now() - 120_000);
  utimesSync(`${index}.run`, past, past);
  expect(readRun(index)?.state).toBe("killed");
});

test("two runs at once: the second names the first, waits and ends well", async () => {
  const [folder, docs] = [newFolder(), newFolder(longPages())];
  const slow = slowEmbedder(folder, "2500");
  const first = start(folder, ["index", docs, "--json"], { env: slow });
  const firstEnd = once(first, "close");
  while (!existsSync(join(folder, "mark"))) await sleep(20);
  const second = await docsearch(folder, ["index", docs, "--json"], { env: slow });
  expect(await firstEnd).toEqual([0, null]);
  expect(second.code).toBe(0);
  expect(second.stderr).toMatch(
    new RegExp(
      `^docsearch: waiting for process ${first.pid} since 20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC, which is writing to the index\n$`,
    ),
  );
  expect(JSON.parse(second.stdout)).toMatchObject({ scanned: 10, unchanged: 10 });
});

test("a run says how far it is, and only as long as it holds the index", async () => {
  const index = join(newFolder(), "index.db");
  const run = await holdRun(index, never, () => {});
  run.tell({ files: 412, total: 1398 });
  expect(readRun(index)).toMatchObject({ pid: process.pid, state: "running", progress: { files: 412, total: 1398 } });
  run.tell({ files: 1398, total: 1398 });
  run.end("done");
  expect(existsSync(`${index}.run`)).toBe(false);
  run.tell({ files: 1, total: 1 });
  expect(existsSync(`${index}.run`)).toBe(false);
});

test("a rollback waits for the run that writes", async () => {
  const folder = newFolder({ "docs/a.md": "kelp" });
  await docsearch(folder, ["index", "docs"]);
  await docsearch(folder, ["index", "docs", "--rebuild"]);
  const run = await holdRun(join(folder, ".docsearch", "index.db"), never, () => {});
  const rollback = start(folder, ["index", "rollback"]);
  const ended = once(rollback, "close");
  let stderr = "";
  rollback.stderr.on("data", (data) => {
    stderr += data;
  });
  while (stderr === "") await sleep(20);
  run.end("done");
  expect(await ended).toEqual([0, null]);
  expect(stderr).toMatch(/^docsearch: waiting for process \d+ since .*, which is writing to the index\n$/);
});

test("who searches while a slow model is at work finds words, and learns what is missing", async () => {
  const [folder, docs] = [newFolder(), newFolder(longPages())];
  const slow = slowEmbedder(folder, "60000");
  const indexing = start(folder, ["index", docs], { env: slow });
  const ended = once(indexing, "close");
  while (!existsSync(join(folder, "mark"))) await sleep(20);
  let status = await json(folder, ["status"], { env: slow });
  while (status.stats.documents < 10) status = await json(folder, ["status"], { env: slow });
  expect(status.coverage).toMatchObject({ run: "running", documents: 10, chunks: 3000, lacking: 900 });
  const search = await docsearch(folder, ["search", "kelp", "--json"], { env: slow });
  expect(search.stderr).toMatch(
    /docsearch: indexing: (?:\d+(?: of 10)? files looked at, )?10 documents can be found; 70 % of 3,000 chunks are embedded, the others are found by their words alone\n/,
  );
  expect(JSON.parse(search.stdout).coverage).toMatchObject({ run: "running", documents: 10, lacking: 900 });
  indexing.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  expect((await docsearch(folder, ["search", "kelp"], { env: slow })).stderr).toContain(
    "the last index run was stopped before its end",
  );
  const rest = await json(folder, ["index", docs], { env: slowEmbedder(folder, "0") });
  expect(rest).toMatchObject({ unchanged: 7, replaced: 3, embedded: 900 });
  expect(
    JSON.parse((await docsearch(folder, ["search", "kelp", "--json"], { env: slow })).stdout).coverage,
  ).toBeUndefined();
});

test("a run that was killed is taken over, and until then status and doctor tell of it", async () => {
  const folder = newFolder({ "docs/a.md": `# A\n\n${"Kelp grows here. ".repeat(30)}` });
  await docsearch(folder, ["index", "docs"]);
  writeFileSync(join(folder, "docs/b.md"), "# B\n\nkelp");
  const index = join(folder, ".docsearch", "index.db");
  record(index, {});
  const note = `the last run (process ${DEAD_PID} since 2026-11-30 12:00:05 UTC) was killed before its end, so files may be missing; go on: docsearch index <paths>`;
  const status = await docsearch(folder, ["status", "--json"]);
  expect(status).toMatchObject({ code: 0, stderr: `docsearch: ${note}\n` });
  expect(JSON.parse(status.stdout).notes).toEqual([note]);
  expect((await json(folder, ["doctor"])).findings).toContainEqual({
    check: "index",
    result: "warning",
    message: note,
  });
  const run = await docsearch(folder, ["index", "docs"]);
  expect(run.code).toBe(0);
  expect(run.stderr).toBe(
    `docsearch: a run before (process ${DEAD_PID} since 2026-11-30 12:00:05 UTC) was killed; this one goes on from what it had written\n`,
  );
  expect((await docsearch(folder, ["status"])).stderr).toBe("");
});

test("kill -9 in the middle: the next run goes on", async () => {
  const [folder, docs] = [newFolder(), newFolder(longPages())];
  const slow = slowEmbedder(folder, "60000");
  const killed = start(folder, ["index", docs], { env: slow });
  const ended = once(killed, "close");
  while (!existsSync(join(folder, "mark"))) await sleep(20);
  killed.kill("SIGKILL");
  await ended;
  const status = await docsearch(folder, ["status"], { env: slow });
  expect(status.stderr).toMatch(/^docsearch: the last run \(process \d+ since .* UTC\) was killed before its end/);
  const rest = await json(folder, ["index", docs], { env: slowEmbedder(folder, "0") });
  expect(rest).toMatchObject({ scanned: 10, unchanged: 7, replaced: 3 });
  expect((await json(folder, ["doctor"], { env: slow })).sound).toBe(true);
});

test("an index that was set aside is said, with how to delete it", async () => {
  const folder = newFolder({ "docs/a.md": "kelp" });
  await docsearch(folder, ["index", "docs"]);
  const index = join(folder, ".docsearch", "index.db");
  const bytes = readFileSync(index);
  bytes.fill(0xa5, 8192 * 2);
  writeFileSync(index, bytes);
  const doctor = await docsearch(folder, ["doctor"]);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain("docsearch index --rebuild");
  expect(await docsearch(folder, ["index", "docs", "--rebuild"])).toMatchObject({ code: 0 });
  const { stderr } = await docsearch(folder, ["status"]);
  expect(stderr).toBe(
    `docsearch: ${index}.damaged, ${(bytes.length / 1000).toFixed(1)} kB, is an index that was damaged and set aside; delete it when nobody wants it: rm ${index}.damaged\n`,
  );
});

test("stdout that takes no more is one line and exit code 2", async () => {
  const folder = newFolder({ "docs/a.md": "kelp" });
  await docsearch(folder, ["index", "docs"]);
  if (!existsSync("/dev/full")) return;
  const child = start(folder, ["status"], { stdout: "/dev/full" });
  const stderr = text(child.stderr);
  expect(await once(child, "close")).toEqual([2, null]);
  expect(await stderr).toBe("docsearch: the output cannot be written: ENOSPC: no space left on device, write\n");
});
