import {
  type CallOptions,
  DocsearchError,
  type Embedder,
  type EmbedderFactory,
  type EmbedResult,
  isBlankText,
} from "@docsearch/spec";
import { LocalModelRunner } from "./local-model.js";
import type { ModelSourceOptions } from "./model-source.js";
import { EMBEDDING_MODELS, type EmbeddingModel, findModel, type Pooling } from "./model-table.js";

const NAME = "transformers";
/** Enough for the worker to sort by length, and a small enough step for cancelling. */
const MAX_BATCH_SIZE = 32;

export interface TransformersEmbedderOptions extends ModelSourceOptions {
  /** How token vectors become one. Default: what the model was trained with; `mean` for an unknown one. */
  readonly pooling?: Pooling;
  /** Put before each query and each document. Default: what the model was trained with. */
  readonly queryPrefix?: string;
  readonly documentPrefix?: string;
}

/**
 * A transformer model on this machine, run by @huggingface/transformers in a process of its own. `load` reads what
 * the model is and starts nothing where the model is known; the first text starts it, and downloads it if need be.
 *
 * `load` rejects with `BACKEND_NOT_INSTALLED` or, for a folder that is no model, `BACKEND_LOAD_FAILED`; what the model
 * cannot do rejects with `EMBEDDER_FAILED`.
 */
export function transformersEmbedder(options: TransformersEmbedderOptions = {}): EmbedderFactory {
  return {
    specVersion: 1,
    name: NAME,
    async load(call: CallOptions = {}): Promise<Embedder> {
      call.signal?.throwIfAborted();
      const wanted = options.model ?? (EMBEDDING_MODELS[0] as EmbeddingModel).repository;
      const known = findModel(EMBEDDING_MODELS, wanted);
      const model = known?.repository ?? wanted;
      const pooling = options.pooling ?? known?.pooling ?? "mean";
      const maxTokens = options.maxTokens ?? known?.maxTokens;
      const runner = new LocalModelRunner({
        options,
        model,
        maxTokens,
        task: { kind: "embed", pooling },
        parameters: known?.parameters,
        failed: (message, retryable, cause) =>
          new DocsearchError(
            "EMBEDDER_FAILED",
            `The embedding model "${model}": ${message}`,
            { model, retryable },
            cause === undefined ? undefined : { cause },
          ),
        alternative: "set DOCS_EMBEDDER_BACKEND=static for the model that ships with docsearch",
        variable: "DOCS_EMBEDDER_MODEL",
      });
      try {
        const dimensions = known?.dimensions ?? (await runner.loaded()).dimensions;
        const queryPrefix = options.queryPrefix ?? known?.queryPrefix ?? "";
        const documentPrefix = options.documentPrefix ?? known?.documentPrefix ?? "";
        const parts = [NAME, await runner.identity(), pooling, String(dimensions)];
        if (queryPrefix !== "") parts.push(`query=${JSON.stringify(queryPrefix)}`);
        if (documentPrefix !== "") parts.push(`document=${JSON.stringify(documentPrefix)}`);
        if (maxTokens !== undefined) parts.push(`tokens=${maxTokens}`);
        call.signal?.throwIfAborted();
        return new TransformersEmbedder({
          id: parts.join("/"),
          model,
          dimensions,
          queryPrefix,
          documentPrefix,
          runner,
        });
      } catch (error) {
        await runner.close();
        throw error;
      }
    },
  };
}

interface TransformersEmbedderParts {
  readonly id: string;
  readonly model: string;
  readonly dimensions: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  readonly runner: LocalModelRunner;
}

class TransformersEmbedder implements Embedder {
  readonly specVersion = 1;
  readonly id: string;
  readonly dimensions: number;
  readonly maxBatchSize: number = MAX_BATCH_SIZE;
  readonly maxParallelCalls = 1;
  readonly #parts: TransformersEmbedderParts;
  #isClosed = false;

  constructor(parts: TransformersEmbedderParts) {
    this.id = parts.id;
    this.dimensions = parts.dimensions;
    this.#parts = parts;
  }

  embedDocuments(texts: readonly string[], call: CallOptions = {}): Promise<EmbedResult> {
    return this.#embed(texts, this.#parts.documentPrefix, call);
  }

  async embedQuery(text: string, call: CallOptions = {}): Promise<EmbedResult> {
    const result = await this.#embed([text], this.#parts.queryPrefix, call);
    if (result.vectors[0] === undefined && text.trim() !== "") this.#fail("it gave no usable vector for the query");
    return result;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#parts.runner.close();
  }

  async #embed(texts: readonly string[], prefix: string, { signal }: CallOptions): Promise<EmbedResult> {
    signal?.throwIfAborted();
    this.#requireOpen();
    const vectors = new Array<Float32Array | undefined>(texts.length).fill(undefined);
    const sent = texts.flatMap((text, index) => (isBlankText(text) ? [] : [index]));
    if (sent.length === 0) return { vectors, truncated: [] };
    const job = {
      kind: "embed",
      texts: sent.map((index) => prefix + (texts[index] as string).toWellFormed()),
    } as const;
    const { numbers, truncated } = await this.#run(job, signal);
    this.#requireLength(numbers.length / sent.length);
    for (const [at, index] of sent.entries()) {
      const vector = numbers.slice(at * this.dimensions, (at + 1) * this.dimensions);
      if (vector.some((value) => value !== 0)) vectors[index] = vector;
    }
    return { vectors, truncated: truncated.map((at) => sent[at] as number) };
  }

  async #run(job: Parameters<LocalModelRunner["run"]>[0], signal: AbortSignal | undefined) {
    try {
      return await this.#parts.runner.run(job, signal);
    } finally {
      // A job that ends because the embedder is closed says so.
      signal?.throwIfAborted();
      this.#requireOpen();
    }
  }

  #requireLength(length: number): void {
    if (length === this.dimensions) return;
    this.#fail(`it gave a vector of ${length} numbers where ${this.dimensions} were expected`);
  }

  #fail(message: string): never {
    const { model } = this.#parts;
    throw new DocsearchError("EMBEDDER_FAILED", `The embedding model "${model}": ${message}`, {
      model,
      retryable: false,
    });
  }

  #requireOpen(): void {
    if (!this.#isClosed) return;
    throw new DocsearchError("CLOSED", `The embedder "${NAME}" is closed. Load it again to embed with it.`, {
      name: NAME,
    });
  }
}
