import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { docsearchFromEnv } from "@docsearch/core";
import { INDEX_FOLDER, type JobCounts } from "@docsearch/service";
import { indexPlaces, placeOf } from "@docsearch/service/index-places";
import { fileSource } from "@docsearch/source-fs";
import type { IndexJob, WorkerMessage } from "./index-job.js";

/** Progress is told this often, in milliseconds. */
const PROGRESS_MS = 100;

async function work({ path, projectRoot, settings, packageRoot }: IndexJob, signal: AbortSignal): Promise<JobCounts> {
  const folder = join(projectRoot, INDEX_FOLDER);
  const isNew = !existsSync(folder);
  const place = placeOf(path, statSync(path).isDirectory(), projectRoot, (root, collection) =>
    fileSource({ root, collection, env: settings }),
  );
  const docsearch = await docsearchFromEnv(settings, { root: packageRoot, mode: "write" });
  try {
    if (isNew && existsSync(folder)) hideFromGit(folder);
    let documents = 0;
    let told = 0;
    const onDocument = (): void => {
      documents++;
      const now = performance.now();
      if (now - told < PROGRESS_MS) return;
      told = now;
      tell({ type: "documents", documents });
    };
    const report = await indexPlaces(docsearch, {
      places: [place],
      projectRoot,
      prune: false,
      onEvent: ({ type }) => {
        if (type === "document" || type === "failure") onDocument();
      },
      signal,
    });
    const { scanned, unchanged, replaced, deleted, chunks, failures } = report;
    return { scanned, unchanged, replaced, deleted, chunks, failed: failures.length };
  } finally {
    await docsearch.close();
  }
}

function hideFromGit(folder: string): void {
  writeFileSync(join(folder, ".gitignore"), "# Made by docsearch; it can be made anew from the documents.\n*\n");
}

function tell(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

if (parentPort !== null) {
  const controller = new AbortController();
  parentPort.once("message", () => controller.abort());
  try {
    tell({ type: "done", counts: await work(workerData as IndexJob, controller.signal) });
  } catch (error) {
    tell({ type: "failed", message: error instanceof Error ? error.message : String(error) });
  }
  parentPort.close();
}
