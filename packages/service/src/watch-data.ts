import type { JobCounts } from "./jobs.js";
import { quoteLabel } from "./passage.js";

/** How it stands with the watching of files, where a server does that. */
export interface WatchData {
  /** `waiting`: another process watches for this index. `failed`: it is tried again. */
  readonly state: "starting" | "waiting" | "watching" | "indexing" | "failed";
  /** Names of what is watched, from the project's folder. */
  readonly paths: readonly string[];
  /** Who watches or writes, while this server waits. */
  readonly holder?: string;
  /** The last run that ended well. */
  readonly lastRun?: { readonly endedAt: string; readonly counts: JobCounts };
  /** What went wrong; it stays until a run ends well. */
  readonly error?: string;
}

const ERROR_CHARACTERS = 300;
const SHOWN_PATHS = 5;

/** One line; empty when nothing is watched. */
export function watchLine(watch: WatchData | undefined): string {
  if (watch === undefined) return "";
  const { state, paths, holder, lastRun, error } = watch;
  const more = paths.length > SHOWN_PATHS ? ` and ${paths.length - SHOWN_PATHS} more` : "";
  const what =
    paths
      .slice(0, SHOWN_PATHS)
      .map((path) => quoteLabel(path, 60))
      .join(", ") + more;
  const last = lastRun === undefined ? "" : `; last brought up to date ${shortTime(lastRun.endedAt)}`;
  if (error !== undefined) {
    return `Watching ${what} fails and is tried again: ${quoteLabel(error, ERROR_CHARACTERS)}`;
  }
  switch (state) {
    case "waiting":
      return `Watching ${what}: ${holder ?? "another process"} does it for this index.`;
    case "indexing":
      return holder === undefined
        ? `Watching ${what}: changes are being indexed now${last}.`
        : `Watching ${what}: changes wait for ${holder}, which is writing to the index${last}.`;
    case "watching":
      return `Watching ${what}: changes are indexed within seconds${last}.`;
    default:
      return `Watching ${what} begins.`;
  }
}

/** `2026-11-30 12:00:05 UTC`. */
export function shortTime(iso: string): string {
  return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}
