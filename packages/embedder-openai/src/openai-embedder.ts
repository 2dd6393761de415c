import {
  type CallOptions,
  DocsearchError,
  type Embedder,
  type EmbedderFactory,
  type EmbedResult,
} from "@docsearch/spec";
import { authorization } from "./api-key.js";
import { embedderError } from "./embedder-error.js";
import { embeddingDialect } from "./embedding-dialect.js";
import { EmbeddingRequests, type NoVector, type Outcome } from "./embedding-requests.js";
import { parseEndpoint } from "./endpoint.js";
import { JsonClient, type PostOptions } from "./json-client.js";
import { modelFacts } from "./model-table.js";
import { requireCount } from "./options.js";
import { type Preparation, prepareTexts } from "./prepare-texts.js";
import { type CountTokens, estimateTokens } from "./token-estimate.js";

const NAME = "openai";
const OPENAI_URL = "https://api.openai.com/v1";
const OPENAI_MODEL = "text-embedding-3-small";

export interface OpenaiEmbedderOptions {
  /**
   * The API: `https://api.openai.com/v1` (default), `http://localhost:11434/v1`, or the whole address of its
   * embeddings with its query. One that ends in `/api` or `/api/embed` is Ollama's own.
   */
  readonly url?: string;
  /** As the server calls it. Default at OpenAI: `text-embedding-3-small`; elsewhere it has no default. */
  readonly model?: string;
  /** Sent to the host of `url` alone, and in no message. Local servers need none. */
  readonly apiKey?: string;
  /** Length of the vectors to ask for. Default: the model's own. */
  readonly dimensions?: number;
  /** Put before each query and each document. Default: what the model was trained with, where its name is known. */
  readonly queryPrefix?: string;
  readonly documentPrefix?: string;
  /** Most tokens of a text; longer ones are cut and reported. Default: the model's, where its name is known. */
  readonly maxTokens?: number;
  /** Counts tokens exactly. Default: an estimate. */
  readonly countTokens?: CountTokens;
  /** Most texts in a request. Default 64. */
  readonly batchSize?: number;
  /** Most tokens in a request, estimated. Default 50,000. */
  readonly batchTokens?: number;
  /** Requests at a time. Default 2. */
  readonly concurrency?: number;
  /** Time of one try, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number;
  /** Time of a query, all its tries together, in milliseconds. Default 10,000. */
  readonly queryTimeoutMs?: number;
  /** Tries after the first of a request that failed and may succeed later; of a query at most 1. Default 3. */
  readonly maxRetries?: number;
  /** Whether texts and key may go to another machine unencrypted. Default false. */
  readonly allowHttp?: boolean;
  /** Told of a text that the server refuses while it takes others, or sends no usable vector for; it has none. */
  readonly onWarning?: (message: string) => void;
}

/**
 * A model behind any server that speaks OpenAI's or Ollama's protocol for embeddings. The factory checks its options
 * and sends nothing; `load` asks the server for a vector only where the vectors' length is not known.
 *
 * @throws `CONFIG_INVALID` for an option that makes no sense; `load` rejects with `EMBEDDER_FAILED`
 */
export function openaiEmbedder(options: OpenaiEmbedderOptions = {}): EmbedderFactory {
  const base = parseEndpoint(options.url ?? OPENAI_URL, { setting: "url", allowHttp: options.allowHttp ?? false });
  const model = options.model ?? (base.hostname === "api.openai.com" ? OPENAI_MODEL : undefined);
  if (model === undefined || model.trim() === "") {
    throw new DocsearchError("CONFIG_INVALID", `model is not set; ${base.host} needs one, set DOCS_EMBEDDER_MODEL`, {
      setting: "model",
      value: "",
      expected: "the name of a model of that server",
    });
  }
  const facts = modelFacts(model);
  const dialect = embeddingDialect(base);
  const url = dialect.endpoint(base);
  const { dimensions: asked, batchSize = 64, batchTokens = 50_000, concurrency = 2 } = options;
  const { timeoutMs = 60_000, queryTimeoutMs = 10_000, maxRetries = 3, countTokens = estimateTokens } = options;
  const maxTokens = options.maxTokens ?? facts.maxTokens;
  for (const [setting, value] of Object.entries({ batchSize, batchTokens, concurrency, timeoutMs, queryTimeoutMs })) {
    requireCount(setting, value);
  }
  if (asked !== undefined) requireCount("dimensions", asked);
  if (maxTokens !== undefined) requireCount("maxTokens", maxTokens);
  const queryPrefix = options.queryPrefix ?? facts.queryPrefix ?? "";
  const documentPrefix = options.documentPrefix ?? facts.documentPrefix ?? "";
  const client = new JsonClient({
    url,
    authorization: authorization(options.apiKey, url, "apiKey"),
    timeoutMs,
    maxRetries,
  });

  return {
    specVersion: 1,
    name: NAME,
    async load(call: CallOptions = {}): Promise<Embedder> {
      call.signal?.throwIfAborted();
      const requests = new EmbeddingRequests({
        client,
        dialect,
        model,
        askedDimensions: asked,
        isMatryoshka: asked !== undefined && facts.isMatryoshka === true,
        maxTexts: batchSize,
        maxTokens: batchTokens,
      });
      const dimensions = asked ?? facts.dimensions ?? (await probe(requests, model, url.host, call));
      return new OpenaiEmbedder({
        id: embedderId({ host: url.host, model, dimensions, queryPrefix, documentPrefix, maxTokens }),
        model,
        host: url.host,
        dimensions,
        maxBatchSize: batchSize,
        maxParallelCalls: concurrency,
        requests,
        query: { prefix: queryPrefix, maxTokens, countTokens },
        document: { prefix: documentPrefix, maxTokens, countTokens },
        queryTimeoutMs,
        onWarning: options.onWarning ?? (() => {}),
      });
    },
  };
}

