import { lstatSync, readdirSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { Docsearch, IndexReport } from "@docsearch/core";
import type { CallOptions, DocumentRecord, Filter } from "@docsearch/spec";
import { documentsOf } from "./documents-of.js";
import type { Place } from "./index-places.js";

export interface Removal {
  readonly deleted: number;
  /** Collections whose folders are there and empty, which were kept. */
  readonly spared: NonNullable<IndexReport["spared"]>;
}

export interface RemoveGoneOptions extends CallOptions {
  readonly prune: boolean;
  /** Whether a document lies where nothing could be read. */
  readonly isUnreadable: (documentId: string) => boolean;
}

/**
 * Removes documents below the places whose files are gone, also those that came into the index as another place: after
 * `index docs`, an `index .` must not leave the files behind that vanished from `docs`. Files that are there stay,
 * although `.` may leave them out: `docs` was named. Where the folder of a collection is empty a drive may be away: then
 * they stay too, unless `prune` is given.
 */
export async function removeGone(
  docsearch: Docsearch,
  places: readonly Place[],
  projectRoot: string,
  { prune, isUnreadable, ...call }: RemoveGoneOptions,
): Promise<Removal> {
  const gone = new Map<string, Set<string>>();
  for (const place of places) {
    for await (const document of documentsOf(docsearch, otherPlacesBelow(place, places), call)) {
      const { id, collection } = document;
      if (!isUnreadable(id) && isGone(document, projectRoot))
        gone.set(collection, (gone.get(collection) ?? new Set()).add(id));
    }
  }
  const isSpared = ([collection]: readonly [string, unknown]): boolean =>
    !prune && isEmptyFolder(resolve(projectRoot, collection));
  const spared = [...gone].filter(isSpared);
  const ids = [...gone].filter((one) => !isSpared(one)).flatMap(([, documents]) => [...documents]);
  return {
    deleted: ids.length === 0 ? 0 : await docsearch.remove(ids, call),
    spared: spared.map(([collection, documents]) => ({ collection, documents: documents.size })),
  };
}

function otherPlacesBelow({ prefix, part }: Place, places: readonly Place[]): Filter {
  const ours: Filter = { op: "in", field: "collection", values: places.map(({ collection }) => collection) };
  return {
    op: "and",
    clauses: [
      part === undefined ? { op: "prefix", field: "id", value: prefix } : atOrBelow(part),
      { op: "not", clause: ours },
    ],
  };
}

/** The document of a name, and those in the folder of that name. */
export function atOrBelow(name: string): Filter {
  return {
    op: "or",
    clauses: [
      { op: "in", field: "id", values: [name] },
      { op: "prefix", field: "id", value: `${name}/` },
    ],
  };
}

/** Whether a document's file is missing. Documents that did not come from a place have no file, and stay. */
function isGone({ id, collection }: DocumentRecord, projectRoot: string): boolean {
  const file = resolve(projectRoot, id);
  const place = resolve(projectRoot, collection);
  return (file === place || file.startsWith(place + sep)) && isMissing(file);
}

/** Whether there is no such file. */
export function isMissing(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    // A folder that cannot be read says nothing of what is in it.
    return false;
  }
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}
