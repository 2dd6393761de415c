import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  type CallOptions,
  DocsearchError,
  type Embedder,
  type EmbedderFactory,
  type EmbedResult,
} from "@docsearch/spec";
import { loadStaticModel, type ModelIdentity, readModelIdentity } from "./load-model.js";
import type { Side, StaticModel } from "./static-model.js";
import { isMostlyLatin } from "./writing.js";

const NAME = "static";
const MAX_BATCH_SIZE = 256;
/** After so many characters, some tens of milliseconds, a call lets timers, signals and other calls have their turn. */
const TURN_CHARACTERS = 1_000_000;

export interface StaticEmbedderOptions {
  /** Folder of a model in the package's format. Default: the model in the package. */
  readonly directory?: string;
}

/**
 * The embedding model in this package, or another of its format. Nothing is read before `load`, which rejects with
 * `BACKEND_LOAD_FAILED` when a file of the model is missing or its size is wrong. Of the model in the package it reads
 * only what the model is; the table comes with the first text, since many a process embeds none.
 *
 * A text without a letter or number that the model knows has no vector. No text is cut, whatever its length.
 */
export function staticEmbedder(options: StaticEmbedderOptions = {}): EmbedderFactory {
  return {
    specVersion: 1,
    name: NAME,
    async load(call: CallOptions = {}): Promise<Embedder> {
      call.signal?.throwIfAborted();
      const { directory } = options;
      const embedder = directory === undefined ? await bundledEmbedder() : await embedderOf(directory);
      call.signal?.throwIfAborted();
      return embedder;
    },
  };
}

async function bundledEmbedder(): Promise<Embedder> {
  const folder = fileURLToPath(new URL("../data/", import.meta.url));
  return new StaticEmbedder(await readModelIdentity(folder), () => loadStaticModel(folder));
}

async function embedderOf(directory: string): Promise<Embedder> {
  const model = await loadStaticModel(directory);
  return new StaticEmbedder(model, () => Promise.resolve(model));
}

class StaticEmbedder implements Embedder {
  readonly specVersion = 1;
  readonly id: string;
  readonly dimensions: number;
  readonly maxBatchSize: number = MAX_BATCH_SIZE;
  readonly maxParallelCalls = 1;
  /** Absent once closed: the table's memory goes with it. */
  #load: (() => Promise<StaticModel>) | undefined;
  #model: Promise<StaticModel> | undefined;

  constructor({ id, dimensions }: ModelIdentity, load: () => Promise<StaticModel>) {
    this.id = id;
    this.dimensions = dimensions;
    this.#load = load;
  }

  embedDocuments(texts: readonly string[], options: CallOptions = {}): Promise<EmbedResult> {
    return this.#embed(texts, "document", options);
  }

  embedQuery(text: string, options: CallOptions = {}): Promise<EmbedResult> {
    return this.#embed([text], "query", options);
  }

  async close(): Promise<void> {
    const model = this.#model;
    this.#load = undefined;
    this.#model = undefined;
    // A model that failed to load has nothing to close, and its caller has the error.
    (await model?.catch(() => undefined))?.close();
  }

  async #embed(texts: readonly string[], side: Side, options: CallOptions): Promise<EmbedResult> {
    const model = await this.#open();
    const vectors: (Float32Array | undefined)[] = [];
    let characters = 0;
    for (const text of texts) {
      if (characters > TURN_CHARACTERS) {
        await setImmediate();
        characters = 0;
      }
      options.signal?.throwIfAborted();
      this.#assertOpen();
      vectors.push(isMostlyLatin(text) ? model.embed(text, side) : undefined);
      characters += text.length;
    }
    options.signal?.throwIfAborted();
    this.#assertOpen();
    return { vectors, truncated: [] };
  }

  async #open(): Promise<StaticModel> {
    this.#assertOpen();
    this.#model ??= this.#load?.();
    return this.#model as Promise<StaticModel>;
  }

  #assertOpen(): void {
    if (this.#load !== undefined) return;
    throw new DocsearchError("CLOSED", `The embedder "${NAME}" is closed. Load it again to embed with it.`, {
      name: NAME,
    });
  }
}
