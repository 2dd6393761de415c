import type { FromWorker, ToWorker, WorkerFailure } from "./messages.js";
import { ModelSession, messageOf, StageError } from "./model-session.js";

/**
 * Loads a model and runs jobs, as the process that started this one asks by messages. Ends when that process does.
 * Jobs are not queued: a query runs beside a batch of documents.
 */
export function serve(): void {
  let session: ModelSession | undefined;
  const cancelled = new Set<number>();
  process.on("message", (message: ToWorker) => {
    if (message.type === "load") void load(message.request);
    else if (message.type === "cancel") cancelled.add(message.id);
    else void run(message.id, message.job);
  });
  process.on("disconnect", () => process.exit(0));

  async function load(request: Extract<ToWorker, { type: "load" }>["request"]): Promise<void> {
    try {
      session = await ModelSession.load(request, ({ status, file, loaded, total }) => {
        if (status !== "progress" || file === undefined) return;
        send({ type: "file", file, loadedBytes: loaded ?? 0, totalBytes: total ?? 0 });
      });
      send({ type: "loaded", loaded: { dimensions: await session.dimensions() } });
    } catch (error) {
      send({ type: "load-failed", failure: failureOf(error) });
    }
  }

  async function run(id: number, job: Extract<ToWorker, { type: "run" }>["job"]): Promise<void> {
    try {
      if (session === undefined) throw new StageError({ stage: "run", message: "no model is loaded" });
      send({ type: "done", id, result: await session.run(job, () => cancelled.has(id)) });
    } catch (error) {
      send({ type: "failed", id, failure: failureOf(error) });
    } finally {
      cancelled.delete(id);
    }
  }
}

function failureOf(error: unknown): WorkerFailure {
  return error instanceof StageError ? error.failure : { stage: "run", message: messageOf(error) };
}

function send(message: FromWorker): void {
  process.send?.(message);
}
