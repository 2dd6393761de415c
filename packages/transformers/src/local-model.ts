import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { DocsearchError } from "@docsearch/spec";
import type { Job, JobResult, Loaded, LoadRequest } from "./messages.js";
import {
  hasModelFiles,
  type LocalModel,
  localModel,
  missingFiles,
  modelFingerprint,
  requireModelFiles,
} from "./model-files.js";
import { defaultCacheDirectory, HUB, type ModelSourceOptions, TRANSFORMERS } from "./model-source.js";
import { ModelWorker, WorkerError } from "./model-worker.js";
import { unreachableReason } from "./reachable.js";

const PACKAGE = "@docsearch/transformers";
const VERSION = "4.3.1";
/** After a failed connection the hub is not tried again for so long: each search would wait for it. */
const OFFLINE_MS = 30_000;

export interface LocalModelParts {
  readonly options: ModelSourceOptions;
  /** Repository on the hub, or a folder. */
  readonly model: string;
  readonly maxTokens: number | undefined;
  readonly task: LoadRequest["task"];
  /** Millions of weights; absent for an unknown model. */
  readonly parameters: number | undefined;
  /** Errors of the model's work. `retryable` when a second try may succeed. */
  readonly failed: (message: string, retryable: boolean, cause?: unknown) => Error;
  /** What to do without this model. */
  readonly alternative: string;
  readonly variable: string;
}

/** A model on this machine, in a worker that is started when the first job comes. */
export class LocalModelRunner {
  readonly #parts: LocalModelParts;
  readonly #local: LocalModel | undefined;
  #worker: ModelWorker | undefined;
  #starting: Promise<ModelWorker> | undefined;
  #offline: { readonly error: Error; readonly until: number } | undefined;
  #isClosed = false;

