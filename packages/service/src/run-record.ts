import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DocsearchError, type Env } from "@docsearch/spec";

/** A run that changes an index, written beside it. It is gone when the run has ended well. */
export interface RunRecord {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** `killed`: the process is gone and had no time to say so. */
  readonly state: "running" | "stopped" | "killed";
  /** How far it had come when it last said so. */
  readonly progress?: RunProgress;
}

export interface RunProgress {
  /** Files that were looked at. */
  readonly files: number;
  /** Absent until they were counted. */
  readonly total?: number;
}

/** What became of a run: `untouched` when the index could not even be opened. */
export type RunEnd = "done" | "stopped" | "untouched";

/** The right to change an index, until `end` is called. */
export interface RunHold {
  /** The run before, when it did not end. */
  readonly unfinished: RunRecord | undefined;
  /** Says how far the run is, for whoever asks the index meanwhile. */
  tell(progress: RunProgress): void;
  end(result: RunEnd): void;
}

const HEARTBEAT_MS = 5000;
/** A holder that was not heard of for so long is gone, whatever its host says. */
const SILENCE_MS = 60_000;
const LOOK_MS = 100;
/** A wait that is shorter is not worth a word. */
const PATIENCE_MS = 1000;
/** Two that take over the same record see by then which of them was last. */
const SETTLE_MS = 50;

/** Whether runs of that store wait for each other. Only one in a file of its own needs it; servers keep their writers apart. */
export function runsTakeTurns({ DOCS_STORE_BACKEND }: Env): boolean {
  return (DOCS_STORE_BACKEND?.trim() || "sqlite") === "sqlite";
}

/** The last run of an index that has not ended well, or runs now. */
export function readRun(index: string): RunRecord | undefined {
  const path = pathOf(index);
  try {
    const record = JSON.parse(readFileSync(path, "utf8")) as RunRecord;
    return record.state === "running" && !isAlive(record, path) ? { ...record, state: "killed" } : record;
  } catch {
    return undefined;
  }
}

/** `process 123 since 2026-11-30 12:00:05 UTC`. */
export function describeRun({ pid, host, startedAt }: RunRecord): string {
  const where = host === hostname() ? "" : ` on ${host}`;
  return `process ${pid}${where} since ${startedAt.slice(0, 19).replace("T", " ")} UTC`;
}

/**
 * Waits until no other run changes the index, and takes its place. A run that was killed is no obstacle.
 *
 * @param index path of the index
 * @param onWait called once with the run that is waited for, when it takes a while
 * @param lookMs how often it is looked whether the other run has ended
 * @throws `STORE_FAILED` when the record cannot be written, and the reason of the signal
 */
export async function holdRun(
  index: string,
  signal: AbortSignal,
  onWait: (holder: RunRecord) => void,
  lookMs: number = LOOK_MS,
): Promise<RunHold> {
  const path = pathOf(index);
  const mine = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    startedAt: new Date().toISOString(),
    state: "running",
    // Tells the runs of one process apart.
    id: randomUUID(),
  });
  const began = performance.now();
  let isSaid = false;
  for (;;) {
    signal.throwIfAborted();
    if (create(path, mine)) return hold(path, mine, undefined);
    const found = readRun(index);
    if (found === undefined ? isFresh(path) : found.state === "running") {
      if (!isSaid && found !== undefined && performance.now() - began > PATIENCE_MS) {
        onWait(found);
        isSaid = true;
      }
      await sleep(lookMs, undefined, { signal });
    } else if (await takeOver(path, mine)) {
      return hold(path, mine, found);
    }
  }
}

function pathOf(index: string): string {
  return `${index}.run`;
}

function create(path: string, content: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST" && existsSync(path)) return false;
    throw unwritable(path, error);
  }
}

async function takeOver(path: string, content: string): Promise<boolean> {
  try {
    put(path, content);
  } catch (error) {
    throw unwritable(path, error);
  }
  await sleep(SETTLE_MS);
  return contentOf(path) === content;
}

/** Puts a record in the place of another, whole. */
function put(path: string, content: string): void {
  const temporary = `${path}-${process.pid}`;
  try {
    writeFileSync(temporary, content);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function hold(path: string, mine: string, before: RunRecord | undefined): RunHold {
  const heartbeat = setInterval(() => touch(path), HEARTBEAT_MS).unref();
  let content = mine;
  return {
    unfinished: before,
    tell(progress) {
      if (contentOf(path) !== content) return;
      const next = JSON.stringify({ ...(JSON.parse(mine) as RunRecord), progress });
      try {
        put(path, next);
        content = next;
      } catch {
        // Nobody needs it to go on.
      }
    },
    end(result) {
      clearInterval(heartbeat);
      if (contentOf(path) !== content) return;
      const left = result === "stopped" ? (JSON.parse(content) as RunRecord) : result === "done" ? undefined : before;
      try {
        if (left === undefined) rmSync(path, { force: true });
        else writeFileSync(path, JSON.stringify({ ...left, state: "stopped" }));
      } catch {
        // On a full disk it stays as it is; nobody will take this process for alive.
      }
    },
  };
}

function isAlive({ pid, host }: RunRecord, path: string): boolean {
  return isFresh(path) && (host !== hostname() || isProcess(pid));
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function isFresh(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs < SILENCE_MS;
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // The index was removed meanwhile; the run will say so.
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function unwritable(path: string, cause: unknown): DocsearchError {
  const reason = cause instanceof Error ? cause.message.split(",")[0] : String(cause);
  const message = `the index cannot be written: ${reason}: ${path}. Free space, or make its folder writable, and try again`;
  return new DocsearchError("STORE_FAILED", message, { operation: "open" }, { cause });
}
