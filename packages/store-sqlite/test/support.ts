import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IndexSchema, OpenOptions, VectorStore } from "@docsearch/spec";
import { afterAll } from "vitest";
import { SCHEMA, WRITE } from "../../../tools/store-tests/builders.js";
import { type SqliteStoreOptions, sqliteStore } from "../src/index.js";

export {
  or,
  page,
  RANKING,
  READ,
  RECREATE,
  removal,
  SCHEMA,
  term,
  textIds,
  vectorIds,
  WRITE,
} from "../../../tools/store-tests/builders.js";

/** A function that gives paths of files that do not exist, in a folder that is removed after the tests. */
export function temporaryPaths(): () => string {
  const folder = mkdtempSync(join(tmpdir(), "docsearch-sqlite-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  return () => join(folder, `${++count}.db`);
}

export function openStore(
  path: string,
  open: OpenOptions = WRITE,
  options: Omit<SqliteStoreOptions, "path"> = {},
  schema: IndexSchema = SCHEMA,
): Promise<VectorStore> {
  return sqliteStore({ ...options, path }).open(schema, open);
}
