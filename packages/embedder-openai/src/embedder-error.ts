import { DocsearchError } from "@docsearch/spec";
import { HttpFailure } from "./http-failure.js";

/** An error of the client as the package's own; anything else, such as an `AbortError`, as it is. */
export function embedderError(error: unknown, model: string, host: string): unknown {
  if (!(error instanceof HttpFailure)) return error;
  const { retryable } = error;
  const message = `The embedding model "${model}": ${host} ${error.message}${advice(error, "EMBEDDER")}`;
  return new DocsearchError("EMBEDDER_FAILED", message, { model, retryable }, { cause: error });
}

/** The same for a reranker. */
export function rerankerError(error: unknown, model: string, host: string): unknown {
  if (!(error instanceof HttpFailure)) return error;
  const { retryable } = error;
  const message = `The reranker "${model}": ${host} ${error.message}${advice(error, "RERANKER")}`;
  return new DocsearchError("RERANKER_FAILED", message, { model, retryable }, { cause: error });
}

/** The setting that mends it. */
function advice({ status, message }: HttpFailure, kind: "EMBEDDER" | "RERANKER"): string {
  if (status === 401 || status === 403) return `. Set DOCS_${kind}_API_KEY to a key that this server knows.`;
  if (status === 404) return `. Check DOCS_${kind}_URL and DOCS_${kind}_MODEL.`;
  if (status === 429) return ". Try later, or ask for less at a time.";
  if (message.startsWith("cannot be reached")) return `. Start the server, or set DOCS_${kind}_URL.`;
  return "";
}
