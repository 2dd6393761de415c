import { lstatSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Docsearch } from "@docsearch/core";
import { documentsOf, type Freshness } from "@docsearch/service";
import { isInside, nameInProject } from "@docsearch/service/project";
import { readSourceTimes } from "@docsearch/service/source-times";
import { walk } from "@docsearch/source-fs";
import type { CallOptions } from "@docsearch/spec";
import type { ServerOptions } from "./options.js";

/** Looking at the files takes so long at most, in milliseconds; what was not looked at by then is not said. */
const MOST_MS = 250;

/**
 * When collections were last brought up to date, and whether files have come, gone or changed since. Only folders that
 * may be indexed are looked at, and no file is opened.
 */
export async function freshnessOf(
  options: Pick<ServerOptions, "location" | "projectRoot" | "roots" | "env">,
  docsearch: Docsearch,
  names: readonly string[],
  call: CallOptions,
): Promise<ReadonlyMap<string, Freshness>> {
  const times = readSourceTimes(options.location);
  const end = performance.now() + MOST_MS;
  const found = new Map<string, Freshness>();
  for (const name of names) {
    const time = times.get(name);
    if (time === undefined) continue;
    const isStale = await isChanged(options, docsearch, name, time, end, call).catch(() => undefined);
    call.signal?.throwIfAborted();
    found.set(name, { indexedAt: new Date(time).toISOString(), ...(isStale !== undefined && { isStale }) });
  }
  return found;
}

/** `undefined` when the time is over, or there is no such place. */
async function isChanged(
  { location, projectRoot, roots, env }: Pick<ServerOptions, "location" | "projectRoot" | "roots" | "env">,
  docsearch: Docsearch,
  name: string,
  time: number,
  end: number,
  call: CallOptions,
): Promise<boolean | undefined> {
  const root = resolve(projectRoot, name);
  if (!roots.some((folder) => isInside(folder, root))) return undefined;
  const stats = statSync(root, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const seen = new Set<string>();
  for await (const item of walk({ root, env, indexPath: resolve(location) }, call)) {
    if (performance.now() > end) return undefined;
    if (item.type !== "file") continue;
    if (item.mtimeMs > time) return true;
    seen.add(nameInProject(projectRoot, item.absolutePath));
  }
  const filter = { op: "in", field: "collection", values: [name] } as const;
  for await (const { id } of documentsOf(docsearch, filter, call)) {
    if (performance.now() > end) return undefined;
    // Others may have been taken in although the rules leave them out.
    if (!seen.has(id) && lstatSync(resolve(projectRoot, id), { throwIfNoEntry: false }) === undefined) return true;
  }
  return false;
}
