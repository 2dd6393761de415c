import { dirname } from "node:path";
import type { Docsearch, IndexEvent, IndexReport } from "@docsearch/core";
import type { CallOptions, DocumentRecord, DocumentSource, ReadItem, SourceItem } from "@docsearch/spec";
import { nameInProject } from "./project.js";
import { removeGone } from "./remove-gone.js";
import { removeGoneOfParts } from "./remove-gone-of-parts.js";
import type { Tree } from "./tree-plan.js";

/** A folder or file that is indexed, as a collection or as a part of one. */
export interface Place {
  /** Absolute path. */
  readonly root: string;
  readonly collection: string;
  /** Put before the paths of its documents to make them names in the project. */
  readonly prefix: string;
  /** Name in the project of the folder or file that is read, where the collection is more than that. */
  readonly part?: string;
  readonly source: DocumentSource;
}

export function placeOf(
  { root, collection, within }: Tree,
  isFolder: boolean,
  projectRoot: string,
  source: DocumentSource,
): Place {
  const name = nameInProject(projectRoot, isFolder ? root : dirname(root));
  const prefix = name === "" || name.endsWith("/") ? name : `${name}/`;
  return { root, collection, prefix, ...(within !== undefined && { part: prefix + within }), source };
}

export interface IndexPlacesOptions extends CallOptions {
  readonly places: readonly Place[];
  /** Folder from which documents are named. */
  readonly projectRoot: string;
  /** Whether collections of which nothing is left are deleted too. */
  readonly prune: boolean;
  readonly onEvent: (event: IndexEvent) => void;
}

/** Brings an index to what is at the places now. */
export async function indexPlaces(
  docsearch: Docsearch,
  { places, projectRoot, prune, onEvent, ...call }: IndexPlacesOptions,
): Promise<IndexReport> {
  const whole = places.filter(({ part }) => part === undefined).map(({ collection }) => collection);
  const parts = places.filter(({ part }) => part !== undefined);
  const cameUp = new Set<string>();
  const report = await docsearch.index({
    documents: readPlaces(places, call),
    ...(whole.length > 0 && { prune: { collections: whole, emptied: prune ? "delete" : "keep" } as const }),
    onEvent(event) {
      if (parts.length > 0 && (event.type === "document" || event.type === "failure")) cameUp.add(event.documentId);
      onEvent(event);
    },
    ...call,
  });
  const { unchanged, replaced, empty } = report;
  // Nothing can have gone of an index that has what came up and no more. Sources bring each document once.
  if ((await docsearch.status(call)).stats.documents === unchanged + replaced + empty) return report;
  const isUnreadable = (id: string): boolean =>
    report.failures.some(({ documentId }) => documentId.endsWith("/") && id.startsWith(documentId));
  const ofParts = await removeGoneOfParts(docsearch, parts, projectRoot, { prune, isUnreadable, cameUp, ...call });
  const gone = await removeGone(docsearch, places, projectRoot, { prune, isUnreadable, ...call });
  const spared = [...(report.spared ?? []), ...ofParts.spared, ...gone.spared];
  const deleted = report.deleted + ofParts.deleted + gone.deleted;
  return { ...report, deleted, ...(spared.length > 0 && { spared }) };
}

/** What the places hold, under its names in the project; each item once, the first place that has it keeps it. */
export async function* readPlaces(places: readonly Place[], call: CallOptions): AsyncGenerator<SourceItem> {
  const seen = new Set<string>();
  for (const place of places) {
    for await (const item of place.source.read(call)) {
      const named = nameItem(item, place);
      const id = idOf(named);
      if (seen.has(id)) continue;
      if (places.length > 1) seen.add(id);
      yield named;
    }
  }
}

/** A path that is left out is no document, and may be one by another place. */
function idOf(item: SourceItem): string {
  if (item.type === "skip") return `left out: ${item.path}`;
  return item.type === "failure" ? item.documentId : item.document.id;
}

function nameItem(item: SourceItem, place: Place): SourceItem {
  if (item.type !== "unread") return nameRead(item, place);
  const { document, read } = item;
  return {
    type: "unread",
    document: nameDocument(document, place),
    read: async () => nameRead(await read(), place),
  };
}

function nameRead(item: ReadItem, place: Place): ReadItem {
  const { prefix } = place;
  if (item.type === "skip") return { ...item, path: item.path === "./" ? prefix || "./" : prefix + item.path };
  if (item.type === "document") return { ...item, document: nameDocument(item.document, place) };
  const { documentId, path, error } = item;
  return { ...item, documentId: prefix + documentId, path: prefix + path, error: nameError(error, path, prefix) };
}

function nameDocument<D extends DocumentRecord>(document: D, { prefix }: Place): D {
  return { ...document, id: prefix + document.id, path: prefix + (document.path ?? document.id) };
}

/** Messages of the source begin with the path as the source has it. */
function nameError(error: unknown, path: string, prefix: string): unknown {
  if (!(error instanceof Error) || !error.message.startsWith(path)) return error;
  return new Error(prefix + error.message, { cause: error });
}
