import { statSync } from "node:fs";
import { describeRun, readRun } from "@docsearch/service/run-record";
import { sized } from "./output/numbers.js";

/** What lies beside an index and should be known, a sentence each: an index that was set aside, a run that did not end. */
export function leftovers(location: string): string[] {
  const sentences: string[] = [];
  const run = readRun(location);
  if (run?.state === "running") sentences.push(`${describeRun(run)} is writing to the index`);
  else if (run !== undefined) {
    const end = run.state === "killed" ? "was killed" : "was stopped";
    sentences.push(
      `the last run (${describeRun(run)}) ${end} before its end, so files may be missing; go on: docsearch index <paths>`,
    );
  }
  const damaged = `${location}.damaged`;
  const bytes = statSync(damaged, { throwIfNoEntry: false })?.size;
  if (bytes !== undefined) {
    sentences.push(
      `${damaged}, ${sized(bytes)}, is an index that was damaged and set aside; delete it when nobody wants it: rm ${damaged}`,
    );
  }
  return sentences;
}
