import { type Stats, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { type FileSourceOptions, fileSource } from "@docsearch/source-fs";
import { type CallOptions, DocsearchError, type DocumentSource, type SourceItem } from "@docsearch/spec";
import { nameInProject } from "./project.js";

/** A folder or file that is indexed, as a collection of its own. */
export interface Place {
  /** Absolute path. */
  readonly root: string;
  /** Its name in the project; `.` for the project's own folder. */
  readonly collection: string;
  /** What its root is called when the source leaves it out as a whole. */
  readonly rootName: string;
  /** Put before the paths of its documents to make them names in the project. */
  readonly prefix: string;
  readonly source: DocumentSource;
}

export type Selection = Pick<FileSourceOptions, "include" | "exclude" | "allow" | "maxFileBytes">;

/**
 * The places that paths name. A place inside another comes first, so that its files are of its collection.
 *
 * @throws `CONFIG_INVALID` for a path that is not there or is no folder or file, and for a pattern that is none
 */
export function placesOf(paths: readonly string[], selection: Selection, projectRoot: string): Place[] {
  const roots = [...new Set(paths.map((path) => resolve(path)))].sort((a, b) => b.length - a.length);
  return roots.map((root) => {
    const folder = isFolder(root) ? root : dirname(root);
    const name = nameInProject(projectRoot, folder);
    const collection = nameInProject(projectRoot, root) || ".";
    const prefix = name === "" || name.endsWith("/") ? name : `${name}/`;
    const rootName = folder === root ? prefix || "./" : prefix + basename(root);
    return {
      root,
      collection,
      prefix,
      rootName,
      source: fileSource({ root, collection, env: process.env, ...selection }),
    };
  });
}

function isFolder(path: string): boolean {
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch (cause) {
    throw cannotBeIndexed(path, cause instanceof Error ? String(cause.message.split(",")[0]) : String(cause), cause);
  }
  if (stats.isFile() || stats.isDirectory()) return stats.isDirectory();
  throw cannotBeIndexed(path, "it is a pipe, a socket or a device");
}

function cannotBeIndexed(path: string, reason: string, cause?: unknown): DocsearchError {
  const expected = "a folder or file that exists and can be read";
  const message = `${path} cannot be indexed: ${reason}; expected ${expected}`;
  return new DocsearchError("CONFIG_INVALID", message, { setting: "paths", value: path, expected }, { cause });
}

/** What the places hold, under its names in the project; each document once, the first place that has it keeps it. */
export async function* readPlaces(places: readonly Place[], call: CallOptions): AsyncGenerator<SourceItem> {
  const seen = new Set<string>();
  for (const place of places) {
    for await (const item of place.source.read(call)) {
      const named = nameItem(item, place);
      const id = idOf(named);
      if (id !== undefined && seen.has(id)) continue;
      if (id !== undefined && places.length > 1) seen.add(id);
      yield named;
    }
  }
}

function idOf(item: SourceItem): string | undefined {
  if (item.type === "skip") return undefined;
  return item.type === "failure" ? item.documentId : item.document.id;
}

function nameItem(item: SourceItem, { prefix }: Place): SourceItem {
  if (item.type === "skip") return { ...item, path: item.path === "./" ? prefix || "./" : prefix + item.path };
  if (item.type === "failure") {
    const { documentId, path, error } = item;
    return { ...item, documentId: prefix + documentId, path: prefix + path, error: nameError(error, path, prefix) };
  }
  const { document } = item;
  return {
    ...item,
    document: { ...document, id: prefix + document.id, path: prefix + (document.path ?? document.id) },
  };
}

/** Messages of the source begin with the path as the source has it. */
function nameError(error: unknown, path: string, prefix: string): unknown {
  if (!(error instanceof Error) || !error.message.startsWith(path)) return error;
  return new Error(prefix + error.message, { cause: error });
}
