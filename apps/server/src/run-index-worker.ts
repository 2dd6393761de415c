import { fileURLToPath } from "node:url";
import { SHARE_ENV, Worker } from "node:worker_threads";
import type { JobOptions } from "@docsearch/service";
import { FLAG, type IndexJob, type IndexOutcome, type WorkerJob, type WorkerMessage } from "./index-job.js";

/** Folder of this package: where the backends that it brings are found. */
export const PACKAGE_ROOT: string = fileURLToPath(new URL("..", import.meta.url));

/** A worker that was told to stop gets so long to end by itself, in milliseconds. */
const GRACE_MS = 1000;

export interface IndexWorkerOptions extends Pick<JobOptions, "signal" | "onDocument"> {
  /** Told when the index is open: from then on it may be changed. */
  readonly onOpen: () => void;
}

/**
 * Indexes in a thread of its own, so that calls are answered and cancellation is heard meanwhile.
 *
 * @throws the reason of the signal when stopped, an `Error` with the worker's message when it failed
 */
export function runIndexWorker(
  job: IndexJob,
  { signal, onOpen, onDocument }: IndexWorkerOptions,
): Promise<IndexOutcome> {
  return new Promise((resolve, reject) => {
    const flags = new Int32Array(new SharedArrayBuffer(8));
    const workerJob: WorkerJob = { ...job, packageRoot: PACKAGE_ROOT, flags };
    const worker = new Worker(new URL("./index-worker.js", import.meta.url), {
      workerData: workerJob,
      // Its stdout would be ours, which belongs to the protocol.
      stdout: true,
      // A native module reads the environment of the process, and a thread gets a copy otherwise.
      env: SHARE_ENV,
    });
    worker.stdout.pipe(process.stderr, { end: false });
    let timer: NodeJS.Timeout | undefined;
    const end = (outcome: Extract<WorkerMessage, { type: "done" | "failed" }>): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      worker.unref();
      if (outcome.type === "done") resolve(outcome);
      else if (signal.aborted) reject(signal.reason);
      else reject(new Error(fromProject(outcome.message, job)));
    };
    const abort = (): void => {
      Atomics.store(flags, FLAG.stop, 1);
      // While it still imports its modules it hears nothing, and has nothing open that would have to be closed.
      if (Atomics.load(flags, FLAG.opening) !== 0) timer = setTimeout(() => void worker.terminate(), GRACE_MS);
      else void worker.terminate();
    };
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    // Its last message comes when the index is closed; the thread itself takes a while longer to be gone.
    worker.on("message", (message: WorkerMessage) => {
      if (message.type === "opened") onOpen();
      else if (message.type === "documents") onDocument(message.documents);
      else end(message);
    });
    worker.on("error", (error) => end({ type: "failed", message: error.message }));
    worker.on("exit", () => end({ type: "failed", message: "the index worker ended without a result" }));
  });
}

/** A message with its paths from the project's folder, for readers who are not on this machine. */
function fromProject(message: string, { projectRoot }: IndexJob): string {
  return message.replaceAll(`${projectRoot}/`, "").replaceAll(projectRoot, ".");
}
