import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { createRegistry, docsearchFromEnv, knownEmbeddersFile } from "@docsearch/core";
import { indexPlaces, type Place, placeOf } from "@docsearch/service/index-places";
import { nameInProject } from "@docsearch/service/project";
import { runsTakeTurns } from "@docsearch/service/run-record";
import { type FileSourceOptions, fileSource, StatCache } from "@docsearch/source-fs";
import type { DocumentSource } from "@docsearch/spec";
import { enclosingSource } from "./enclosing-source.js";
import { FLAG, type IndexOutcome, type WorkerJob, type WorkerMessage } from "./index-job.js";
import { indexRemarks } from "./index-remarks.js";
import { wrapEmbedder } from "./wrap-embedder.js";

/** Progress is told this often, in milliseconds. */
const PROGRESS_MS = 100;
/** It is looked this often whether the work is to stop, in milliseconds. */
const LOOK_MS = 20;

/** @param look sees to it that `signal` fires when the work is to stop; the thread may be too busy to be told */
async function work(job: WorkerJob, signal: AbortSignal, look: () => void): Promise<IndexOutcome> {
  const { paths, projectRoot, roots, location, env, packageRoot, flags } = job;
  for (const path of paths) requirePath(path);
  const settings = { ...env, DOCS_STORE_URL: location };
  const indexPath = runsTakeTurns(env) ? resolve(location) : undefined;
  const statCache = indexPath === undefined ? undefined : StatCache.load(`${indexPath}.stat`);
  const local = { ...(indexPath !== undefined && { indexPath }), ...(statCache !== undefined && { statCache }) };
  const registry = wrapEmbedder(createRegistry({ root: packageRoot }), {
    documents: (_, embed) => {
      look();
      signal.throwIfAborted();
      return embed();
    },
  });
  look();
  signal.throwIfAborted();
  Atomics.store(flags, FLAG.opening, 1);
  const docsearch = await docsearchFromEnv(settings, {
    registry,
    mode: "write",
    knownEmbedders: knownEmbeddersFile(env),
  });
  try {
    look();
    signal.throwIfAborted();
    tell({ type: "opened" });
    const options = { projectRoot, roots, env, ...(indexPath !== undefined && { indexPath }) };
    const folders: string[] = [];
    for (const path of paths) folders.push(await enclosingSource(docsearch, path, options, { signal }));
    const places = placesOf([...new Set(folders)], job, local).map((place) => ({
      ...place,
      source: watched(place.source, look),
    }));
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
      places,
      projectRoot,
      prune: false,
      onEvent: ({ type }) => {
        look();
        if (type === "document" || type === "failure") onDocument();
      },
      signal,
    });
    statCache?.save();
    const { scanned, unchanged, replaced, empty, deleted, chunks, failures } = report;
    const remarks = [...partRemarks(paths, folders, projectRoot), ...indexRemarks(report)];
    const counts = { scanned, unchanged, replaced: replaced + empty, deleted, chunks, failed: failures.length };
    return {
      collections: places.map(({ collection }) => collection),
      counts: { ...counts, ...(remarks.length > 0 && { remarks }) },
    };
  } finally {
    await docsearch.close();
  }
}

function requirePath(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  throw new Error(`${path} cannot be indexed: it is not there`);
}

/** Says of paths that belong to a source that this was brought up to date. */
function partRemarks(paths: readonly string[], folders: readonly string[], projectRoot: string): string[] {
  const nameOf = (path: string): string => nameInProject(projectRoot, path) || ".";
  return paths.flatMap((path, index) => {
    const folder = folders[index] ?? path;
    if (folder === path) return [];
    return [`${nameOf(path)} is part of the source ${nameOf(folder)}, which was brought up to date`];
  });
}

function watched(source: DocumentSource, look: () => void): DocumentSource {
  return {
    collection: source.collection,
    async *read(call) {
      for await (const item of source.read(call)) {
        look();
        yield item;
      }
    },
  };
}

/** A place inside another comes first, so that its files are of its collection. */
function placesOf(
  paths: readonly string[],
  { projectRoot, env }: WorkerJob,
  local: Pick<FileSourceOptions, "indexPath" | "statCache">,
): Place[] {
  return [...paths]
    .sort((a, b) => b.length - a.length)
    .map((path) =>
      placeOf(path, statSync(path).isDirectory(), projectRoot, (root, collection) =>
        fileSource({ root, collection, env, ...local }),
      ),
    );
}

function tell(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

if (parentPort !== null) {
  const job = workerData as WorkerJob;
  const controller = new AbortController();
  const look = (): void => {
    if (Atomics.load(job.flags, FLAG.stop) !== 0) controller.abort();
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    tell({ type: "done", ...(await work(job, controller.signal, look)) });
  } catch (error) {
    tell({ type: "failed", message: error instanceof Error ? error.message : String(error) });
  }
  clearInterval(timer);
}
