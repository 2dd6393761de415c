import { DocsearchError, type EmbedResult } from "@docsearch/spec";

/** @throws `EMBEDDER_FAILED` unless there is one vector, or none, for each text: else nobody knows which belongs to which */
export function assertOneForEach({ vectors }: EmbedResult, texts: readonly string[], model: string): void {
  if (vectors.length === texts.length) return;
  throw new DocsearchError(
    "EMBEDDER_FAILED",
    `the embedder ${model} returned ${vectors.length} vectors for ${texts.length} texts`,
    { model, retryable: true },
  );
}
