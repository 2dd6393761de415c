import { lstatSync } from "node:fs";
import { sep } from "node:path";
import type { Docsearch } from "@docsearch/core";
import type { CallOptions, DocumentRecord, Filter } from "@docsearch/spec";
import type { Place } from "./places.js";
import { fileOfName } from "./project.js";

const PAGE = 1000;

/**
 * Removes documents below the places whose files are gone, also those that came into the index as another place: after
 * `index docs`, an `index .` must not leave the files behind that vanished from `docs`. Files that are there stay,
 * although `.` may leave them out: `docs` was named.
 *
 * @returns how many were removed
 */
export async function removeGone(
  docsearch: Docsearch,
  places: readonly Place[],
  projectRoot: string,
  call: CallOptions,
): Promise<number> {
  const gone = new Set<string>();
  for (const place of places) {
    const filter = otherPlacesBelow(place, places);
    let after: string | undefined;
    do {
      const page = await docsearch.listDocuments({
        limit: PAGE,
        filter,
        ...(after !== undefined && { after }),
        ...call,
      });
      for (const document of page) if (isGone(document, projectRoot)) gone.add(document.id);
      after = page.length < PAGE ? undefined : page.at(-1)?.id;
    } while (after !== undefined);
  }
  return gone.size === 0 ? 0 : docsearch.remove([...gone], call);
}

function otherPlacesBelow({ prefix }: Place, places: readonly Place[]): Filter {
  const ours: Filter = { op: "in", field: "collection", values: places.map(({ collection }) => collection) };
  return {
    op: "and",
    clauses: [
      { op: "prefix", field: "id", value: prefix },
      { op: "not", clause: ours },
    ],
  };
}

/** Whether a document's file is missing. Documents that did not come from a place have no file, and stay. */
function isGone({ id, collection }: DocumentRecord, projectRoot: string): boolean {
  const file = fileOfName(projectRoot, id);
  const place = fileOfName(projectRoot, collection);
  if (file !== place && !file.startsWith(place + sep)) return false;
  try {
    return lstatSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    // A folder that cannot be read says nothing of what is in it.
    return false;
  }
}
