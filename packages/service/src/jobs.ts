import { DocsearchError } from "@docsearch/spec";
import { QUOTE_NOTE } from "./fence.js";
import type { Answer, IndexStatusInput, ProgressOptions } from "./inputs.js";
import { fenced, quoteLabel } from "./passage.js";
import { type WatchData, watchLine } from "./watch-data.js";

/** What a run of the indexer counted. */
export interface JobCounts {
  readonly scanned: number;
  readonly unchanged: number;
  readonly replaced: number;
  readonly deleted: number;
  readonly chunks: number;
  readonly failed: number;
  /** What failed, what was left out and why; absent when there is nothing to say. */
  readonly remarks?: readonly string[];
}

export interface JobData {
  readonly jobId: string;
  readonly state: "queued" | "running" | "done" | "failed" | "cancelled";
  readonly path: string;
  /** Documents that were looked at so far. */
  readonly documents: number;
  /** Who changes the index now, while the job waits for its turn. */
  readonly holder?: string;
  /** Once it is done. */
  readonly counts?: JobCounts;
  /** Once it has failed. */
  readonly error?: string;
}

export interface JobsData {
  readonly jobs: readonly JobData[];
  /** Absent where nothing is watched. */
  readonly watch?: WatchData;
}

/** Does the work of a job; rejects with `AbortError` when told to stop. */
export type RunJob = (path: string, options: JobOptions) => Promise<JobCounts>;

export interface JobOptions {
  readonly signal: AbortSignal;
  readonly onDocument: (documents: number) => void;
  /** Told who changes the index, while the job has to wait for that. */
  readonly onWait: (holder: string) => void;
}

interface Job {
  readonly id: string;
  /** As the caller wrote it. */
  readonly path: string;
  readonly controller: AbortController;
  readonly listeners: Set<(documents: number) => void>;
  readonly ended: Promise<void>;
  state: JobData["state"];
  documents: number;
  holder?: string;
  counts?: JobCounts;
  error?: string;
}

/** Jobs that are kept for asking after, and that may wait. */
const KEPT = 20;
const MOST_OPEN = 8;
const SHOWN_REMARKS = 8;
const REMARK_CHARACTERS = 240;

/** Index runs, one at a time, in the order in which they were asked for. */
export class IndexJobs {
  readonly #run: RunJob;
  readonly #jobs: Job[] = [];
  readonly #stopWaiting = new AbortController();
  #queue: Promise<unknown> = Promise.resolve();
  #count = 0;

  constructor(run: RunJob) {
    this.#run = run;
  }

