import { readFileSync, renameSync, writeFileSync } from "node:fs";

// When each collection was last brought up to date, in a file beside the index. Written by whoever has the turn to
// change the index; what cannot be read or written counts as not known.

/** What a run brought up to date: a collection, or the part of it at a name in the project. */
export interface DoneTree {
  readonly collection: string;
  readonly part?: string;
}

/** Parts whose times are kept, for each index; a part whose time is forgotten counts as older than it is. */
const MOST_PARTS = 200;

/** Times in milliseconds since 1970, by collection; those of parts by `partKey`. */
export function readSourceTimes(index: string): ReadonlyMap<string, number> {
  try {
    const times: unknown = JSON.parse(readFileSync(pathOf(index), "utf8"));
    if (typeof times !== "object" || times === null || Array.isArray(times)) return new Map();
    return new Map(Object.entries(times).filter((entry): entry is [string, number] => Number.isFinite(entry[1])));
  } catch {
    return new Map();
  }
}

/** When a document of a collection was last brought up to date; `undefined` when the collection never was as a whole. */
export function timeOfDocument(
  times: ReadonlyMap<string, number>,
  collection: string,
  documentId: string,
): number | undefined {
  let time = times.get(collection);
  if (time === undefined) return undefined;
  for (let end = documentId.length; end > 0; end = documentId.lastIndexOf("/", end - 1)) {
    time = Math.max(time, times.get(partKey(collection, documentId.slice(0, end))) ?? 0);
  }
  return time;
}

/** @param startedAt when the run began to look at the files; what changed later may be missing */
export function writeSourceTimes(index: string, done: readonly DoneTree[], startedAt: number): void {
  const times = new Map(readSourceTimes(index));
  for (const { collection, part } of done) {
    if (part === undefined) {
      for (const key of times.keys()) if (key.startsWith(partKey(collection, ""))) times.delete(key);
      times.set(collection, startedAt);
    } else {
      const key = partKey(collection, part);
      // At the end of the map, where the newest are.
      times.delete(key);
      times.set(key, startedAt);
    }
  }
  const parts = [...times.keys()].filter((key) => key.includes("\0"));
  for (const key of parts.slice(0, -MOST_PARTS)) times.delete(key);
  const path = pathOf(index);
  try {
    const temporary = `${path}-${process.pid}`;
    writeFileSync(temporary, JSON.stringify(Object.fromEntries(times)));
    renameSync(temporary, path);
  } catch {
    // A note for readers; the index does not depend on it.
  }
}

function partKey(collection: string, part: string): string {
  return `${collection}\0${part}`;
}

function pathOf(index: string): string {
  return `${index}.times`;
}
