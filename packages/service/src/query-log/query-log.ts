import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { SearchRequest, SearchResponse } from "@docsearch/core";
import { queryLogEntry } from "./entry.js";

/** A file of this size is put aside as `.1`, the one before as `.2`, and so on. In bytes. */
const MAX_BYTES = 5_000_000;
const KEPT_FILES = 3;

export interface QueryLogOptions {
  /** The file; it and its folder are made with the first search. */
  readonly file: string;
  /** Keep what was asked, not its hash alone. */
  readonly withText: boolean;
  /** Who asks. */
  readonly client: string;
  /** Told once when the log cannot be written; searches go on. */
  readonly onError: (message: string) => void;
}

/** Writes a line of JSON for each search. Several processes may write to one file. */
export interface QueryLog {
  record(request: SearchRequest, response: SearchResponse): void;
}

export function createQueryLog({ file, withText, client, onError }: QueryLogOptions): QueryLog {
  let hasFailed = false;
  return {
    record(request, response) {
      if (hasFailed) return;
      const line = `${JSON.stringify(queryLogEntry(request, response, client, new Date(), withText))}\n`;
      try {
        mkdirSync(dirname(file), { recursive: true });
        if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) + line.length > MAX_BYTES) rotate(file);
        // One write of a line to a file opened for appending: lines of several processes do not mix.
        appendFileSync(file, line, { mode: 0o600 });
      } catch (cause) {
        hasFailed = true;
        onError(`the query log ${file} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`);
      }
    },
  };
}

/** Files of the log that are there, the oldest first. */
export function queryLogFiles(file: string): string[] {
  return numbered(file).filter((name) => statSync(name, { throwIfNoEntry: false }) !== undefined);
}

function rotate(file: string): void {
  const files = numbered(file);
  for (let i = 0; i + 1 < files.length; i++) {
    if (statSync(files[i + 1]!, { throwIfNoEntry: false }) !== undefined) renameSync(files[i + 1]!, files[i]!);
  }
}

/** The names a log may have, the oldest first. */
function numbered(file: string): string[] {
  return [...Array.from({ length: KEPT_FILES }, (_, i) => `${file}.${KEPT_FILES - i}`), file];
}
