import type { EmbedderFactory, Env, Provider } from "@docsearch/spec";
import { staticEmbedder } from "./static-embedder.js";

/** Makes the embedder selectable by name. `DOCS_EMBEDDER_MODEL`, if set and not empty, is the folder of a model. */
export const provider: Provider<"embedder"> = {
  specVersion: 1,
  kind: "embedder",
  name: "static",
  fromEnv(env: Env): EmbedderFactory {
    const directory = env.DOCS_EMBEDDER_MODEL;
    return directory ? staticEmbedder({ directory }) : staticEmbedder();
  },
};
