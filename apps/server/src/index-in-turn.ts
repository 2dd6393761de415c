import type { JobCounts, JobOptions } from "@docsearch/service";
import { inTurn } from "@docsearch/service/index-turn";
import { describeRun, runsTakeTurns } from "@docsearch/service/run-record";
import { writeSourceTimes } from "@docsearch/service/source-times";
import type { IndexJob } from "./index-job.js";
import { runIndexWorker } from "./run-index-worker.js";

/**
 * The one way in which this server indexes: after every other run that changes the index, of whatever process, and in a
 * thread of its own.
 *
 * @throws like `runIndexWorker`; `STORE_FAILED` when nothing can be written beside the index
 */
export function indexInTurn(job: IndexJob, { signal, onDocument, onWait }: JobOptions): Promise<JobCounts> {
  const { projectRoot, location, env } = job;
  const turn = {
    env,
    location,
    projectRoot,
    failed: "stopped",
    signal,
    onWait: (holder: Parameters<typeof describeRun>[0]) => onWait(describeRun(holder)),
  } as const;
  return inTurn(turn, async (onOpen, tell) => {
    const startedAt = Date.now();
    const { done, counts } = await runIndexWorker(job, {
      signal,
      onOpen,
      onDocument: (documents) => {
        tell({ files: documents });
        onDocument(documents);
      },
    });
    if (runsTakeTurns(env)) writeSourceTimes(location, done, startedAt);
    return counts;
  });
}
