import {
  type CallOptions,
  DocsearchError,
  isBlankText,
  type Reranker,
  type RerankerFactory,
  type RerankRequest,
  type RerankResult,
} from "@docsearch/spec";
import { LocalModelRunner } from "./local-model.js";
import type { ModelSourceOptions } from "./model-source.js";
import { findModel, RERANKING_MODELS, type RerankingModel } from "./model-table.js";

const NAME = "transformers";

/**
 * A cross-encoder on this machine, run by @huggingface/transformers in a process of its own, which the first ranking
 * starts. Blank documents are not scored and rank behind all others.
 *
 * `load` rejects as that of `transformersEmbedder`; `rerank` with `RERANKER_FAILED`.
 */
export function transformersReranker(options: ModelSourceOptions = {}): RerankerFactory {
  return {
    specVersion: 1,
    name: NAME,
    async load(call: CallOptions = {}): Promise<Reranker> {
      call.signal?.throwIfAborted();
      const wanted = options.model ?? (RERANKING_MODELS[0] as RerankingModel).repository;
      const known = findModel(RERANKING_MODELS, wanted);
      const model = known?.repository ?? wanted;
      const runner = new LocalModelRunner({
        options,
        model,
        maxTokens: options.maxTokens ?? known?.maxTokens,
        task: { kind: "rerank" },
        parameters: known?.parameters,
        failed: (message, retryable, cause) =>
          new DocsearchError(
            "RERANKER_FAILED",
            `The reranker "${model}": ${message}`,
            { model, retryable },
            cause === undefined ? undefined : { cause },
          ),
        alternative: "set DOCS_RERANKER_BACKEND=none to search without a reranker",
        variable: "DOCS_RERANKER_MODEL",
      });
      return new TransformersReranker(`${NAME}/${await runner.identity()}`, runner);
    },
  };
}

class TransformersReranker implements Reranker {
  readonly specVersion = 1;
  readonly id: string;
  readonly #runner: LocalModelRunner;
  #isClosed = false;

  constructor(id: string, runner: LocalModelRunner) {
    this.id = id;
    this.#runner = runner;
  }

  async rerank({ query, documents, topN, signal }: RerankRequest): Promise<RerankResult> {
    signal?.throwIfAborted();
    this.#requireOpen();
    if (documents.length === 0 || topN === 0) return { ranking: [] };
    const sent = isBlankText(query) ? [] : documents.flatMap((text, index) => (isBlankText(text) ? [] : [index]));
    const scores = new Map<number, number>();
    if (sent.length > 0) {
      const texts = sent.map((index) => (documents[index] as string).toWellFormed());
      const { numbers } = await this.#run(query.toWellFormed(), texts, signal);
      sent.forEach((index, at) => {
        const score = numbers[at] as number;
        if (Number.isFinite(score)) scores.set(index, score);
      });
    }
    const ranking = documents
      .map((_, index) => ({ index, score: scores.get(index) ?? 0 }))
      .sort(
        (a, b) => b.score - a.score || Number(scores.has(b.index)) - Number(scores.has(a.index)) || a.index - b.index,
      );
    return { ranking: ranking.slice(0, topN) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#runner.close();
  }

  async #run(query: string, documents: readonly string[], signal: AbortSignal | undefined) {
    try {
      return await this.#runner.run({ kind: "rerank", query, documents }, signal);
    } finally {
      signal?.throwIfAborted();
      this.#requireOpen();
    }
  }

  #requireOpen(): void {
    if (!this.#isClosed) return;
    throw new DocsearchError("CLOSED", `The reranker "${NAME}" is closed. Load it again to rank with it.`, {
      name: NAME,
    });
  }
}
