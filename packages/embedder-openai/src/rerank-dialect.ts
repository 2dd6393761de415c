import { withPath } from "./endpoint.js";
import { HttpFailure } from "./http-failure.js";

export type RerankDialectName = "cohere" | "jina" | "voyage" | "tei";

export interface RerankBody {
  readonly model: string;
  readonly query: string;
  readonly documents: readonly string[];
}

/** One way in which servers take documents and give scores. */
export interface RerankDialect {
  readonly url?: string;
  readonly model?: string;
  /** Most documents of a request. */
  readonly batchSize: number;
  /** Where requests go, from the URL that a user gives. */
  endpoint(base: URL): URL;
  body(request: RerankBody): unknown;
  /** Score of each document, in order. Throws `HttpFailure` for a reply of another shape. */
  read(reply: unknown, documents: number): readonly number[];
}

/** Every document's score is asked for: `topN` is taken here, where blank and cut documents are known. */
export const RERANK_DIALECTS: Readonly<Record<RerankDialectName, RerankDialect>> = {
  cohere: {
    url: "https://api.cohere.com/v2",
    model: "rerank-v3.5",
    batchSize: 1000,
    endpoint: (base) => rerankUrl(base, "/v2/rerank"),
    body: ({ model, query, documents }) => ({ model, query, documents }),
    read: (reply, documents) => scoresIn(reply, "results", "relevance_score", documents),
  },
  jina: {
    url: "https://api.jina.ai/v1",
    model: "jina-reranker-v2-base-multilingual",
    batchSize: 1000,
    endpoint: (base) => rerankUrl(base, "/v1/rerank"),
    body: ({ model, query, documents }) => ({ model, query, documents, return_documents: false }),
    read: (reply, documents) => scoresIn(reply, "results", "relevance_score", documents),
  },
  voyage: {
    url: "https://api.voyageai.com/v1",
    model: "rerank-2.5-lite",
    batchSize: 1000,
    endpoint: (base) => rerankUrl(base, "/v1/rerank"),
    body: ({ model, query, documents }) => ({ model, query, documents, return_documents: false, truncation: true }),
    read: (reply, documents) => scoresIn(reply, "data", "relevance_score", documents),
  },
  tei: {
    // The server has one model, and by default takes 32 texts at a time.
    model: "tei",
    batchSize: 32,
    endpoint: (base) => rerankUrl(base, "/rerank"),
    body: ({ query, documents }) => ({
      query,
      texts: documents,
      raw_scores: false,
      return_text: false,
      truncate: true,
    }),
    read: (reply, documents) => scoresIn({ reply }, "reply", "score", documents),
  },
};

function rerankUrl(base: URL, whole: string): URL {
  if (base.pathname.endsWith("/rerank")) return base;
  return withPath(base, base.pathname === "/" ? whole : "/rerank");
}

function scoresIn(reply: unknown, list: string, score: string, documents: number): readonly number[] {
  const items = (reply as Readonly<Record<string, unknown>> | null)?.[list];
  if (!Array.isArray(items)) throw misshapen(list === "reply" ? "no array" : `no array "${list}"`);
  if (items.length !== documents) throw misshapen(`${items.length} scores for ${documents} documents`);
  const scores = new Array<number | undefined>(documents).fill(undefined);
  for (const item of items as readonly (Readonly<Record<string, unknown>> | null)[]) {
    const { index, [score]: value } = item ?? {};
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= documents) {
      throw misshapen(`a score with index ${String(index)} for ${documents} documents`);
    }
    if (scores[index as number] !== undefined) throw misshapen(`two scores with index ${String(index)}`);
    if (!Number.isFinite(value)) throw misshapen(`the score ${String(value)}`);
    scores[index as number] = value as number;
  }
  return scores as number[];
}

function misshapen(what: string): HttpFailure {
  return new HttpFailure(`sent ${what}`, { status: 200, retryable: false });
}
