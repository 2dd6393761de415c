import { Worker } from "node:worker_threads";
import type { JobCounts, JobOptions } from "@docsearch/service";
import type { IndexJob, WorkerMessage } from "./index-job.js";

/** A worker that was told to stop gets so long to end by itself, in milliseconds. */
const GRACE_MS = 1000;

/**
 * Indexes in a thread of its own, so that calls are answered and cancellation is heard meanwhile.
 *
 * @throws `AbortError` when stopped, an `Error` with the worker's message when it failed
 */
export function runIndexWorker(job: IndexJob, { signal, onDocument }: JobOptions): Promise<JobCounts> {
  return new Promise((resolve, reject) => {
    // Its stdout would be ours, which belongs to the protocol.
    const worker = new Worker(new URL("./index-worker.js", import.meta.url), { workerData: job, stdout: true });
    worker.stdout.pipe(process.stderr, { end: false });
    let outcome: Exclude<WorkerMessage, { type: "documents" }> | undefined;
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      worker.postMessage("stop");
      timer = setTimeout(() => void worker.terminate(), GRACE_MS);
    };
    signal.addEventListener("abort", stop, { once: true });
    worker.on("message", (message: WorkerMessage) => {
      if (message.type === "documents") onDocument(message.documents);
      else outcome = message;
    });
    worker.on("error", (error) => {
      outcome = { type: "failed", message: error.message };
    });
    worker.on("exit", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      if (outcome?.type === "done") resolve(outcome.counts);
      else if (signal.aborted) reject(signal.reason);
      else reject(new Error(fromProject(outcome?.message ?? "the index worker ended without a result", job)));
    });
  });
}

/** A message with its paths from the project's folder, for readers who are not on this machine. */
function fromProject(message: string, { projectRoot }: IndexJob): string {
  return message.replaceAll(`${projectRoot}/`, "").replaceAll(projectRoot, ".");
}
