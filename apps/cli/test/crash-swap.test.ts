import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import {
  ageCorpus,
  CHUNK_SIZE,
  logSize,
  mulberry32,
  storedDocuments,
  withIndex,
  writeCorpus,
} from "./crash-support.js";
import { BIN, temporaryFolders } from "./support.js";

// A run that puts one index in the place of another, or moves the chunks of an index together, is killed at random
// moments. Each time the index must be the one or the other, whole, and the same command must end well when it is given
// again. DOCSEARCH_CRASH_KILLS=100 kills more often; the seed is printed, and DOCSEARCH_CRASH_SEED takes it again.

/** The driver is a dependency of the store. */
const Database = createRequire(join(import.meta.dirname, "../../../packages/store-sqlite/package.json"))(
  "better-sqlite3",
);

const KILLS = Number(process.env.DOCSEARCH_CRASH_KILLS || 24);
const SEED = Number(process.env.DOCSEARCH_CRASH_SEED || Math.floor(Math.random() * 2 ** 31));
const random = mulberry32(SEED);
const newFolder = temporaryFolders();

interface Scene {
  readonly name: string;
  /** Whether the change of places has begun, by the files in the folder. */
  readonly hasBegun: (folder: string) => boolean;
  /** Folder with the index that a run starts from, `index.db`, and what is beside it. */
  readonly folder: string;
  readonly args: readonly string[];
  /** Folder in which the command runs. */
  readonly cwd: string;
  /** What the index holds before and after. */
  readonly before: string;
  readonly after: string;
  /** Milliseconds from the start of the process to its end. */
  readonly duration: number;
}

let scenes: readonly Scene[] = [];

beforeAll(async () => {
  const [now, past] = [newFolder(), newFolder()];
  writeCorpus(join(now, "docs"));
  cpSync(now, past, { recursive: true });
  ageCorpus(join(past, "docs"));
  const index = ["index", "docs"];
  const rebuild = [...index, "--rebuild"];

  const older = newFolder();
  await runToEnd(past, older, index);
  const swapped = newFolder();
  cpSync(older, swapped, { recursive: true });
  await runToEnd(now, swapped, rebuild);
  const sparse = await sparseIndex(now, past, older);
  scenes = [
    await scene("a rebuild", older, now, rebuild, (folder) => existsSync(join(folder, "index.db.previous"))),
    await scene("a rollback", swapped, now, ["index", "rollback"], (folder) =>
      existsSync(join(folder, "index.db.swap")),
    ),
    await scene(
      "moving chunks together",
      sparse.folder,
      sparse.cwd,
      index,
      (folder) => logSize(join(folder, "index.db")) > 40_000,
    ),
  ];
}, 300_000);

/** An index whose next run gives every chunk a new place. */
async function sparseIndex(
  now: string,
  past: string,
  start: string,
): Promise<{ readonly folder: string; readonly cwd: string }> {
  let folder = start;
  for (let run = 0; run < 20; run++) {
    const cwd = run % 2 === 0 ? now : past;
    const next = newFolder();
    cpSync(folder, next, { recursive: true });
    await runToEnd(cwd, next, ["index", "docs"]);
    if (numberingOf(next) !== numberingOf(folder)) return { folder, cwd };
    folder = next;
  }
  throw new Error("no run moved the chunks together");
}

function numberingOf(folder: string): unknown {
  const database = new Database(join(folder, "index.db"), { readonly: true });
  try {
    return database.prepare("SELECT value FROM meta WHERE key = 'numbering'").pluck().get();
  } finally {
    database.close();
  }
}

async function scene(
  name: string,
  folder: string,
  cwd: string,
  args: readonly string[],
  hasBegun: Scene["hasBegun"],
): Promise<Scene> {
  const before = await contents(join(folder, "index.db"));
  const durations: number[] = [];
  let after = "";
  for (let i = 0; i < 3; i++) {
    const copy = newFolder();
    cpSync(folder, copy, { recursive: true });
    const began = performance.now();
    await runToEnd(cwd, copy, args);
    durations.push(performance.now() - began);
    after = await contents(join(copy, "index.db"));
  }
  expect(after).not.toBe(before);
  return { name, hasBegun, folder, cwd, args, before, after, duration: durations.sort((a, b) => a - b)[1] as number };
}

