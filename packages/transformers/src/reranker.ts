import type { Env, Provider, RerankerFactory } from "@docsearch/spec";
import { countFrom, sourceFromEnv, textFrom } from "./env-options.js";
import { transformersReranker } from "./transformers-reranker.js";

export type { ModelProgress, ModelSourceOptions } from "./model-source.js";
export { transformersReranker } from "./transformers-reranker.js";

/** Makes the reranker selectable by name. Downloads are told of on stderr. */
export const provider: Provider<"reranker"> = {
  specVersion: 1,
  kind: "reranker",
  name: "transformers",
  fromEnv(env: Env): RerankerFactory {
    const model = textFrom(env, "DOCS_RERANKER_MODEL");
    const maxTokens = countFrom(env, "DOCS_RERANKER_MAX_TOKENS");
    return transformersReranker({
      ...sourceFromEnv(env),
      ...(model !== undefined && { model }),
      ...(maxTokens !== undefined && { maxTokens }),
    });
  },
};