  /**
   * Starts a job and waits for it for a while. An abort of `signal` cancels the job.
   *
   * @throws `CONFIG_INVALID` when too many jobs wait, the platform's `AbortError`
   */
  async start(path: string, shown: string, waitMs: number, options: ProgressOptions): Promise<Answer<JobData>> {
    options.signal?.throwIfAborted();
    const open = this.#jobs.filter(({ state }) => state === "queued" || state === "running");
    // The same folder again: the run that waits does the work of both.
    const waiting = open.find((job) => job.state === "queued" && job.path === shown);
    if (waiting === undefined && open.length >= MOST_OPEN) throw tooMany(open.length);
    const job = waiting ?? this.#enqueue(path, shown);
    const listener = (documents: number): void => options.onProgress?.(documents, `${documents} documents`);
    job.listeners.add(listener);
    // Who joined a waiting job does not end it for the one who asked first.
    const cancel = (): void => {
      if (waiting === undefined) job.controller.abort();
    };
    options.signal?.addEventListener("abort", cancel, { once: true });
    try {
      await Promise.race([job.ended, this.#wait(waitMs)]);
    } finally {
      job.listeners.delete(listener);
      options.signal?.removeEventListener("abort", cancel);
    }
    options.signal?.throwIfAborted();
    const data = dataOf(job);
    return { text: describe(data), data };
  }

  /** @throws `NOT_FOUND` for an unknown job */
  status({ job_id, cancel }: IndexStatusInput, watch?: WatchData): Answer<JobsData> {
    const jobs = job_id === undefined ? this.#jobs : this.#jobs.filter(({ id }) => id === job_id);
    if (job_id !== undefined && jobs.length === 0) {
      const known = this.#jobs.map(({ id }) => id).join(", ") || "none";
      const message = `There is no job ${quoteLabel(JSON.stringify(job_id))}; known: ${known}. Jobs are forgotten when the server ends.`;
      throw new DocsearchError("NOT_FOUND", message, { what: "job", name: job_id });
    }
    if (cancel) for (const { controller } of jobs) controller.abort();
    const data = jobs.map(dataOf);
    const lines = data.length === 0 ? ["No index job was started. index_path starts one."] : data.map(describe);
    const text = [...lines, watchLine(watch)].filter((line) => line !== "").join("\n");
    return { text, data: { jobs: data, ...(watch !== undefined && { watch }) } };
  }

  /** Answers whoever waits, at once. */
  stopWaiting(): void {
    this.#stopWaiting.abort();
  }

  /** Cancels all jobs and waits until they have ended. */
  async close(): Promise<void> {
    this.stopWaiting();
    for (const { controller } of this.#jobs) controller.abort();
    await Promise.all(this.#jobs.map(({ ended }) => ended));
  }

  #enqueue(path: string, shown: string): Job {
    const controller = new AbortController();
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const job: Job = {
      id: `job-${++this.#count}`,
      path: shown,
      controller,
      listeners: new Set(),
      ended,
      state: "queued",
      documents: 0,
    };
    this.#jobs.push(job);
    if (this.#jobs.length > KEPT) this.#jobs.shift();
    this.#queue = this.#queue.then(() => this.#work(job, path)).finally(end);
    return job;
  }

  async #work(job: Job, path: string): Promise<void> {
    const { signal } = job.controller;
    try {
      signal.throwIfAborted();
      job.state = "running";
      job.counts = await this.#run(path, {
        signal,
        onWait: (holder) => {
          job.holder = holder;
        },
        onDocument: (documents) => {
          job.documents = documents;
          for (const listener of job.listeners) listener(documents);
        },
      });
      job.documents = job.counts.scanned;
      job.state = "done";
    } catch (error) {
      job.state = signal.aborted ? "cancelled" : "failed";
      if (!signal.aborted) job.error = quoteLabel(error instanceof Error ? error.message : String(error), 400);
    }
  }

  #wait(milliseconds: number): Promise<void> {
    const { signal } = this.#stopWaiting;
    return new Promise((resolve) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        resolve();
      };
      const timer = setTimeout(stop, signal.aborted ? 0 : milliseconds);
      timer.unref();
      signal.addEventListener("abort", stop);
    });
  }
}

function tooMany(open: number): Error {
  const message = `${open} index jobs are waiting already; ask index_status until one is done.`;
  return new DocsearchError("CONFIG_INVALID", message, {
    setting: "index_path",
    value: String(open),
    expected: `at most ${MOST_OPEN} jobs at a time`,
  });
}

function dataOf({ id, state, path, documents, holder, counts, error }: Job): JobData {
  const isWaiting = state === "running" && documents === 0 && holder !== undefined;
  return {
    jobId: id,
    state,
    path: quoteLabel(path),
    documents,
    ...(isWaiting && { holder }),
    ...(counts !== undefined && { counts: quotedCounts(counts) }),
    ...(error !== undefined && { error }),
  };
}

function describe({ jobId, state, path, documents, holder, counts, error }: JobData): string {
  const what = `${jobId} (${path}) ${state}`;
  if (counts !== undefined) {
    const { scanned, unchanged, replaced, deleted, chunks, failed, remarks } = counts;
    const text = `${what}: ${scanned} documents, ${replaced} new or changed, ${unchanged} unchanged, ${deleted} removed, ${failed} failed, ${chunks} chunks written.`;
    // Names of files are the corpus's own words.
    return remarks === undefined ? text : [`${text} ${QUOTE_NOTE}`, fenced("remarks", remarks)].join("\n");
  }
  if (error !== undefined) return `${what}: ${error}`;
  if (state === "cancelled") return `${what} after ${documents} documents; what was written stays. index_path goes on.`;
  if (holder !== undefined) {
    return `${what}: it waits for ${holder}, which is writing to the index. Ask again: index_status with job_id ${jobId}.`;
  }
  return `${what}: ${documents} documents so far. Ask again: index_status with job_id ${jobId}.`;
}

function quotedCounts({ remarks, ...counts }: JobCounts): JobCounts {
  const shown = remarks?.slice(0, SHOWN_REMARKS).map((remark) => quoteLabel(remark, REMARK_CHARACTERS)) ?? [];
  if (shown.length === 0) return counts;
  const rest = (remarks?.length ?? 0) - shown.length;
  return { ...counts, remarks: rest > 0 ? [...shown, `and ${rest} more`] : shown };
}
