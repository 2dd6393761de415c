import { isDeepStrictEqual } from "node:util";
import { DocsearchError, type IndexSchema } from "@docsearch/spec";
import { REBUILD_COMMAND, schemaMismatch } from "@docsearch/store-kit";
import { activeSchema, type Generation, type StoredSpace } from "./generation.js";

/** Version of the tables and of what stands in them. */
export const FORMAT_VERSION = 2;

/** What is wrong with the index at hand for someone who wants another; `undefined` when it is the one. */
export function identityMismatch(
  generation: Generation,
  wanted: IndexSchema,
  place: string,
): DocsearchError | undefined {
  const stored = activeSchema(generation);
  return isDeepStrictEqual(stored, wanted) ? undefined : schemaMismatch(`in ${place}`, stored, wanted);
}

/**
 * The space that a store goes on in, whichever is the active one; `undefined` for a store without vectors.
 *
 * @param opened schema of the store
 * @throws `INDEX_MISMATCH` when the index is another one by now, or has no such space any more
 */
export function spaceOfStore(generation: Generation, opened: IndexSchema, place: string): StoredSpace | undefined {
  const { schema } = generation;
  const space = generation.spaces.find(({ embedding }) => isDeepStrictEqual(embedding, opened.embedding));
  const isThere = opened.embedding === null ? schema.embedding === null : space !== undefined;
  if (isThere && isDeepStrictEqual({ ...schema, embedding: null }, { ...opened, embedding: null })) return space;
  throw schemaMismatch(`in ${place}`, activeSchema(generation), opened);
}

export function formatMismatch(format: number, place: string): DocsearchError {
  const mend =
    format > FORMAT_VERSION ? "Use the version of docsearch that wrote it, or make it anew" : "Make the index anew";
  return new DocsearchError(
    "INDEX_FORMAT",
    `The index in ${place} has format ${format}; format ${FORMAT_VERSION} is asked for. ${mend}: ${REBUILD_COMMAND}`,
    { stored: `format ${format}`, supported: `format ${FORMAT_VERSION}`, command: REBUILD_COMMAND },
  );
}

export function indexMissing(place: string): DocsearchError {
  const command = "docsearch index";
  return new DocsearchError("INDEX_MISSING", `There is no index in ${place}. Make one: ${command}`, {
    location: place,
    command,
  });
}
