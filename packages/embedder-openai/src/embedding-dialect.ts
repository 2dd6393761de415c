import { withPath } from "./endpoint.js";
import { HttpFailure } from "./http-failure.js";

export interface EmbeddingRequest {
  readonly model: string;
  readonly texts: readonly string[];
  /** Length of vector to ask for; absent: the model's own. */
  readonly dimensions?: number;
}

/** One way in which servers take texts and give vectors. */
export interface EmbeddingDialect {
  /** Where requests go, from the URL that a user gives. */
  endpoint(base: URL): URL;
  body(request: EmbeddingRequest): unknown;
  /** One embedding for each text, in order, not decoded. Throws `HttpFailure` for a reply of another shape. */
  read(reply: unknown, texts: number): readonly unknown[];
}

const OPENAI: EmbeddingDialect = {
  endpoint(base) {
    if (base.pathname.endsWith("/embeddings")) return base;
    return withPath(base, base.pathname === "/" ? "/v1/embeddings" : "/embeddings");
  },
  body: ({ model, texts, dimensions }) => ({
    model,
    input: texts,
    encoding_format: "float",
    ...(dimensions !== undefined && { dimensions }),
  }),
  read(reply, texts) {
    const data = (reply as { readonly data?: unknown } | null)?.data;
    if (!Array.isArray(data)) throw misshapen('no array "data"');
    if (data.length !== texts) throw misshapen(`${data.length} vectors for ${texts} texts`);
    return inOrder(data as readonly OpenaiItem[]).map((item) => item?.embedding);
  },
};

const OLLAMA: EmbeddingDialect = {
  endpoint(base) {
    if (base.pathname.endsWith("/api/embed")) return base;
    return withPath(base, base.pathname.endsWith("/api") ? "/embed" : "/api/embed");
  },
  // Not cut silently by the server: what is cut has to be reported.
  body: ({ model, texts, dimensions }) => ({
    model,
    input: texts,
    truncate: false,
    ...(dimensions !== undefined && { dimensions }),
  }),
  read(reply, texts) {
    const embeddings = (reply as { readonly embeddings?: unknown } | null)?.embeddings;
    if (!Array.isArray(embeddings)) throw misshapen('no array "embeddings"');
    if (embeddings.length !== texts) throw misshapen(`${embeddings.length} vectors for ${texts} texts`);
    return embeddings;
  },
};

/** Ollama's own for a URL that ends in `/api` or `/api/embed`, else that of OpenAI, which Ollama has under `/v1`. */
export function embeddingDialect(base: URL): EmbeddingDialect {
  return /\/api(?:\/embed)?$/.test(base.pathname) ? OLLAMA : OPENAI;
}

interface OpenaiItem {
  readonly index?: unknown;
  readonly embedding?: unknown;
}

/** Items by `index`, since servers may answer in any order; as they stand where no item has one. */
function inOrder(items: readonly OpenaiItem[]): readonly (OpenaiItem | undefined)[] {
  if (items.every((item) => item?.index === undefined)) return items;
  const ordered = new Array<OpenaiItem | undefined>(items.length).fill(undefined);
  for (const item of items) {
    const index = item?.index;
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= items.length) {
      throw misshapen(`a vector with index ${String(index)} for ${items.length} texts`);
    }
    if (ordered[index as number] !== undefined) throw misshapen(`two vectors with index ${String(index)}`);
    ordered[index as number] = item;
  }
  return ordered;
}

function misshapen(what: string): HttpFailure {
  return new HttpFailure(`sent ${what}`, { status: 200, retryable: false });
}
