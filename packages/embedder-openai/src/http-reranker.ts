import {
  type CallOptions,
  DocsearchError,
  isBlankText,
  type Reranker,
  type RerankerFactory,
  type RerankRequest,
  type RerankResult,
} from "@docsearch/spec";
import { authorization } from "./api-key.js";
import { rerankerError } from "./embedder-error.js";
import { parseEndpoint } from "./endpoint.js";
import { JsonClient } from "./json-client.js";
import { requireCount } from "./options.js";
import { RERANK_DIALECTS, type RerankDialect, type RerankDialectName } from "./rerank-dialect.js";
import { type CountTokens, cutToTokens, estimateTokens } from "./token-estimate.js";

const NAME = "http";

export interface HttpRerankerOptions {
  /** Protocol of the server. Default `cohere`. */
  readonly dialect?: RerankDialectName;
  /** The API, or the whole address of its reranking. Default: that of the dialect's maker; `tei` has none. */
  readonly url?: string;
  /** Default: `rerank-v3.5`, `jina-reranker-v2-base-multilingual`, `rerank-2.5-lite`. */
  readonly model?: string;
  /** Sent to the host of `url` alone, and in no message. */
  readonly apiKey?: string;
  /** Most tokens of query and document together; longer documents are cut. Default 4,096. */
  readonly maxTokens?: number;
  /** Counts tokens exactly. Default: an estimate. */
  readonly countTokens?: CountTokens;
  /** Most documents in a request. Default 1,000; 32 for `tei`. */
  readonly batchSize?: number;
  /** Time of a ranking, all requests and tries together, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
  /** Tries after the first of a request that failed and may succeed later. Default 1. */
  readonly maxRetries?: number;
  /** Whether texts and key may go to another machine unencrypted. Default false. */
  readonly allowHttp?: boolean;
}

/**
 * A cross-encoder behind a server that speaks the protocol of Cohere, Jina, Voyage or Text Embeddings Inference. The
 * factory checks its options; nothing is sent before `rerank`. Blank documents are not sent and rank behind all others.
 *
 * @throws `CONFIG_INVALID` for an option that makes no sense; `rerank` rejects with `RERANKER_FAILED`
 */
export function httpReranker(options: HttpRerankerOptions = {}): RerankerFactory {
  const name = options.dialect ?? "cohere";
  const dialect = RERANK_DIALECTS[name];
  if (dialect === undefined) throw invalid("dialect", name, `one of ${Object.keys(RERANK_DIALECTS).join(", ")}`);
  const given = options.url ?? dialect.url;
  if (given === undefined) throw invalid("url", "", "the URL of the server, such as http://localhost:8080");
  const url = dialect.endpoint(parseEndpoint(given, { setting: "url", allowHttp: options.allowHttp ?? false }));
  const { batchSize = dialect.batchSize, maxTokens = 4096, timeoutMs = 10_000, maxRetries = 1 } = options;
  for (const [setting, value] of Object.entries({ batchSize, maxTokens, timeoutMs })) requireCount(setting, value);
  const client = new JsonClient({
    url,
    authorization: authorization(options.apiKey, url, "apiKey"),
    timeoutMs,
    maxRetries,
  });
  return {
    specVersion: 1,
    name: NAME,
    async load(call: CallOptions = {}): Promise<Reranker> {
      call.signal?.throwIfAborted();
      const model = options.model ?? (dialect.model as string);
      return new HttpReranker({
        id: `${name}/${url.host}/${model}`,
        dialect,
        client,
        host: url.host,
        model,
        batchSize,
        maxTokens,
        timeoutMs,
        countTokens: options.countTokens ?? estimateTokens,
      });
    },
  };
}

interface HttpRerankerParts {
  readonly id: string;
  readonly dialect: RerankDialect;
  readonly client: JsonClient;
  readonly host: string;
  readonly model: string;
  readonly batchSize: number;
  readonly maxTokens: number;
  readonly timeoutMs: number;
  readonly countTokens: CountTokens;
}

/** Models put three tokens around and between query and document. */
const SPECIAL_TOKENS = 3;

class HttpReranker implements Reranker {
  readonly specVersion = 1;
  readonly id: string;
  readonly #parts: HttpRerankerParts;
  #isClosed = false;

  constructor(parts: HttpRerankerParts) {
    this.id = parts.id;
    this.#parts = parts;
  }

  async rerank({ query, documents, topN, signal }: RerankRequest): Promise<RerankResult> {
    signal?.throwIfAborted();
    this.#requireOpen();
    if (documents.length === 0 || topN === 0) return { ranking: [] };
    const { maxTokens, countTokens, batchSize, host, model } = this.#parts;
    const shortQuery = cutToTokens(query.toWellFormed(), Math.max(1, maxTokens >> 1), countTokens);
    const room = Math.max(1, maxTokens - SPECIAL_TOKENS - countTokens(shortQuery));
    const sent = isBlankText(query) ? [] : documents.flatMap((text, index) => (isBlankText(text) ? [] : [index]));
    const scores = new Map<number, number>();
    const end = performance.now() + this.#parts.timeoutMs;
    try {
      for (let start = 0; start < sent.length; start += batchSize) {
        const batch = sent.slice(start, start + batchSize);
        const texts = batch.map((index) => cutToTokens((documents[index] as string).toWellFormed(), room, countTokens));
        const call = { budgetMs: end - performance.now(), ...(signal !== undefined && { signal }) };
        const batchScores = await this.#score(shortQuery, texts, call);
        batch.forEach((index, at) => {
          scores.set(index, batchScores[at] as number);
        });
      }
      this.#requireOpen();
    } catch (error) {
      throw rerankerError(error, model, host);
    }
    return { ranking: ranked(documents.length, scores).slice(0, topN) };
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return Promise.resolve();
  }

  #score(
    query: string,
    documents: readonly string[],
    call: CallOptions & { readonly budgetMs: number },
  ): Promise<readonly number[]> {
    const { client, dialect, model } = this.#parts;
    return client.post(
      dialect.body({ model, query, documents }),
      (reply) => dialect.read(reply, documents.length),
      call,
    );
  }

  #requireOpen(): void {
    if (!this.#isClosed) return;
    throw new DocsearchError("CLOSED", `The reranker "${NAME}" is closed. Load it again to rank with it.`, {
      name: NAME,
    });
  }
}

/** All documents, best first; those without a score last, in order. */
function ranked(documents: number, scores: ReadonlyMap<number, number>): { index: number; score: number }[] {
  const least = Math.min(0, ...scores.values());
  return Array.from({ length: documents }, (_, index) => ({ index, score: scores.get(index) ?? least })).sort(
    (a, b) => b.score - a.score || Number(scores.has(b.index)) - Number(scores.has(a.index)) || a.index - b.index,
  );
}

function invalid(setting: string, value: string, expected: string): DocsearchError<"CONFIG_INVALID"> {
  return new DocsearchError("CONFIG_INVALID", `${setting} is "${value}"; expected ${expected}`, {
    setting,
    value,
    expected,
  });
}
