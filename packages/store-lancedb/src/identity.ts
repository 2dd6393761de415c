import { isDeepStrictEqual } from "node:util";
import { DocsearchError, type IndexSchema } from "@docsearch/spec";
import { REBUILD_COMMAND, schemaMismatch } from "@docsearch/store-kit";

/** Version of the tables and of what stands in them. */
export const FORMAT_VERSION = 1;

/** What is wrong with the index at hand for someone who wants another; `undefined` when it is the one. */
export function identityMismatch(stored: IndexSchema, wanted: IndexSchema, place: string): DocsearchError | undefined {
  if (isDeepStrictEqual(stored, wanted)) return undefined;
  return schemaMismatch(`in ${place}`, stored, wanted);
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
