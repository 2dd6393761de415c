import type { Pooling } from "./model-table.js";

/** What a worker loads. */
export interface LoadRequest {
  /** Specifier or URL of transformers.js. */
  readonly module: string;
  /** Name on the hub or, with `localFolder`, of a folder in it. */
  readonly name: string;
  /** Folder that holds the model's folder; then nothing is downloaded. */
  readonly localFolder?: string;
  readonly cacheDir: string;
  readonly remoteHost: string;
  readonly allowDownload: boolean;
  readonly revision: string;
  readonly dtype: string;
  readonly device: string;
  readonly threads: number;
  /** Absent: what the tokenizer says. */
  readonly maxTokens?: number;
  readonly task: { readonly kind: "embed"; readonly pooling: Pooling } | { readonly kind: "rerank" };
}

export interface Loaded {
  /** Length of the vectors; 0 for a reranker. */
  readonly dimensions: number;
}

export type Job =
  | { readonly kind: "embed"; readonly texts: readonly string[] }
  | { readonly kind: "rerank"; readonly query: string; readonly documents: readonly string[] };

export interface JobResult {
  /** One after the other: vectors of unit length, all zero where there is none; scores from 0 to 1. */
  readonly numbers: Float32Array;
  /** Indices of texts that were cut. */
  readonly truncated: readonly number[];
}

export type ToWorker =
  | { readonly type: "load"; readonly request: LoadRequest }
  | { readonly type: "run"; readonly id: number; readonly job: Job }
  | { readonly type: "cancel"; readonly id: number };

/** `missing`: transformers.js is not there; `module`: it did not load; `model`: the model did not; `run`: a job failed. */
export interface WorkerFailure {
  readonly stage: "missing" | "module" | "model" | "run";
  readonly message: string;
}

export type FromWorker =
  | { readonly type: "file"; readonly file: string; readonly loadedBytes: number; readonly totalBytes: number }
  | { readonly type: "loaded"; readonly loaded: Loaded }
  | { readonly type: "load-failed"; readonly failure: WorkerFailure }
  | { readonly type: "done"; readonly id: number; readonly result: JobResult }
  | { readonly type: "failed"; readonly id: number; readonly failure: WorkerFailure };
