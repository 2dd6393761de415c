import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { WatchData } from "@docsearch/service";
import { makeIndexFolder } from "@docsearch/service/index-turn";
import { INDEX_FOLDER } from "@docsearch/service/project";
import { describeRun, holdRun, runsTakeTurns } from "@docsearch/service/run-record";
import { indexInTurn } from "./index-in-turn.js";
import { jobOf, type ServerOptions } from "./options.js";
import type { WatchJob, WatchMessage } from "./watch-worker.js";

/** After so long what failed is tried again. */
const RETRY_MS = 10_000;
/** It is looked this often whether the server that watches has ended. */
const LOOK_MS = 2000;

/**
 * Keeps the index up to date with files while the server runs. Of several servers on one index one watches; when it ends
 * another takes over. Looking and indexing happen in threads of their own; what fails is told by `status` and tried again.
 */
export class Watcher {
  readonly #options: ServerOptions;
  readonly #onIndexed: () => void;
  readonly #controller = new AbortController();
  #data: WatchData;
  #ended: Promise<void> | undefined;

  /**
   * @param paths names of what is watched
   * @param onIndexed called when a run has changed the index
   */
  constructor(options: ServerOptions, paths: readonly string[], onIndexed: () => void) {
    this.#options = options;
    this.#onIndexed = onIndexed;
    this.#data = { state: "starting", paths };
  }

  start(): void {
    this.#ended ??= this.#run().catch(() => {});
  }

  status(): WatchData {
    return this.#data;
  }

  async close(): Promise<void> {
    this.#controller.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    for (;;) {
      try {
        await this.#watchInTurn();
      } catch (error) {
        signal.throwIfAborted();
        await this.#fail(error);
      }
    }
  }

  /** Rejects when it fails, or with the reason of the signal. */
  async #watchInTurn(): Promise<void> {
    const { signal } = this.#controller;
    const onWait = (holder: Parameters<typeof describeRun>[0]): void =>
      this.#set({ state: "waiting", holder: describeRun(holder) });
    const hold = await holdRun(this.#recordPath(), signal, onWait, LOOK_MS);
    try {
      await this.#watch();
    } finally {
      hold.end("done");
    }
  }

  /** By this the servers of one index know of each other: beside it, or in the project for an index on a server. */
  #recordPath(): string {
    const { location, projectRoot } = this.#options;
    const folder = join(projectRoot, INDEX_FOLDER);
    const isAddress = location.includes("://");
    if (isAddress || location.startsWith(folder)) makeIndexFolder(projectRoot);
    return isAddress ? join(folder, "watch") : `${location}.watch`;
  }

  #watch(): Promise<never> {
    const { watch: paths, location, env, debounceMs, poll } = this.#options;
    const { signal } = this.#controller;
    const indexPath = runsTakeTurns(env) ? resolve(location) : location;
    const job: WatchJob = { ...jobOf(this.#options, paths), indexPath, debounceMs, poll };
    const worker = new Worker(new URL("./watch-worker.js", import.meta.url), { workerData: job, stdout: true });
    worker.stdout.pipe(process.stderr, { end: false });
    let running: Promise<void> = Promise.resolve();
    return new Promise<never>((_, reject) => {
      const stop = (): void => void worker.terminate();
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      let reason: unknown;
      worker.on("message", (message: WatchMessage) => {
        if (message.type === "changed") {
          running = this.#indexUntilDone().then(
            () => worker.postMessage("up to date"),
            () => {},
          );
        } else if (message.type === "failed") reason = new Error(message.message);
        else process.stderr.write(`docsearch-mcp: ${message.message}\n`);
      });
      worker.on("error", (error) => {
        reason = error;
      });
      worker.on("exit", () => {
        signal.removeEventListener("abort", stop);
        const why = signal.aborted ? signal.reason : (reason ?? new Error("the watch thread has ended"));
        void running.then(() => reject(why));
      });
    });
  }

  /** Tries again until a run succeeds: a disk gets space again, a folder comes back. */
  async #indexUntilDone(): Promise<void> {
    const job = jobOf(this.#options, this.#options.watch);
    const { signal } = this.#controller;
    for (;;) {
      try {
        this.#set({ state: "indexing" });
        const onWait = (holder: string): void => this.#set({ state: "indexing", holder });
        const counts = await indexInTurn(job, { signal, onDocument: () => {}, onWait });
        this.#set({ state: "watching", lastRun: { endedAt: new Date().toISOString(), counts } });
        if (counts.replaced + counts.deleted > 0) this.#onIndexed();
        return;
      } catch (error) {
        signal.throwIfAborted();
        await this.#fail(error);
      }
    }
  }

  /** Says each fault once, and waits. */
  async #fail(error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    const said = message.replaceAll(`${this.#options.projectRoot}/`, "").replaceAll(this.#options.projectRoot, ".");
    if (this.#data.error !== said) process.stderr.write(`docsearch-mcp: watching: ${message}\n`);
    this.#set({ state: "failed", error: said });
    await sleep(RETRY_MS, undefined, { signal: this.#controller.signal });
  }

  /** What is not named here is over, but for the last run. An error stays known until a run succeeds. */
  #set(data: Omit<WatchData, "paths">): void {
    const { paths, lastRun, error } = this.#data;
    const isOver = data.state === "watching" || error === undefined;
    this.#data = { paths, ...(lastRun !== undefined && { lastRun }), ...(!isOver && { error }), ...data };
  }
}
