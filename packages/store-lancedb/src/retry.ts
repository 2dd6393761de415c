import { setTimeout as sleep } from "node:timers/promises";
import { DocsearchError } from "@docsearch/spec";
import { isConflict } from "./errors.js";

/** LanceDB itself tries ten times before it reports a conflict. */
const TRIES = 6;

/** Longest wait before another try, in milliseconds; the first is a thirtieth of it. */
const LONGEST_WAIT = 2000;

/**
 * Commits, and tries again when another process committed first.
 *
 * @throws `INDEX_LOCKED` when that goes on
 */
export async function retryConflicts<T>(place: string, commit: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await commit();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (attempt === TRIES) {
        throw new DocsearchError(
          "INDEX_LOCKED",
          `The index in ${place} was changed by other processes at every one of ${TRIES} tries, and this change was not made. Let one process write at a time, then try again.`,
          {},
          { cause: error },
        );
      }
      await sleep(Math.min(LONGEST_WAIT, 2 ** attempt * 33) * (0.5 + Math.random() / 2));
    }
  }
}
