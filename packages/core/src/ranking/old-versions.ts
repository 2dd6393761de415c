import type { CallOptions, DocumentRecord, Filter, VectorStore } from "@docsearch/spec";

type Placed = Pick<DocumentRecord, "collection" | "path">;

const VERSION = /^v(\d+)$/;
/** A `v1` is looked for in these next versions. */
const NEXT_VERSIONS = 2;
/** How many names of the files beside it a `v1` repeats at least that is an older version of them, and what share. */
const REPEATED_FILES = 3;
const REPEATED_SHARE = 1 / 3;

/** Folders of a path that are named after a version: `v1`. */
export function versionsIn(path: string): readonly string[] {
  return path
    .split("/")
    .slice(0, -1)
    .filter((part) => VERSION.test(part));
}

/**
 * Folders that hold an older version: `v3` with a `v4` beside it, or a `v1` that repeats at least three, and a third,
 * of the file names beside it. A `v1` alone, as in `api/v1`, is not old.
 */
export function oldVersionFolders(paths: readonly string[]): ReadonlySet<string> {
  const files = new Map<string, Set<string>>();
  const newest = new Map<string, number>();
  const versions = new Map<string, { readonly parent: string; readonly number: number }>();
  for (const path of paths) {
    const parts = path.split("/");
    const folder = parts.slice(0, -1).join("/");
    files.set(folder, (files.get(folder) ?? new Set()).add(parts.at(-1) ?? ""));
    for (const [index, part] of parts.slice(0, -1).entries()) {
      const number = VERSION.exec(part)?.[1];
      if (number === undefined) continue;
      const parent = parts.slice(0, index).join("/");
      versions.set(parts.slice(0, index + 1).join("/"), { parent, number: Number(number) });
      newest.set(parent, Math.max(newest.get(parent) ?? 0, Number(number)));
    }
  }
  const old = new Set<string>();
  for (const [folder, { parent, number }] of versions) {
    const own = files.get(folder) ?? new Set();
    const beside = files.get(parent) ?? new Set();
    const repeated = [...own].filter((name) => beside.has(name)).length;
    const repeats = repeated >= REPEATED_FILES && repeated >= beside.size * REPEATED_SHARE;
    if (number < (newest.get(parent) ?? 0) || repeats) old.add(folder);
  }
  return old;
}

/** Whether a document is in such a folder, by the paths of its own collection. */
export function oldVersions(documents: readonly Placed[]): (document: Placed) => boolean {
  if (!documents.some(({ path = "" }) => versionsIn(path).length > 0)) return () => false;
  const paths = new Map<string, string[]>();
  for (const { collection, path } of documents) {
    if (path === undefined) continue;
    const own = paths.get(collection) ?? [];
    own.push(path);
    paths.set(collection, own);
  }
  const folders = new Map([...paths].map(([collection, own]) => [collection, oldVersionFolders(own)]));
  return ({ collection, path = "" }) => {
    const old = folders.get(collection);
    if (old === undefined || old.size === 0) return false;
    const parts = path.split("/").slice(0, -1);
    return parts.some((_, index) => old.has(parts.slice(0, index + 1).join("/")));
  };
}

/** Where the same file would stand if its version folder were an old one: beside the folder, or in a next version. */
export function counterparts(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(0, -1).flatMap((part, index) => {
    const number = VERSION.exec(part)?.[1];
    if (number === undefined) return [];
    const [above, below] = [parts.slice(0, index), parts.slice(index + 1)];
    const next = Array.from({ length: NEXT_VERSIONS }, (_, step) => [`v${Number(number) + step + 1}`]);
    return [[], ...next].map((folder) => [...above, ...folder, ...below].join("/"));
  });
}

/** Counterparts of the documents that the index has and the search may find; one look-up, and none without a version. */
export async function readCounterparts(
  store: VectorStore,
  documents: Iterable<DocumentRecord>,
  filter: Filter | undefined,
  call: CallOptions,
): Promise<readonly DocumentRecord[]> {
  const values = [...new Set([...documents].flatMap(({ path = "" }) => counterparts(path)))];
  if (values.length === 0) return [];
  const clause: Filter = { op: "in", field: "path", values };
  const both: Filter = filter === undefined ? clause : { op: "and", clauses: [clause, filter] };
  return store.listDocuments({ limit: values.length, filter: both, ...call });
}
