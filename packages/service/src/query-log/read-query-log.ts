import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { QueryLogEntry } from "./entry.js";
import { queryLogFiles } from "./query-log.js";

export interface QueryLogContent {
  /** By time of writing. */
  readonly entries: readonly QueryLogEntry[];
  /** Lines that are no entry: the log was cut, or something else writes to it. */
  readonly unreadable: number;
}

/** Reads a log with the files that were put aside. A log that is not there has no entries. */
export async function readQueryLog(file: string): Promise<QueryLogContent> {
  const entries: QueryLogEntry[] = [];
  let unreadable = 0;
  for (const name of queryLogFiles(file)) {
    for await (const line of createInterface({ input: createReadStream(name), crlfDelay: Number.POSITIVE_INFINITY })) {
      const entry = parseEntry(line);
      if (entry !== undefined) entries.push(entry);
      else if (line.trim() !== "") unreadable++;
    }
  }
  return { entries, unreadable };
}

function parseEntry(line: string): QueryLogEntry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<QueryLogEntry> | null;
    const isEntry = typeof entry?.time === "string" && typeof entry.results === "number";
    return isEntry ? (entry as QueryLogEntry) : undefined;
  } catch {
    return undefined;
  }
}
