import { type CallOptions, type Embedder, type EmbeddingWrite, isDocsearchError } from "@docsearch/spec";
import { assertOneForEach } from "./vector-count.js";
import { vectorFault } from "./vector-fault.js";

/** What became of a text. */
export type EmbedOutcome = EmbeddingWrite | { readonly kind: "failed"; readonly error: unknown };

/** Texts that may fail by themselves, one after the other, before the embedder is taken to be gone. */
const PATIENCE = 3;

/** Embeds texts in batches, as many at a time as the model takes. */
export class BatchEmbedder {
  readonly #embedder: Embedder | null;
  readonly #call: CallOptions;
  readonly #cut = new Set<string>();
  #failures = 0;
  #hasSucceeded = false;

  constructor(embedder: Embedder | null, call: CallOptions) {
    this.#embedder = embedder;
    this.#call = call;
  }

  /**
   * Vectors by text; equal texts are embedded once. A batch that fails is halved until the texts are found that fail;
   * the call rejects when the model is gone: after three texts in a row, or at once when it refuses the first batch for
   * good. A vector that cannot be compared counts as a text that failed, and costs no other its vector.
   */
  async embed(texts: readonly (string | undefined)[]): Promise<ReadonlyMap<string, EmbedOutcome>> {
    const embedder = this.#embedder;
    const outcomes = new Map<string, EmbedOutcome>();
    if (embedder === null) return outcomes;
    const all = [...new Set(texts.filter((text) => text !== undefined))];
    const batches: string[][] = [];
    for (let start = 0; start < all.length; start += embedder.maxBatchSize) {
      batches.push(all.slice(start, start + embedder.maxBatchSize));
    }
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < batches.length) {
        const batch = batches[next++] as string[];
        await this.#embedBatch(embedder, batch, outcomes);
      }
    };
    await Promise.all(Array.from({ length: Math.max(1, embedder.maxParallelCalls) }, worker));
    return outcomes;
  }

  /** Whether the model had to cut this text. */
  isCut(text: string): boolean {
    return this.#cut.has(text);
  }

  async #embedBatch(embedder: Embedder, batch: readonly string[], outcomes: Map<string, EmbedOutcome>): Promise<void> {
    try {
      const result = await embedder.embedDocuments(batch, this.#call);
      assertOneForEach(result, batch, embedder.id);
      const { vectors, truncated } = result;
      batch.forEach((text, index) => {
        outcomes.set(text, outcomeOf(vectors[index], embedder.dimensions));
      });
      for (const index of truncated) this.#cut.add(batch[index] as string);
      this.#failures = 0;
      this.#hasSucceeded = true;
    } catch (error) {
      this.#call.signal?.throwIfAborted();
      if (!this.#hasSucceeded && isHopeless(error)) throw error;
      if (batch.length > 1) {
        const middle = batch.length >> 1;
        await this.#embedBatch(embedder, batch.slice(0, middle), outcomes);
        await this.#embedBatch(embedder, batch.slice(middle), outcomes);
        return;
      }
      if (++this.#failures >= PATIENCE) throw error;
      outcomes.set(batch[0] as string, { kind: "failed", error });
    }
  }
}

function outcomeOf(vector: Float32Array | undefined, dimensions: number): EmbedOutcome {
  if (vector === undefined) return { kind: "none" };
  const error = vectorFault(vector, dimensions);
  return error === undefined ? { kind: "vector", vector } : { kind: "failed", error };
}

/** Whether trying again is no use: a wrong key, a package that is not there, a text that is refused. */
function isHopeless(error: unknown): boolean {
  if (isDocsearchError(error, "EMBEDDER_FAILED")) return !error.details.retryable;
  return isDocsearchError(error, "BACKEND_LOAD_FAILED") || isDocsearchError(error, "BACKEND_NOT_INSTALLED");
}
