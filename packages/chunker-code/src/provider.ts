import type { Provider } from "@docsearch/spec";
import { codeChunker } from "./code-chunker.js";

/** Makes the package selectable by name. It reads no settings from the environment. */
export const provider: Provider<"chunker"> = {
  specVersion: 1,
  kind: "chunker",
  name: "code",
  fromEnv: () => codeChunker(),
};
