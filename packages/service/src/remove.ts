import type { Docsearch } from "@docsearch/core";
import { type CallOptions, DocsearchError } from "@docsearch/spec";
import { documentsOf } from "./documents-of.js";
import { requireSource } from "./filters.js";
import { findDocument } from "./find-document.js";
import type { Answer, RemoveSourceInput } from "./inputs.js";
import { quoteLabel } from "./passage.js";
import { sourceNames } from "./source-names.js";

export interface RemoveData {
  readonly removed: number;
}

/**
 * Takes a source, or one document, out of the index. The files stay.
 *
 * @throws `CONFIG_INVALID` unless one of `source` and `path` is given, `NOT_FOUND`
 */
export async function removeSource(
  docsearch: Docsearch,
  { source, path }: RemoveSourceInput,
  call: CallOptions,
): Promise<Answer<RemoveData>> {
  if ((path === undefined) === (source === undefined)) {
    const expected = "one of source and path";
    throw new DocsearchError("CONFIG_INVALID", `remove_source takes ${expected}.`, {
      setting: "remove_source",
      value: path === undefined ? "neither" : "both",
      expected,
    });
  }
  const ids = await idsOf(docsearch, await asNamed(docsearch, { source, path }, call), call);
  const removed = await docsearch.remove(ids, call);
  const text = `Removed ${removed} ${removed === 1 ? "document" : "documents"} from the index; the files stay. index_path brings them back.`;
  return { text, data: { removed } };
}

/** A source that was given as a path is taken for what it is, when there is no document of that name. */
async function asNamed(
  docsearch: Docsearch,
  { source, path }: RemoveSourceInput,
  call: CallOptions,
): Promise<RemoveSourceInput> {
  if (path === undefined || !(await sourceNames(docsearch, call)).includes(path)) return { source, path };
  return (await docsearch.getDocument(path, call)) === undefined ? { source: path } : { path };
}

async function idsOf(docsearch: Docsearch, { source, path }: RemoveSourceInput, call: CallOptions): Promise<string[]> {
  if (path !== undefined) {
    const { document, startLine } = await findDocument(docsearch, path, call);
    if (startLine === undefined) return [document.id];
    const message = `${quoteLabel(JSON.stringify(path))} names lines; a document is removed whole, by its path alone.`;
    throw new DocsearchError("CONFIG_INVALID", message, {
      setting: "path",
      value: path,
      expected: "a document's path",
    });
  }
  await requireSource(docsearch, source as string, call);
  const ids: string[] = [];
  for await (const { id } of documentsOf(
    docsearch,
    { op: "in", field: "collection", values: [source as string] },
    call,
  )) {
    ids.push(id);
  }
  return ids;
}
