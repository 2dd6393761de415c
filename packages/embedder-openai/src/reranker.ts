import type { Env, Provider, RerankerFactory } from "@docsearch/spec";
import { httpReranker } from "./http-reranker.js";
import { countFrom, defined, switchFrom, textFrom } from "./options.js";
import type { RerankDialectName } from "./rerank-dialect.js";

export { type HttpRerankerOptions, httpReranker } from "./http-reranker.js";
export type { RerankDialectName } from "./rerank-dialect.js";

/** Makes the reranker selectable by name. */
export const provider: Provider<"reranker"> = {
  specVersion: 1,
  kind: "reranker",
  name: "http",
  fromEnv(env: Env): RerankerFactory {
    return httpReranker({
      ...defined({
        dialect: textFrom(env, "DOCS_RERANKER_DIALECT") as RerankDialectName | undefined,
        url: textFrom(env, "DOCS_RERANKER_URL"),
        model: textFrom(env, "DOCS_RERANKER_MODEL"),
        apiKey: textFrom(env, "DOCS_RERANKER_API_KEY"),
        maxTokens: countFrom(env, "DOCS_RERANKER_MAX_TOKENS"),
        timeoutMs: countFrom(env, "DOCS_RERANKER_TIMEOUT_MS"),
      }),
      allowHttp: switchFrom(env, "DOCS_RERANKER_ALLOW_HTTP"),
    });
  },
};
