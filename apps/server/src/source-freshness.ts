import { lstatSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Docsearch } from "@docsearch/core";
import { documentsOf, type Freshness } from "@docsearch/service";
import type { ProjectSource } from "@docsearch/service/config";
import { isInside, nameInProject } from "@docsearch/service/project";
import { readSourceTimes, timeOfDocument } from "@docsearch/service/source-times";
import { walk } from "@docsearch/source-fs";
import type { CallOptions } from "@docsearch/spec";
import { sourcesInReach } from "./index-paths.js";
import { walkOf } from "./index-trees.js";
import type { ServerOptions } from "./options.js";

/** Looking at the files takes so long at most, in milliseconds; what was not looked at by then is not said. */
const MOST_MS = 250;

/**
 * When collections were last brought up to date, and whether files have come, gone or changed since. Only folders that
 * may be indexed are looked at, and no file is opened.
 */
export async function freshnessOf(
  options: ServerOptions,
  docsearch: Docsearch,
  names: readonly string[],
  call: CallOptions,
): Promise<ReadonlyMap<string, Freshness>> {
  const times = readSourceTimes(options.location);
  const end = performance.now() + MOST_MS;
  const found = new Map<string, Freshness>();
  const sources = sourcesOf(options);
  for (const name of names) {
    const time = times.get(name);
    if (time === undefined) continue;
    const look = { source: sources.get(name), name, times, end };
    const isStale = await isChanged(options, docsearch, look, call).catch(() => undefined);
    call.signal?.throwIfAborted();
    found.set(name, { indexedAt: new Date(time).toISOString(), ...(isStale !== undefined && { isStale }) });
  }
  return found;
}

/** The sources of the project by name. A config file that cannot be read is told by whoever indexes. */
function sourcesOf(options: ServerOptions): ReadonlyMap<string, ProjectSource> {
  try {
    return new Map(sourcesInReach(options).map((source) => [source.name, source]));
  } catch {
    return new Map();
  }
}

interface Look {
  /** Name of the collection. */
  readonly name: string;
  /** Absent for a collection that was made from a path. */
  readonly source: ProjectSource | undefined;
  readonly times: ReadonlyMap<string, number>;
  /** When the look must be over. */
  readonly end: number;
}

/** `undefined` when the time is over, or there is no such place. */
async function isChanged(
  options: ServerOptions,
  docsearch: Docsearch,
  { name, source, times, end }: Look,
  call: CallOptions,
): Promise<boolean | undefined> {
  const { location, projectRoot, roots } = options;
  const root = source?.root ?? resolve(projectRoot, name);
  if (source === undefined && !roots.some((folder) => isInside(folder, root))) return undefined;
  const stats = statSync(root, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const seen = new Set<string>();
  const base = stats.isFile() ? dirname(root) : root;
  const how = walkOf(source ?? { root }, { ...options, indexPath: resolve(location) });
  for await (const item of walk(how, call)) {
    if (performance.now() > end) return undefined;
    if (item.type !== "file") continue;
    const id = nameInProject(projectRoot, join(base, item.path));
    if (item.mtimeMs > (timeOfDocument(times, name, id) ?? 0)) return true;
    seen.add(id);
  }
  const filter = { op: "in", field: "collection", values: [name] } as const;
  for await (const { id } of documentsOf(docsearch, filter, call)) {
    if (performance.now() > end) return undefined;
    // Others may have been taken in although the rules leave them out.
    if (!seen.has(id) && lstatSync(resolve(projectRoot, id), { throwIfNoEntry: false }) === undefined) return true;
  }
  return false;
}
