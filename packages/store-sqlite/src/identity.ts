import { isDeepStrictEqual } from "node:util";
import { DocsearchError } from "@docsearch/spec";
import { REBUILD_COMMAND, schemaMismatch } from "@docsearch/store-kit";
import type { Connection } from "./driver.js";
import { type Identity, readIdentity } from "./meta.js";
import { describeLayout, FORMAT_VERSION, SPACES_FORMAT_VERSION } from "./schema.js";
import { readSpaces } from "./space-table.js";

/** Throws when the index at hand is not the one that is wanted. */
export function assertIdentity(connection: Connection, path: string, wanted: Identity): void {
  const error = identityMismatch(connection, path, wanted);
  if (error !== undefined) throw error;
}

/** Whether the tables are those of this version. */
export function isOfThisFormat(connection: Connection): boolean {
  const format = readFormat(connection);
  return format === FORMAT_VERSION || format === SPACES_FORMAT_VERSION;
}

/**
 * Throws when the index at hand no longer is the one that was opened, in the space that was opened. Which space is the
 * active one does not matter. Call it in a transaction.
 *
 * @param space number of the space; `undefined` in a store without vectors
 */
export function assertStillThere(
  connection: Connection,
  path: string,
  opened: Identity,
  space: number | undefined,
): void {
  if (!isOfThisFormat(connection) || !isSpaceThere(connection, opened, space)) assertIdentity(connection, path, opened);
}

function isSpaceThere(connection: Connection, { schema, layout }: Identity, space: number | undefined): boolean {
  const stored = readIdentity(connection);
  if (!isDeepStrictEqual({ ...stored.schema, embedding: null }, { ...schema, embedding: null })) return false;
  if (stored.layout.lexical !== layout.lexical || layout.vector === "vec0") return false;
  const spaces = readSpaces(connection);
  // An index that began without vectors has no space of the number 0.
  if (space === undefined)
    return schema.embedding === null && stored.layout.vector !== "vec0" && !spaces.some(({ number }) => number === 0);
  return spaces.some(({ number, embedding }) => number === space && isDeepStrictEqual(embedding, schema.embedding));
}

/** What is wrong with the index at hand for someone who wants another; `undefined` when it is the one. */
export function identityMismatch(connection: Connection, path: string, wanted: Identity): DocsearchError | undefined {
  const format = readFormat(connection);
  if (!isOfThisFormat(connection)) {
    return formatError(path, `format ${format}`, `format ${FORMAT_VERSION}`);
  }
  const stored = readIdentity(connection);
  if (!isDeepStrictEqual(stored.schema, wanted.schema)) {
    return schemaMismatch(`at ${path}`, stored.schema, wanted.schema);
  }
  if (isDeepStrictEqual(stored.layout, wanted.layout)) return undefined;
  return formatError(path, describeLayout(format, stored.layout), describeLayout(format, wanted.layout));
}

function readFormat(connection: Connection): number {
  return connection.prepare<{ user_version: number }>("PRAGMA user_version").get()!.user_version;
}

function formatError(path: string, stored: string, supported: string): DocsearchError {
  return new DocsearchError(
    "INDEX_FORMAT",
    `The index at ${path} has ${stored}; ${supported} is asked for. Use the options that it was made with, or make it anew: ${REBUILD_COMMAND}`,
    { stored, supported, command: REBUILD_COMMAND },
  );
}
