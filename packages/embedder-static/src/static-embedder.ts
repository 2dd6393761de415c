import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  type CallOptions,
  DocsearchError,
  type Embedder,
  type EmbedderFactory,
  type EmbedResult,
} from "@docsearch/spec";
import { loadStaticModel } from "./load-model.js";
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
 * `BACKEND_LOAD_FAILED` when a file of the model is missing or its size is wrong.
 *
 * A text without a letter or number that the model knows has no vector. No text is cut, whatever its length.
 */
export function staticEmbedder(options: StaticEmbedderOptions = {}): EmbedderFactory {
  return {
    specVersion: 1,
    name: NAME,
    async load(call: CallOptions = {}): Promise<Embedder> {
      call.signal?.throwIfAborted();
      const bundled = new URL("../data/", import.meta.url);
      const model = await loadStaticModel(options.directory ?? fileURLToPath(bundled));
      call.signal?.throwIfAborted();
      return new StaticEmbedder(model);
    },
  };
}

class StaticEmbedder implements Embedder {
  readonly specVersion = 1;
  readonly id: string;
  readonly dimensions: number;
  readonly maxBatchSize: number = MAX_BATCH_SIZE;
  readonly maxParallelCalls = 1;
  /** `undefined` once closed: the table's memory goes with it. */
  #model: StaticModel | undefined;

  constructor(model: StaticModel) {
    this.id = model.id;
    this.dimensions = model.dimensions;
    this.#model = model;
  }

  embedDocuments(texts: readonly string[], options: CallOptions = {}): Promise<EmbedResult> {
    return this.#embed(texts, "document", options);
  }

  embedQuery(text: string, options: CallOptions = {}): Promise<EmbedResult> {
    return this.#embed([text], "query", options);
  }

  close(): Promise<void> {
    this.#model = undefined;
    return Promise.resolve();
  }

  async #embed(texts: readonly string[], side: Side, options: CallOptions): Promise<EmbedResult> {
    const vectors: (Float32Array | undefined)[] = [];
    let characters = 0;
    for (const text of texts) {
      if (characters > TURN_CHARACTERS) {
        await setImmediate();
        characters = 0;
      }
      options.signal?.throwIfAborted();
      const model = this.#open();
      vectors.push(isMostlyLatin(text) ? model.embed(text, side) : undefined);
      characters += text.length;
    }
    options.signal?.throwIfAborted();
    this.#open();
    return { vectors, truncated: [] };
  }

  #open(): StaticModel {
    if (this.#model !== undefined) return this.#model;
    throw new DocsearchError("CLOSED", `The embedder "${NAME}" is closed. Load it again to embed with it.`, {
      name: NAME,
    });
  }
}
