import { DocsearchError, type Env, type Provider, type RerankerFactory } from "@docsearch/spec";
import { httpReranker } from "./http-reranker.js";
import { countFrom, defined, switchFrom, textFrom } from "./options.js";
import type { RerankDialectName } from "./rerank-dialect.js";

export { type HttpRerankerOptions, httpReranker } from "./http-reranker.js";
export type { RerankDialectName } from "./rerank-dialect.js";

/**
 * Makes the reranker selectable by name. Naming it alone is not enough: without a server of the user's choice or a key
 * queries and texts would go to a company that nobody named.
 */
export const provider: Provider<"reranker"> = {
  specVersion: 1,
  kind: "reranker",
  name: "http",
  fromEnv(env: Env): RerankerFactory {
    const url = textFrom(env, "DOCS_RERANKER_URL");
    const apiKey = textFrom(env, "DOCS_RERANKER_API_KEY");
    if (url === undefined && apiKey === undefined) throw needsServer();
    return httpReranker({
      ...defined({
        dialect: textFrom(env, "DOCS_RERANKER_DIALECT") as RerankDialectName | undefined,
        url,
        model: textFrom(env, "DOCS_RERANKER_MODEL"),
        apiKey,
        maxTokens: countFrom(env, "DOCS_RERANKER_MAX_TOKENS"),
        timeoutMs: countFrom(env, "DOCS_RERANKER_TIMEOUT_MS"),
      }),
      allowHttp: switchFrom(env, "DOCS_RERANKER_ALLOW_HTTP"),
    });
  },
};

function needsServer(): DocsearchError<"CONFIG_INVALID"> {
  const expected = "DOCS_RERANKER_URL, or DOCS_RERANKER_API_KEY for the server of the dialect's maker";
  return new DocsearchError("CONFIG_INVALID", `the reranker "http" has neither an address nor a key; set ${expected}`, {
    setting: "DOCS_RERANKER_URL",
    value: "",
    expected,
  });
}
