import { resolve } from "node:path";
import { runsTakeTurns } from "@docsearch/service/run-record";
import { writeSourceTimes } from "@docsearch/service/source-times";
import { StatCache } from "@docsearch/source-fs";
import { environmentOf } from "./environment.js";
import { indexLocation } from "./open-index.js";
import type { Place } from "./places.js";
import type { Flags } from "./setting-flags.js";

/** An index in a file of this machine, as far as reading files has to know of it. */
interface LocalIndex {
  /** Its files are no documents, wherever it lies. */
  readonly indexPath: string;
  /** What the files were when they were last read, kept beside the index. */
  readonly statCache: StatCache;
}

/** The local index that flags and environment name; nothing for an index on a server. */
export function localIndex(flags: Flags, { rehash }: { readonly rehash: boolean }): Partial<LocalIndex> {
  const env = environmentOf(flags);
  if (!runsTakeTurns(env)) return {};
  const indexPath = resolve(indexLocation(env));
  const cachePath = `${indexPath}.stat`;
  return { indexPath, statCache: StatCache.load(cachePath, { rehash }) };
}

/** Notes beside the index when the places were looked at, so that a server can tell what has changed since. */
export function noteTime({ indexPath }: Partial<LocalIndex>, places: readonly Place[], lookedAt: number): void {
  if (indexPath === undefined) return;
  writeSourceTimes(indexPath, places, lookedAt);
}
