import { resolve } from "node:path";
import type { Docsearch } from "@docsearch/core";
import { nameInProject } from "@docsearch/service/project";
import { DocsearchError, type DocumentRecord } from "@docsearch/spec";

/**
 * What the index holds under a path of the command line.
 *
 * @throws `CONFIG_INVALID` when it holds nothing there
 */
export async function storedDocument(docsearch: Docsearch, path: string, root: string): Promise<DocumentRecord> {
  const name = nameInProject(root, resolve(path));
  const filter = { op: "in", field: "path", values: [name, path] } as const;
  const [document] = await docsearch.listDocuments({ limit: 1, filter });
  if (document !== undefined) return document;
  const expected = "a file of the index; add it: docsearch index <path>";
  throw new DocsearchError("CONFIG_INVALID", `the index has no document ${path}; expected ${expected}`, {
    setting: "path",
    value: path,
    expected,
  });
}
