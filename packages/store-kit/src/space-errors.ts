import { DocsearchError, type SpaceEmbedding } from "@docsearch/spec";

/** @param known the spaces that the index has */
export function spaceNotFound(
  embedderId: string,
  known: readonly { readonly embedding: SpaceEmbedding }[],
): DocsearchError<"NOT_FOUND"> {
  const ids = known.map(({ embedding }) => embedding.id).join(", ") || "none";
  return new DocsearchError("NOT_FOUND", `the index has no vectors of ${embedderId}; it has those of: ${ids}`, {
    what: "vector space",
    name: embedderId,
  });
}

/** The space that is to be dropped is the one that the index answers with. */
export function activeSpaceDropped(embedderId: string): DocsearchError<"UNSUPPORTED"> {
  const message = `the index answers with the vectors of ${embedderId}; make another space the active one first`;
  return new DocsearchError("UNSUPPORTED", message, { operation: "drop" });
}
