import type { JobCounts } from "@docsearch/service";
import type { Env } from "@docsearch/spec";

/** What an index worker is to do. */
export interface IndexJob {
  /** Real path of a folder or file. */
  readonly path: string;
  readonly projectRoot: string;
  /** Settings of the index; `DOCS_STORE_URL` says where it is. */
  readonly settings: Env;
  /** Folder whose packages are the backends. */
  readonly packageRoot: string;
}

export type WorkerMessage =
  | { readonly type: "documents"; readonly documents: number }
  | { readonly type: "done"; readonly counts: JobCounts }
  | { readonly type: "failed"; readonly message: string };
