import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { QueryLogEntry } from "./entry.js";
import { queryLogFiles } from "./query-log.js";

export interface QueryLogContent {
  /** By time of writing. */
  readonly entries: readonly QueryLogEntry[];
  /** Lines that are no entry: the log was cut, or something else writes to it. */
  readonly unreadable: number;
  /** Files of the log that are there, with those that were put aside. */
  readonly files: number;
}

/** Reads a log with the files that were put aside. A log that is not there has no entries. */
export async function readQueryLog(file: string): Promise<QueryLogContent> {
  const entries: QueryLogEntry[] = [];
  let unreadable = 0;
  const files = queryLogFiles(file);
  for (const name of files) {
    for await (const line of createInterface({ input: createReadStream(name), crlfDelay: Number.POSITIVE_INFINITY })) {
      const entry = parseEntry(line);
      if (entry !== undefined) entries.push(entry);
      else if (line.trim() !== "") unreadable++;
    }
  }
  return { entries, unreadable, files: files.length };
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
