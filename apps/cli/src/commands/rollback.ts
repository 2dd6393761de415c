import { inTurn } from "@docsearch/service/index-turn";
import { describeRun } from "@docsearch/service/run-record";
import { DocsearchError } from "@docsearch/spec";
import { environmentOf } from "../environment.js";
import { interruptible } from "../interrupt.js";
import { namedStore } from "../open-index.js";
import { printJson } from "../output/print-json.js";
import { warn } from "../output/warn.js";
import { projectRoot } from "../project.js";
import type { Flags } from "../setting-flags.js";
import { shownLocation } from "../shown-location.js";

export async function rollbackCommand(_operands: readonly string[], flags: Flags): Promise<void> {
  const { store, location } = await namedStore(flags);
  const { restorePrevious } = store;
  if (restorePrevious === undefined) {
    throw new DocsearchError("UNSUPPORTED", `the store "${store.name}" keeps no previous index`, {
      operation: "rollback",
    });
  }
  const turn = { env: environmentOf(flags), location, projectRoot: projectRoot(), failed: "untouched" } as const;
  const onWait = (holder: Parameters<typeof describeRun>[0]): void => {
    warn(`waiting for ${describeRun(holder)}, which is writing to the index`);
  };
  // A run that goes on writing would write to another index than the one that it has looked at.
  await interruptible(
    (signal) => inTurn({ ...turn, signal, onWait }, () => restorePrevious.call(store, { signal })),
    () => "stopped; the index is what it was before",
  );
  if (flags.json === true) printJson({ restored: shownLocation(location) });
  else
    process.stdout.write(
      `the previous index is back at ${shownLocation(location)}; the one it replaced is kept, the same command returns to it\n`,
    );
}