async function probe(requests: EmbeddingRequests, model: string, host: string, call: CallOptions): Promise<number> {
  try {
    return await requests.askDimensions(call);
  } catch (error) {
    throw embedderError(error, model, host);
  }
}

interface Identity {
  readonly host: string;
  readonly model: string;
  readonly dimensions: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  readonly maxTokens: number | undefined;
}

/** Everything that changes a vector. */
function embedderId({ host, model, dimensions, queryPrefix, documentPrefix, maxTokens }: Identity): string {
  const parts = [NAME, host, model, String(dimensions)];
  if (queryPrefix !== "") parts.push(`query=${JSON.stringify(queryPrefix)}`);
  if (documentPrefix !== "") parts.push(`document=${JSON.stringify(documentPrefix)}`);
  if (maxTokens !== undefined) parts.push(`tokens=${maxTokens}`);
  return parts.join("/");
}

interface OpenaiEmbedderParts {
  readonly id: string;
  readonly model: string;
  readonly host: string;
  readonly dimensions: number;
  readonly maxBatchSize: number;
  readonly maxParallelCalls: number;
  readonly requests: EmbeddingRequests;
  readonly query: Preparation;
  readonly document: Preparation;
  readonly queryTimeoutMs: number;
  readonly onWarning: (message: string) => void;
}

class OpenaiEmbedder implements Embedder {
  readonly specVersion = 1;
  readonly id: string;
  readonly dimensions: number;
  readonly maxBatchSize: number;
  readonly maxParallelCalls: number;
  readonly #parts: OpenaiEmbedderParts;
  #isClosed = false;

  constructor(parts: OpenaiEmbedderParts) {
    this.id = parts.id;
    this.dimensions = parts.dimensions;
    this.maxBatchSize = parts.maxBatchSize;
    this.maxParallelCalls = parts.maxParallelCalls;
    this.#parts = parts;
  }

  embedDocuments(texts: readonly string[], call: CallOptions = {}): Promise<EmbedResult> {
    return this.#embed(texts, this.#parts.document, call, (outcomes) => this.#warnOfTexts(outcomes));
  }

  embedQuery(text: string, call: CallOptions = {}): Promise<EmbedResult> {
    // Somebody waits, and keywords answer without a vector.
    const options = { ...call, budgetMs: this.#parts.queryTimeoutMs, maxRetries: 1 };
    return this.#embed([text], this.#parts.query, options, ([missing]) => {
      throw missing!.failure;
    });
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return Promise.resolve();
  }

  /** `onMissing` is told of texts that have no vector though they are not blank, and may throw. */
  async #embed(
    texts: readonly string[],
    preparation: Preparation,
    call: PostOptions,
    onMissing: (missing: readonly NoVector[]) => void,
  ): Promise<EmbedResult> {
    call.signal?.throwIfAborted();
    this.#requireOpen();
    const { requests, model, host, dimensions } = this.#parts;
    try {
      const outcomes = await requests.embed(prepareTexts(texts, preparation), dimensions, call);
      this.#requireOpen();
      const missing = outcomes.filter((outcome) => "failure" in outcome);
      const refused = missing.find(({ isRefused }) => isRefused);
      // A server that takes no text at all is no use, whatever is wrong with each of them.
      if (missing.length === outcomes.length && refused !== undefined) throw refused.failure;
      if (missing.length > 0) onMissing(missing);
      return resultOf(texts.length, outcomes);
    } catch (error) {
      throw embedderError(error, model, host);
    }
  }

  #warnOfTexts(missing: readonly NoVector[]): void {
    const { host, onWarning } = this.#parts;
    const texts = missing.length === 1 ? "a text has" : `${missing.length} texts have`;
    onWarning(`${texts} no vector and will be found by words alone: ${host} ${missing[0]!.failure.message}`);
  }

  #requireOpen(): void {
    if (!this.#isClosed) return;
    throw new DocsearchError("CLOSED", `The embedder "${NAME}" is closed. Load it again to embed with it.`, {
      name: NAME,
    });
  }
}

function resultOf(count: number, outcomes: readonly Outcome[]): EmbedResult {
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  const truncated: number[] = [];
  for (const outcome of outcomes) {
    if ("failure" in outcome) continue;
    vectors[outcome.index] = outcome.vector;
    if (outcome.isCut) truncated.push(outcome.index);
  }
  return { vectors, truncated: truncated.sort((a, b) => a - b) };
}
