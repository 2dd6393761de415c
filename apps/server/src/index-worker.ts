import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { createRegistry, docsearchFromEnv, knownEmbeddersFile } from "@docsearch/core";
import { indexPlaces, type Place, placeOf } from "@docsearch/service/index-places";
import { runsTakeTurns } from "@docsearch/service/run-record";
import { sourceNames } from "@docsearch/service/source-names";
import { fileSource, StatCache } from "@docsearch/source-fs";
import type { DocumentSource } from "@docsearch/spec";
import { FLAG, type IndexOutcome, type WorkerJob, type WorkerMessage } from "./index-job.js";
import { indexRemarks } from "./index-remarks.js";
import { indexTrees } from "./index-trees.js";
import { wrapEmbedder } from "./wrap-embedder.js";

/** Progress is told this often, in milliseconds. */
const PROGRESS_MS = 100;
/** It is looked this often whether the work is to stop, in milliseconds. */
const LOOK_MS = 20;

/** @param look sees to it that `signal` fires when the work is to stop; the thread may be too busy to be told */
async function work(job: WorkerJob, signal: AbortSignal, look: () => void): Promise<IndexOutcome> {
  const { paths, projectRoot, location, env, packageRoot, flags } = job;
  for (const path of paths) requirePath(path);
  const settings = { ...env, DOCS_STORE_URL: location };
  const indexPath = runsTakeTurns(env) ? resolve(location) : undefined;
  const statCache = indexPath === undefined ? undefined : StatCache.load(`${indexPath}.stat`);
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
    const collections = await sourceNames(docsearch, { signal });
    const request = { ...job, ...(indexPath !== undefined && { indexPath }) };
    const places = (await indexTrees(request, collections, { signal })).map(({ tree, walk }): Place => {
      const { collection } = tree;
      const source = fileSource({ ...walk, collection, ...(statCache !== undefined && { statCache }) });
      return placeOf(tree, statSync(tree.root).isDirectory(), projectRoot, watched(source, look));
    });
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
    const remarks = [...partRemarks(places), ...indexRemarks(report)];
    const counts = { scanned, unchanged, replaced: replaced + empty, deleted, chunks, failed: failures.length };
    return {
      done: places.map(({ collection, part }) => ({ collection, ...(part !== undefined && { part }) })),
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

/** Says of what belongs to a source that the rest of it was not looked at. */
function partRemarks(places: readonly Place[]): string[] {
  return places.flatMap(({ collection, part }) =>
    part === undefined ? [] : [`${part} is part of the source ${collection}; this part was brought up to date`],
  );
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
