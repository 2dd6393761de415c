import type { EmbedderFactory, Env, Provider } from "@docsearch/spec";
import { choiceFrom, countFrom, prefixFrom, sourceFromEnv, textFrom } from "./env-options.js";
import { transformersEmbedder } from "./transformers-embedder.js";

/** Makes the embedder selectable by name. Downloads are told of on stderr. */
export const provider: Provider<"embedder"> = {
  specVersion: 1,
  kind: "embedder",
  name: "transformers",
  fromEnv(env: Env): EmbedderFactory {
    const model = textFrom(env, "DOCS_EMBEDDER_MODEL");
    const poolings = ["mean", "cls", "last", "sentence_embedding"] as const;
    const pooling = choiceFrom(env, "DOCS_EMBEDDER_POOLING", poolings);
    const queryPrefix = prefixFrom(env, "DOCS_EMBEDDER_QUERY_PREFIX");
    const documentPrefix = prefixFrom(env, "DOCS_EMBEDDER_DOCUMENT_PREFIX");
    const maxTokens = countFrom(env, "DOCS_EMBEDDER_MAX_TOKENS");
    return transformersEmbedder({
      ...sourceFromEnv(env),
      ...(model !== undefined && { model }),
      ...(pooling !== undefined && { pooling }),
      ...(queryPrefix !== undefined && { queryPrefix }),
      ...(documentPrefix !== undefined && { documentPrefix }),
      ...(maxTokens !== undefined && { maxTokens }),
    });
  },
};
