import { homedir } from "node:os";
import { join } from "node:path";

/** What happens on the way to a model that is ready. Sizes are in bytes. */
export type ModelProgress =
  /** The model is not on this machine and will be downloaded. `bytes` is about right; absent for an unknown model. */
  | {
      readonly type: "download";
      readonly model: string;
      readonly from: string;
      readonly to: string;
      readonly bytes?: number;
    }
  | { readonly type: "file"; readonly file: string; readonly loadedBytes: number; readonly totalBytes: number }
  | { readonly type: "ready"; readonly model: string; readonly milliseconds: number };

/** Where a model comes from and how it runs. */
export interface ModelSourceOptions {
  /** Repository on the hub with ONNX files, or a folder that holds one: `./models/mine`, an absolute path. */
  readonly model?: string;
  /** Branch, tag or commit on the hub. Default `main`. */
  readonly revision?: string;
  /** Number format: `q8` (default), `fp32`, `fp16`, `q4` and others that the model has a file of. */
  readonly dtype?: string;
  /** `cpu` (default), `cuda`, `dml`, `coreml`, `webgpu`. */
  readonly device?: string;
  /** Threads of the processor. Default: all of two, else half of them and at most 8. */
  readonly threads?: number;
  /** Most tokens of a text; longer ones are cut and reported. Default: what the model takes. */
  readonly maxTokens?: number;
  /** Folder of downloaded models. Default `~/.cache/docsearch/models`. */
  readonly cacheDirectory?: string;
  /** Whether a model that is not on this machine may be downloaded. Default true. */
  readonly allowDownload?: boolean;
  /** Server of models. Default `https://huggingface.co`. */
  readonly hub?: string;
  /** How long to wait for a connection to the hub before a download, in milliseconds. Default 900. */
  readonly connectTimeoutMs?: number;
  /** Specifier or `file:` URL of transformers.js. Default `@huggingface/transformers`. */
  readonly module?: string;
  /** Told of downloads and of the model being ready. */
  readonly onProgress?: (progress: ModelProgress) => void;
}

export const TRANSFORMERS = "@huggingface/transformers";
export const HUB = "https://huggingface.co";

export function defaultCacheDirectory(): string {
  return join(homedir(), ".cache", "docsearch", "models");
}