  constructor(parts: LocalModelParts) {
    this.#parts = parts;
    this.#local = localModel(parts.model);
    requireTransformers(parts.options.module ?? TRANSFORMERS);
    if (this.#local !== undefined) requireModelFiles(this.#local.folder, this.dtype, PACKAGE);
  }

  get dtype(): string {
    return this.#parts.options.dtype ?? "q8";
  }

  /** What names the model and its version in an id. */
  async identity(): Promise<string> {
    const { options, model } = this.#parts;
    if (this.#local !== undefined) {
      return `${this.#local.name}@${await modelFingerprint(this.#local.folder, this.dtype)}/${this.dtype}`;
    }
    return `${model}@${options.revision ?? "main"}/${this.dtype}`;
  }

  /** Starts the worker if need be. */
  async loaded(): Promise<Loaded> {
    return (await this.#start()).loaded;
  }

  async run(job: Job, signal: AbortSignal | undefined): Promise<JobResult> {
    const worker = await abortable(this.#start(), signal);
    try {
      return await worker.run(job, signal);
    } catch (error) {
      throw this.#translated(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#starting?.catch(() => {});
    await this.#worker?.close();
  }

  async #start(): Promise<ModelWorker> {
    if (this.#worker !== undefined && !this.#worker.hasEnded) return this.#worker;
    this.#starting ??= this.#startAnew().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #startAnew(): Promise<ModelWorker> {
    const { options, model, task, maxTokens, parameters } = this.#parts;
    const request: LoadRequest = {
      module: options.module ?? TRANSFORMERS,
      name: this.#local?.name ?? model,
      ...(this.#local !== undefined && { localFolder: this.#local.parent }),
      cacheDir: options.cacheDirectory ?? defaultCacheDirectory(),
      remoteHost: `${(options.hub ?? HUB).replace(/\/+$/, "")}/`,
      allowDownload: options.allowDownload ?? true,
      revision: options.revision ?? "main",
      dtype: this.dtype,
      device: options.device ?? "cpu",
      threads: options.threads ?? defaultThreads(availableParallelism()),
      ...(maxTokens !== undefined && { maxTokens }),
      task,
    };
    const isDownload = this.#local === undefined && !hasModelFiles(this.#cacheFolder(request), this.dtype);
    if (isDownload) {
      await this.#requireHub(request);
      options.onProgress?.({
        type: "download",
        model,
        from: request.remoteHost,
        to: this.#cacheFolder(request),
        ...(parameters !== undefined && { bytes: parameters * 1e6 * bytesPerWeight(this.dtype) }),
      });
    }
    const begin = performance.now();
    const worker = new ModelWorker(request, (file) => {
      if (isDownload) options.onProgress?.(file);
    });
    this.#worker = worker;
    try {
      await worker.loaded;
    } catch (error) {
      await worker.close();
      throw this.#translated(error, isDownload ? this.#lacking(request) : "");
    }
    if (this.#isClosed) await worker.close();
    options.onProgress?.({ type: "ready", model, milliseconds: performance.now() - begin });
    return worker;
  }

  #cacheFolder({ cacheDir, name, revision }: LoadRequest): string {
    return revision === "main" ? join(cacheDir, name) : join(cacheDir, name, revision);
  }

  /** Rejects when the model would have to be downloaded and cannot be: at once, not after the tries of a download. */
  async #requireHub(request: LoadRequest): Promise<void> {
    const { options, model, alternative, variable, failed, parameters } = this.#parts;
    if (this.#offline !== undefined && performance.now() < this.#offline.until) throw this.#offline.error;
    const timeoutMs = options.connectTimeoutMs ?? 900;
    const reason = request.allowDownload ? await unreachableReason(request.remoteHost, timeoutMs) : "downloads are off";
    if (reason === undefined) return;
    const folder = this.#cacheFolder(request);
    const size = parameters === undefined ? "" : ` (about ${megabytes(parameters, this.dtype)} MB)`;
    const error = failed(
      `it is not in ${request.cacheDir} and cannot be downloaded from ${request.remoteHost}: ${reason}. Three ways out: ` +
        `(1) allow a connection once${size}, the model stays; ` +
        `(2) copy the folder of ${model} from another machine to ${folder}, or set ${variable} to a folder of yours; ` +
        `(3) ${alternative}`,
      false,
    );
    this.#offline = { error, until: performance.now() + OFFLINE_MS };
    throw error;
  }

  /** What a download has not brought; transformers.js does not say it of a model that the hub does not know. */
  #lacking(request: LoadRequest): string {
    const missing = missingFiles(this.#cacheFolder(request), this.dtype);
    if (missing.length === 0) return "";
    return (
      `. ${request.remoteHost} did not give ${missing.join(", ")}: check the name in ${this.#parts.variable} and the ` +
      "number format in DOCS_MODEL_DTYPE; a model that asks for a login needs HF_TOKEN"
    );
  }

  #translated(error: unknown, hint = ""): unknown {
    if (!(error instanceof WorkerError)) return error;
    const { stage, message } = error;
    const name = this.#parts.options.module ?? TRANSFORMERS;
    if (stage === "missing") return notInstalled(name);
    if (stage === "module") {
      return new DocsearchError("BACKEND_LOAD_FAILED", `${name} is there but did not load: ${message}`, {
        package: name,
      });
    }
    const what = stage === "model" ? `it did not load: ${message.replace(/\.$/, "")}${hint}` : message;
    return this.#parts.failed(what, stage === "ended", error);
  }
}

/** Throws `BACKEND_NOT_INSTALLED` when transformers.js cannot be found from here. Nothing is loaded. */
function requireTransformers(specifier: string): void {
  if (specifier.startsWith("file:")) return;
  try {
    createRequire(import.meta.url).resolve(specifier);
  } catch {
    throw notInstalled(specifier);
  }
}

function notInstalled(specifier: string): DocsearchError<"BACKEND_NOT_INSTALLED"> {
  const install = `npm install ${specifier}${specifier === TRANSFORMERS ? `@${VERSION}` : ""}`;
  return new DocsearchError(
    "BACKEND_NOT_INSTALLED",
    `${PACKAGE} runs models with ${specifier}, which is not installed beside it; run: ${install}`,
    { package: specifier, install },
  );
}

/** Logical processors come in pairs on most machines, and a model gains nothing from the second of a pair. */
export function defaultThreads(processors: number): number {
  return processors <= 2 ? processors : Math.min(8, processors >> 1);
}

function bytesPerWeight(dtype: string): number {
  if (dtype === "fp32") return 4;
  if (dtype === "fp16") return 2;
  return dtype.startsWith("q4") || dtype === "bnb4" ? 0.6 : 1;
}

function megabytes(parameters: number, dtype: string): number {
  return Math.ceil(parameters * bytesPerWeight(dtype));
}

/** Loading goes on for whoever comes next; the caller no longer waits. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