test(`killed ${KILLS} times while indexes change places, one of them answers, whole (seed ${SEED})`, async () => {
  const outcomes: Record<string, number> = {};
  for (let kill = 0; kill < KILLS; kill++) {
    const one = scenes[kill % scenes.length] as Scene;
    const folder = newFolder();
    cpSync(one.folder, folder, { recursive: true });
    const index = join(folder, "index.db");
    // One in three by the clock, spread over the whole run; two soon after the change of places has begun.
    const end = new AbortController();
    const moment = kill % 9 < 3 ? sleep(random() * one.duration) : begun(one, folder, random() * 300, end.signal);
    const hasEnded = await runAndKill(one, folder, moment);
    end.abort();

    const where = `seed ${SEED}, kill ${kill} of ${one.name}`;
    const found = await contents(index);
    // Documents come one by one when chunks move; an index that takes another one's place comes as a whole.
    const isBetween = found !== one.before && found !== one.after;
    expect(isBetween && one.name !== "moving chunks together", where).toBe(false);
    const outcome = `${one.name}: ${hasEnded ? "ended" : found === one.before ? "before" : found === one.after ? "after" : "between"}`;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;

    if (one.name === "a rollback") await expectBoth(one, folder, found, where);
    else {
      await runToEnd(one.cwd, folder, one.args);
      expect(await contents(index), where).toBe(one.after);
    }
    if (one.name === "a rebuild") {
      await runToEnd(one.cwd, folder, ["index", "rollback"]);
      // After a kill behind the change of places, the index before is one like it.
      expect([one.before, one.after], where).toContain(await contents(index));
    }
    expect(
      readdirSync(folder).filter((name) => /\.(?:next|swap)/.test(name)),
      where,
    ).toEqual([]);
    rmSync(folder, { recursive: true });
  }
  process.stdout.write(`crash test of swaps, seed ${SEED}: ${KILLS} kills: ${JSON.stringify(outcomes)}\n`);
}, 3_600_000);

/** Whatever was done of a rollback, both indexes are there: one answers, and one more rollback or two bring the other. */
async function expectBoth(one: Scene, folder: string, found: string, where: string): Promise<void> {
  const index = join(folder, "index.db");
  const seen = new Set([found]);
  for (let i = 0; i < 2; i++) {
    await runToEnd(one.cwd, folder, one.args);
    seen.add(await contents(index));
  }
  expect(seen, where).toEqual(new Set([one.before, one.after]));
}

/** Documents and chunks of a sound index, as text that is fast to compare. */
async function contents(index: string): Promise<string> {
  return withIndex(index, "read", async (docsearch, store) => {
    expect(await docsearch.check(), index).toEqual({ faults: [] });
    return [...(await storedDocuments(store))].map(([id, { json }]) => `${id} ${json}`).join("\n");
  });
}

function startRun(cwd: string, folder: string, args: readonly string[]): ChildProcess {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: cwd,
    DOCS_STORE_URL: join(folder, "index.db"),
    DOCS_CHUNK_SIZE: String(CHUNK_SIZE),
  };
  return spawn(process.execPath, [BIN, ...args], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
}

async function runToEnd(cwd: string, folder: string, args: readonly string[]): Promise<void> {
  const child = startRun(cwd, folder, args);
  let stderr = "";
  child.stderr?.on("data", (data) => {
    stderr += data;
  });
  const end = await once(child, "close");
  expect(end, stderr).toEqual([0, null]);
}

/** So many milliseconds after the change of places has begun. */
async function begun({ hasBegun }: Scene, folder: string, milliseconds: number, end: AbortSignal): Promise<void> {
  while (!hasBegun(folder) && !end.aborted) await setImmediate();
  if (milliseconds >= 1) await sleep(milliseconds);
}

/** Starts a run and kills it when the moment has come. Returns whether it had ended before. */
async function runAndKill({ cwd, args }: Scene, folder: string, moment: Promise<unknown>): Promise<boolean> {
  const child = startRun(cwd, folder, args);
  child.stderr?.resume();
  const ended = once(child, "close");
  await Promise.race([moment, ended]);
  const hasEnded = child.exitCode !== null;
  child.kill("SIGKILL");
  await ended;
  return hasEnded;
}
