import { parentPort, workerData } from "node:worker_threads";
import { projectSources } from "@docsearch/service/config";
import { type WalkOptions, watchFiles } from "@docsearch/source-fs";
import { indexTrees, type TreeRequest } from "./index-trees.js";

/** What a watch thread is to do. */
export interface WatchJob extends TreeRequest {
  /** Path of the index, whose files are written by the runs themselves; of one on a server, its address. */
  readonly indexPath: string;
  /** Milliseconds. */
  readonly debounceMs: number;
  /** Whether the files are looked at at intervals. */
  readonly poll: boolean;
}

/** `changed`: something may have changed; answered with any message once the index is up to date. */
export type WatchMessage =
  | { readonly type: "changed" }
  | { readonly type: "warning"; readonly message: string }
  | { readonly type: "failed"; readonly message: string };

function tell(message: WatchMessage): void {
  parentPort?.postMessage(message);
}

/** What is watched now, the config file included: it may name others later. */
async function treesOf(job: WatchJob): Promise<WalkOptions[]> {
  const trees = await indexTrees(job, [], {});
  const config = projectSources(job.projectRoot, job.env)?.file;
  return [...trees.map(({ walk }) => walk), ...(config === undefined ? [] : [{ root: config, env: job.env }])];
}

if (parentPort !== null) {
  const port = parentPort;
  const job = workerData as WatchJob;
  const upToDate = (): Promise<void> =>
    new Promise((resolve) => {
      port.once("message", () => resolve());
      tell({ type: "changed" });
    });
  const watch = async (): Promise<never> => {
    // A fault in the config file is told by the run that meets it, and tried again.
    const trees = await treesOf(job).catch(() => job.paths.map((root): WalkOptions => ({ root, env: job.env })));
    return watchFiles(
      {
        trees,
        treesNow: () => treesOf(job),
        debounceMs: job.debounceMs,
        poll: job.poll,
        ignorePrefixes: [job.indexPath],
        onWarning: (message: string) => tell({ type: "warning", message }),
        // The thread is ended from outside: it holds nothing that has to be put away.
        signal: new AbortController().signal,
      },
      upToDate,
    );
  };
  watch().catch((error: unknown) => {
    tell({ type: "failed", message: error instanceof Error ? error.message : String(error) });
    port.close();
  });
}
