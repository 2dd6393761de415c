import { expect, test } from "vitest";
import { type WatchData, watchLine } from "../src/watch-data.js";

const counts = { scanned: 1, unchanged: 0, replaced: 1, deleted: 0, chunks: 1, failed: 0 };
const lastRun = { endedAt: "2026-11-30T12:00:05.000Z", counts };
const last = "; last brought up to date 2026-11-30 12:00:05 UTC";

test.each<[WatchData | undefined, string]>([
  [undefined, ""],
  [{ state: "starting", paths: ["docs"] }, "Watching docs begins."],
  [{ state: "waiting", paths: ["docs"], holder: "process 7" }, "Watching docs: process 7 does it for this index."],
  [{ state: "indexing", paths: ["docs"], lastRun }, `Watching docs: changes are being indexed now${last}.`],
  [
    { state: "indexing", paths: ["docs"], holder: "process 7" },
    "Watching docs: changes wait for process 7, which is writing to the index.",
  ],
  [{ state: "watching", paths: ["a", "b"], lastRun }, `Watching a, b: changes are indexed within seconds${last}.`],
  [
    { state: "failed", paths: ["1", "2", "3", "4", "5", "6", "7"], error: "disk full\n\u202e" },
    "Watching 1, 2, 3, 4, 5 and 2 more fails and is tried again: disk full\\x0a\\u202e",
  ],
  [{ state: "indexing", paths: ["a"], error: "disk full" }, "Watching a fails and is tried again: disk full"],
])("%o", (watch, line) => {
  expect(watchLine(watch)).toBe(line);
});
