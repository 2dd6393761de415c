import { type ChildProcess, spawn } from "node:child_process";
import type { FromWorker, Job, JobResult, Loaded, LoadRequest, ToWorker, WorkerFailure } from "./messages.js";

/** A failure of the worker; it is turned into a `DocsearchError` before it leaves the package. */
export class WorkerError extends Error {
  override readonly name: string = "WorkerError";
  /** `ended`: the process is gone. */
  readonly stage: WorkerFailure["stage"] | "ended";

  constructor(stage: WorkerError["stage"], message: string) {
    super(message);
    this.stage = stage;
  }
}

type OnFile = (file: Extract<FromWorker, { type: "file" }>) => void;

interface Waiting {
  resolve(result: JobResult): void;
  reject(error: Error): void;
}

/** From `src` and from `dist` alike. */
const WORKER = new URL("../dist/worker.js", import.meta.url).href;
const STDERR_CHARACTERS = 500;

/**
 * A process of its own that holds one model: the work never stops this process from answering, and the model's memory
 * is gone when it ends. It does not keep this process alive between jobs, and ends with it.
 */
export class ModelWorker {
  readonly loaded: Promise<Loaded>;
  readonly #process: ChildProcess;
  readonly #exited: Promise<WorkerError>;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 0;
  #stderr = "";
  #isLoading = true;
  #hasEnded = false;

  constructor(request: LoadRequest, onFile: OnFile) {
    const code = `import { serve } from ${JSON.stringify(WORKER)}; serve();`;
    this.#process = spawn(process.execPath, ["--input-type=module", "--eval", code], {
      // What a library prints must not reach stdout, which may be a protocol.
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      serialization: "advanced",
      windowsHide: true,
    });
    this.#exited = new Promise((resolve) => {
      const end = (what: string): void => {
        this.#hasEnded = true;
        const error = new WorkerError("ended", `its process ended (${what})${this.#lastWords()}`);
        for (const { reject } of this.#waiting.values()) reject(error);
        this.#waiting.clear();
        resolve(error);
      };
      this.#process.once("error", (error) => end(error.message));
      this.#process.once("exit", (status, signal) => end(signal ?? `status ${status}`));
    });
    this.loaded = new Promise<Loaded>((resolve, reject) => {
      this.#process.on("message", (message: FromWorker) => {
        if (message.type === "file") return onFile(message);
        if (message.type === "loaded") resolve(message.loaded);
        else if (message.type === "load-failed") reject(workerError(message.failure));
        else this.#settle(message);
        this.#isLoading = false;
        this.#holdProcess();
      });
      this.#exited.then((error) => reject(error));
    });
    this.loaded.catch(() => {});
    this.#process.stderr?.on("data", (text: Buffer) => {
      this.#stderr = (this.#stderr + text.toString("utf8")).slice(-STDERR_CHARACTERS);
    });
    (this.#process.stderr as unknown as { unref?(): void } | null)?.unref?.();
    this.#post({ type: "load", request });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Rejects with a `WorkerError`, or with the reason of `signal`; then the worker skips what it has not begun. */
  async run(job: Job, signal: AbortSignal | undefined): Promise<JobResult> {
    await this.loaded;
    signal?.throwIfAborted();
    if (this.#hasEnded) throw await this.#exited;
    const id = this.#nextId++;
    let cancel = (): void => {};
    try {
      return await new Promise<JobResult>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        cancel = () => {
          this.#waiting.delete(id);
          this.#post({ type: "cancel", id });
          this.#holdProcess();
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", cancel, { once: true });
        this.#post({ type: "run", id, job });
        this.#holdProcess();
      });
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Ends the process; jobs under way reject. */
  async close(): Promise<void> {
    this.#process.ref();
    if (!this.#hasEnded) this.#process.kill();
    await this.#exited;
  }

  #settle(message: Extract<FromWorker, { type: "done" | "failed" }>): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === "done") waiting?.resolve(message.result);
    else waiting?.reject(workerError(message.failure));
  }

  #post(message: ToWorker): void {
    // A failure to send means that the process is gone, which its exit reports.
    if (this.#process.connected) this.#process.send(message, () => {});
  }

  /**
   * This process stays alive for loading and for jobs under way, and for nothing else: for the answers, which come over
   * the channel, and for the end of the process, which comes when the channel is gone.
   */
  #holdProcess(): void {
    const isHeld = this.#isLoading || this.#waiting.size > 0;
    for (const handle of [this.#process, this.#process.channel]) {
      if (isHeld) handle?.ref();
      else handle?.unref();
    }
  }

  #lastWords(): string {
    const words = this.#stderr.trim().replace(/\s+/g, " ");
    return words === "" ? "" : `: ${words}`;
  }
}

function workerError({ stage, message }: WorkerFailure): WorkerError {
  return new WorkerError(stage, message);
}
