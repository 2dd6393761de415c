import { resolve } from "node:path";
import type { Docsearch } from "@docsearch/core";
import type { DocumentRecord, Filter } from "@docsearch/spec";
import { documentsOf } from "./documents-of.js";
import type { Place } from "./index-places.js";
import { atOrBelow, isMissing, type Removal, type RemoveGoneOptions } from "./remove-gone.js";

interface RemoveGoneOfPartsOptions extends RemoveGoneOptions {
  /** Ids of the documents that came up in this run. */
  readonly cameUp: ReadonlySet<string>;
}

/**
 * Removes the documents of parts of collections that did not come up. Of a part of which nothing came up those stay whose
 * files are there, unless `prune` is given: more often than not a pattern is wrong.
 */
export async function removeGoneOfParts(
  docsearch: Docsearch,
  parts: readonly Place[],
  projectRoot: string,
  { prune, isUnreadable, cameUp, ...call }: RemoveGoneOfPartsOptions,
): Promise<Removal> {
  const ids = new Set<string>();
  const spared = new Map<string, number>();
  for (const { collection, part = "" } of parts) {
    const gone: DocumentRecord[] = [];
    let isLeft = false;
    for await (const document of documentsOf(docsearch, ofPart(collection, part), call)) {
      if (cameUp.has(document.id) || isUnreadable(document.id)) isLeft = true;
      else gone.push(document);
    }
    for (const { id } of gone) {
      if (isLeft || prune || isMissing(resolve(projectRoot, id))) ids.add(id);
      else spared.set(part, (spared.get(part) ?? 0) + 1);
    }
  }
  return {
    deleted: ids.size === 0 ? 0 : await docsearch.remove([...ids], call),
    spared: [...spared].map(([collection, documents]) => ({ collection, documents })),
  };
}

function ofPart(collection: string, part: string): Filter {
  return { op: "and", clauses: [{ op: "in", field: "collection", values: [collection] }, atOrBelow(part)] };
}
