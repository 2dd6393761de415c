import { readFileSync, renameSync, writeFileSync } from "node:fs";

// When each collection was last brought up to date, in a file beside the index. Written by whoever has the turn to
// change the index; what cannot be read or written counts as not known.

/** Times in milliseconds since 1970, by collection. */
export function readSourceTimes(index: string): ReadonlyMap<string, number> {
  try {
    const times: unknown = JSON.parse(readFileSync(pathOf(index), "utf8"));
    if (typeof times !== "object" || times === null || Array.isArray(times)) return new Map();
    return new Map(Object.entries(times).filter((entry): entry is [string, number] => Number.isFinite(entry[1])));
  } catch {
    return new Map();
  }
}

/** @param startedAt when the run began to look at the files; what changed later may be missing */
export function writeSourceTimes(index: string, collections: readonly string[], startedAt: number): void {
  const times = new Map(readSourceTimes(index));
  for (const collection of collections) times.set(collection, startedAt);
  const path = pathOf(index);
  try {
    const temporary = `${path}-${process.pid}`;
    writeFileSync(temporary, JSON.stringify(Object.fromEntries(times)));
    renameSync(temporary, path);
  } catch {
    // A note for readers; the index does not depend on it.
  }
}

function pathOf(index: string): string {
  return `${index}.times`;
}
