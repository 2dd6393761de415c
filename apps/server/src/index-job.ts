import type { JobCounts } from "@docsearch/service";
import type { DoneTree } from "@docsearch/service/source-times";
import type { TreeRequest } from "./index-trees.js";

/** What an index worker is to do; `env` has the settings of the index. */
export interface IndexJob extends TreeRequest {
  /** Path or DSN of the index. */
  readonly location: string;
}

/** The same, as a thread gets it. */
export interface WorkerJob extends IndexJob {
  /** Folder whose packages are the backends. */
  readonly packageRoot: string;
  /** Shared with the thread; see `FLAG`. Seen also where no message is. */
  readonly flags: Int32Array;
}

/** Indices of numbers that become other than 0: when the work is to stop, and when the thread begins to open the index. */
export const FLAG = { stop: 0, opening: 1 } as const;

export interface IndexOutcome {
  /** What was brought up to date. */
  readonly done: readonly DoneTree[];
  readonly counts: JobCounts;
}

/** `opened`: the index is open, and may be changed from now on. */
export type WorkerMessage =
  | { readonly type: "opened" }
  | { readonly type: "documents"; readonly documents: number }
  | ({ readonly type: "done" } & IndexOutcome)
  | { readonly type: "failed"; readonly message: string };
