import { DocsearchError, type EmbedderFactory, type Env, type Provider } from "@docsearch/spec";
import { openaiEmbedder } from "./openai-embedder.js";
import { countFrom, defined, prefixFrom, switchFrom, textFrom } from "./options.js";

/**
 * Makes the embedder selectable by name. The key is `DOCS_EMBEDDER_API_KEY`; at OpenAI itself `OPENAI_API_KEY` does as
 * well, which no other server is sent. Naming it alone is not enough: OpenAI takes no text without a key.
 */
export const provider: Provider<"embedder"> = {
  specVersion: 1,
  kind: "embedder",
  name: "openai",
  fromEnv(env: Env): EmbedderFactory {
    const url = textFrom(env, "DOCS_EMBEDDER_URL");
    const apiKey = textFrom(env, "DOCS_EMBEDDER_API_KEY");
    const openaiKey = textFrom(env, "OPENAI_API_KEY");
    if (url === undefined && apiKey === undefined && openaiKey === undefined) throw needsServer();
    const isOpenai = url === undefined || (URL.canParse(url) && new URL(url).host === "api.openai.com");
    return openaiEmbedder({
      ...defined({
        url,
        model: textFrom(env, "DOCS_EMBEDDER_MODEL"),
        apiKey: apiKey ?? (isOpenai ? openaiKey : undefined),
        dimensions: countFrom(env, "DOCS_EMBEDDER_DIMENSIONS"),
        queryPrefix: prefixFrom(env, "DOCS_EMBEDDER_QUERY_PREFIX"),
        documentPrefix: prefixFrom(env, "DOCS_EMBEDDER_DOCUMENT_PREFIX"),
        maxTokens: countFrom(env, "DOCS_EMBEDDER_MAX_TOKENS"),
        batchSize: countFrom(env, "DOCS_EMBEDDER_BATCH_SIZE"),
        concurrency: countFrom(env, "DOCS_EMBEDDER_CONCURRENCY"),
        timeoutMs: countFrom(env, "DOCS_EMBEDDER_TIMEOUT_MS"),
      }),
      allowHttp: switchFrom(env, "DOCS_EMBEDDER_ALLOW_HTTP"),
      onWarning: (message) => process.emitWarning(message, "DocsearchWarning"),
    });
  },
};

function needsServer(): DocsearchError<"CONFIG_INVALID"> {
  const expected = "DOCS_EMBEDDER_URL, or DOCS_EMBEDDER_API_KEY (or OPENAI_API_KEY) for the server of OpenAI";
  return new DocsearchError(
    "CONFIG_INVALID",
    `the embedder "openai" has neither an address nor a key; set ${expected}`,
    {
      setting: "DOCS_EMBEDDER_URL",
      value: "",
      expected,
    },
  );
}
