import { DocsearchError } from "@docsearch/spec";
import { namedStore } from "../open-index.js";
import type { Flags } from "../setting-flags.js";
import { shownLocation } from "../shown-location.js";

export async function rollbackCommand(_operands: readonly string[], flags: Flags): Promise<void> {
  const { store, location } = await namedStore(flags);
  if (store.restorePrevious === undefined) {
    throw new DocsearchError("UNSUPPORTED", `the store "${store.name}" keeps no previous index`, {
      operation: "rollback",
    });
  }
  await store.restorePrevious();
  process.stdout.write(
    `the previous index is back at ${shownLocation(location)}; the one it replaced is kept, the same command returns to it\n`,
  );
}
