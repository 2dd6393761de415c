import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, rmSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { VectorStore } from "@docsearch/spec";
import { beforeAll, expect, test } from "vitest";
import {
  ageCorpus,
  CHUNK_SIZE,
  checkpointHasBegun,
  endsWithinTransaction,
  FILES,
  logSize,
  mulberry32,
  type Snapshot,
  type Stored,
  snapshot,
  storedDocuments,
  withIndex,
  writeCorpus,
} from "./crash-support.js";
import { BIN, temporaryFolders } from "./support.js";

// An index run is killed at random moments. Each time the index must open, have no fault and hold whole documents
// only, and the next run must end with what a first run makes. DOCSEARCH_CRASH_KILLS=100 kills more often; the seed is
// printed, and DOCSEARCH_CRASH_SEED takes it again.

const KILLS = Number(process.env.DOCSEARCH_CRASH_KILLS || 40);
const SEED = Number(process.env.DOCSEARCH_CRASH_SEED || Math.floor(Math.random() * 2 ** 31));
const random = mulberry32(SEED);
const newFolder = temporaryFolders();

/** What a run starts from: no index, or that of the corpus as it was. */
interface Start {
  readonly name: string;
  /** Path of an index to be copied. */
  readonly index: string | undefined;
  readonly documents: ReadonlyMap<string, Stored>;
  /** Milliseconds from the start of the process to its end. */
  readonly duration: number;
}

let corpus = "";
let wanted: Snapshot;
let starts: readonly Start[] = [];

beforeAll(async () => {
  corpus = newFolder();
  writeCorpus(join(corpus, "docs"));
  const past = newFolder();
  cpSync(corpus, past, { recursive: true });
  ageCorpus(join(past, "docs"));

  const [fresh, older] = [join(newFolder(), "index.db"), join(newFolder(), "index.db")];
  await runToEnd(corpus, fresh);
  await runToEnd(past, older);
  wanted = await withIndex(fresh, "read", snapshot);
  expect(wanted.stats.documents).toBe(FILES);
  expect(wanted.answers.map((results) => results.length)).toEqual(Array(10).fill(10));
  const { documents } = await withIndex(older, "read", snapshot);
  starts = [
    { name: "no index", index: undefined, documents: new Map(), duration: await medianDuration(undefined) },
    { name: "an older index", index: older, documents, duration: await medianDuration(older) },
  ];
}, 120_000);

test(`killed ${KILLS} times, the index is whole, and the next run ends as a first one (seed ${SEED})`, async () => {
  const outcomes = { none: 0, some: 0, all: 0, "within a transaction": 0 };
  for (let kill = 0; kill < KILLS; kill++) {
    const start = starts[Math.floor(kill / 4) % 2] as Start;
    const index = join(newFolder(), "index.db");
    if (start.index !== undefined) copyFileSync(start.index, index);
    // Two in four by the clock, spread over the whole run; two while a transaction is written, or soon after.
    const moment = ((kill + random()) / KILLS) * start.duration;
    const delay = random() ** 4 * 100;
    await runAndKill(index, kill % 4 < 2 ? () => sleep(moment) : (end) => writing(index, delay, end));
    // Writing takes a few milliseconds, which are hard to hit. The log only grows: its beginning is what an earlier kill
    // would have left, until it is copied into the database at the end of the run.
    const log = logSize(index);
    if (kill % 4 === 3 && log > 0 && !checkpointHasBegun(index))
      truncateSync(`${index}-wal`, Math.floor(random() * log));
    if (endsWithinTransaction(index)) outcomes["within a transaction"]++;

    const where = `seed ${SEED}, kill ${kill}, from ${start.name}`;
    // Without an index before there may be none yet to read.
    const done = await withIndex(index, start.index === undefined ? "write" : "read", async (docsearch, store) => {
      expect(await docsearch.check(), where).toEqual({ faults: [] });
      return countDone(store, start, where);
    });
    outcomes[outcomeOf(done, start)]++;
    await runToEnd(corpus, index);
    expect(await withIndex(index, "read", snapshot), where).toEqual(wanted);
    rmSync(dirname(index), { recursive: true });
  }
  process.stdout.write(
    `crash test, seed ${SEED}: ${KILLS} kills, of the changes were stored: ${JSON.stringify(outcomes)}\n`,
  );
}, 3_600_000);

function startRun(folder: string, index: string): ChildProcess {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    DOCS_STORE_URL: index,
    DOCS_CHUNK_SIZE: String(CHUNK_SIZE),
  };
  return spawn(process.execPath, [BIN, "index", "docs"], { cwd: folder, env, stdio: "ignore" });
}

async function runToEnd(folder: string, index: string): Promise<void> {
  expect(await once(startRun(folder, index), "close")).toEqual([0, null]);
}

async function medianDuration(index: string | undefined): Promise<number> {
  const durations: number[] = [];
  for (let i = 0; i < 3; i++) {
    const copy = join(newFolder(), "index.db");
    if (index !== undefined) copyFileSync(index, copy);
    const began = performance.now();
    await runToEnd(corpus, copy);
    durations.push(performance.now() - began);
  }
  return durations.sort((a, b) => a - b)[1] as number;
}

/** Starts a run and kills it when the moment has come, if it has not ended before. */
async function runAndKill(index: string, moment: (end: AbortSignal) => Promise<unknown>): Promise<void> {
  const child = startRun(corpus, index);
  const ended = once(child, "close");
  const end = new AbortController();
  await Promise.race([moment(end.signal), ended]);
  child.kill("SIGKILL");
  end.abort();
  await ended;
}

/** So many milliseconds after a transaction with documents began to be written. */
async function writing(index: string, milliseconds: number, end: AbortSignal): Promise<void> {
  // The tables of a new index are a transaction of their own, with little in it.
  while (logSize(index) < 40_000 && !end.aborted) await setImmediate();
  if (milliseconds >= 1) await sleep(milliseconds);
}

/** Fails unless every document is all of what it was or all of what it should be. Returns how many changes are done. */
async function countDone(store: VectorStore, start: Start, where: string): Promise<number> {
  let [done, chunks] = [0, 0];
  for (const [id, stored] of await storedDocuments(store)) {
    const [before, after] = [start.documents.get(id), wanted.documents.get(id)];
    const isNew = stored.contentHash === after?.contentHash;
    expect(stored, `${where}: ${id}`).toEqual(isNew ? after : before);
    if (isNew && stored.contentHash !== before?.contentHash) done++;
    chunks += stored.chunks;
  }
  expect(await store.stats(), where).toMatchObject({ chunks, vectors: chunks });
  return done;
}

function outcomeOf(done: number, { documents }: Start): "none" | "some" | "all" {
  if (done === 0) return "none";
  const changes = [...wanted.documents].filter(([id, after]) => documents.get(id)?.contentHash !== after.contentHash);
  return done === changes.length ? "all" : "some";
}
