import { DocsearchError } from "@docsearch/spec";

const PACKAGE = "@docsearch/embedder-static";

/** The error for a model that cannot be used. `problem` says what was found and what was expected. */
export function loadFailed(problem: string, cause?: unknown): DocsearchError<"BACKEND_LOAD_FAILED"> {
  return new DocsearchError(
    "BACKEND_LOAD_FAILED",
    `The static embedding model cannot be loaded: ${problem}. ` +
      "Give the folder of a whole model of format 1, or no folder for the model in the package.",
    { package: PACKAGE },
    cause === undefined ? undefined : { cause },
  );
}
