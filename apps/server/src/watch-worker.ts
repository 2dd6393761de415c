import { parentPort, workerData } from "node:worker_threads";
import { watchFiles } from "@docsearch/source-fs";
import type { Env } from "@docsearch/spec";

/** What a watch thread is to do. */
export interface WatchJob {
  /** Real paths of folders and files. */
  readonly paths: readonly string[];
  readonly env: Env;
  /** Path of the index, whose files are written by the runs themselves; of one on a server, its address. */
  readonly indexPath: string;
}

/** `changed`: something may have changed; answered with any message once the index is up to date. */
export type WatchMessage =
  | { readonly type: "changed" }
  | { readonly type: "warning"; readonly message: string }
  | { readonly type: "failed"; readonly message: string };

function tell(message: WatchMessage): void {
  parentPort?.postMessage(message);
}

if (parentPort !== null) {
  const port = parentPort;
  const { paths, env, indexPath } = workerData as WatchJob;
  const options = {
    trees: paths.map((root) => ({ root, env, indexPath })),
    ignorePrefixes: [indexPath],
    onWarning: (message: string) => tell({ type: "warning", message }),
    // The thread is ended from outside: it holds nothing that has to be put away.
    signal: new AbortController().signal,
  };
  const upToDate = (): Promise<void> =>
    new Promise((resolve) => {
      port.once("message", () => resolve());
      tell({ type: "changed" });
    });
  watchFiles(options, upToDate).catch((error: unknown) => {
    tell({ type: "failed", message: error instanceof Error ? error.message : String(error) });
    port.close();
  });
}
