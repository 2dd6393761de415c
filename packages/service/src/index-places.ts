import { lstatSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import type { Docsearch, IndexReport } from "@docsearch/core";
import type { CallOptions, DocumentRecord, DocumentSource, Filter, SourceItem } from "@docsearch/spec";
import { documentsOf } from "./filters.js";
import { nameInProject } from "./project.js";

/** A folder or file that is indexed, as a collection of its own. */
export interface Place {
  /** Absolute path. */
  readonly root: string;
  /** Its name in the project; `.` for the project's own folder. */
  readonly collection: string;
  /** Put before the paths of its documents to make them names in the project. */
  readonly prefix: string;
  readonly source: DocumentSource;
}

/** Makes the source of a folder or file; documents are named by their path from it. */
export type MakeSource = (root: string, collection: string) => DocumentSource;

export function placeOf(root: string, isFolder: boolean, projectRoot: string, makeSource: MakeSource): Place {
  const collection = nameInProject(projectRoot, root) || ".";
  const name = nameInProject(projectRoot, isFolder ? root : dirname(root));
  const prefix = name === "" || name.endsWith("/") ? name : `${name}/`;
  return { root, collection, prefix, source: makeSource(root, collection) };
}

export interface IndexProgress extends CallOptions {
  readonly onDocument?: () => void;
}

/** Brings the index up to date with a place. What vanished from it leaves the index. */
export async function indexPlace(
  docsearch: Docsearch,
  place: Place,
  projectRoot: string,
  { onDocument, ...call }: IndexProgress,
): Promise<IndexReport> {
  const report = await docsearch.index({
    documents: readPlace(place, call),
    prune: { collections: [place.collection] },
    onEvent: (event) => {
      if (event.type === "document" || event.type === "failure") onDocument?.();
    },
    ...call,
  });
  const gone = await removeGone(docsearch, place, projectRoot, call);
  return { ...report, deleted: report.deleted + gone };
}

async function* readPlace({ source, prefix }: Place, call: CallOptions): AsyncGenerator<SourceItem> {
  for await (const item of source.read(call)) yield nameItem(item, prefix);
}

function nameItem(item: SourceItem, prefix: string): SourceItem {
  if (item.type === "skip") return { ...item, path: prefix + item.path };
  if (item.type === "failure") return { ...item, documentId: prefix + item.documentId, path: prefix + item.path };
  const { document } = item;
  const path = prefix + (document.path ?? document.id);
  return { ...item, document: { ...document, id: prefix + document.id, path } };
}

/** Documents below the place that came into the index as another place, and whose files are gone. */
async function removeGone(
  docsearch: Docsearch,
  { prefix, collection }: Place,
  projectRoot: string,
  call: CallOptions,
): Promise<number> {
  const filter: Filter = {
    op: "and",
    clauses: [
      { op: "prefix", field: "id", value: prefix },
      { op: "not", clause: { op: "in", field: "collection", values: [collection] } },
    ],
  };
  const gone: string[] = [];
  for await (const document of documentsOf(docsearch, filter, call)) {
    if (isGone(document, projectRoot)) gone.push(document.id);
  }
  return gone.length === 0 ? 0 : docsearch.remove(gone, call);
}

/** Documents that did not come from a place have no file, and stay. */
function isGone({ id, collection }: DocumentRecord, projectRoot: string): boolean {
  const file = resolve(projectRoot, id);
  const place = resolve(projectRoot, collection);
  if (file !== place && !file.startsWith(place + sep)) return false;
  try {
    return lstatSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    // A folder that cannot be read says nothing of what is in it.
    return false;
  }
}
