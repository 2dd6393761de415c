import { walk } from "@docsearch/source-fs";
import type { Place } from "./places.js";

/**
 * Number of items that reading the places will bring. No file is opened, so it is known long before the reading ends;
 * `undefined` when it cannot be known.
 */
export async function countItems(places: readonly Place[], signal: AbortSignal): Promise<number | undefined> {
  try {
    let count = 0;
    for (const { root, selection } of places) {
      for await (const _ of walk({ root, env: process.env, ...selection }, { signal })) count++;
    }
    return count;
  } catch {
    // The run meets the same fault and reports it.
    return undefined;
  }
}
