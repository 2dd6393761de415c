import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

export {
  page,
  RANKING,
  READ,
  REBUILD,
  RECREATE,
  removal,
  SCHEMA,
  term,
  textIds,
  vectorIds,
  WRITE,
} from "../../../tools/store-tests/builders.js";

/** A folder of a test file's own, and names in it that nothing has yet. It is removed at the end. */
export function temporaryFolders(): () => string {
  const folder = mkdtempSync(join(tmpdir(), "docsearch-lancedb-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  return () => join(folder, `index '${++count}' ä %20`);
}
