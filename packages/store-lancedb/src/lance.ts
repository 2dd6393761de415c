import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import type * as LanceDb from "@lancedb/lancedb";
import type * as Arrow from "apache-arrow";
import { importError } from "./errors.js";

/** The driver and the format in which it takes and gives rows. */
export interface Lance {
  readonly lancedb: typeof LanceDb;
  readonly arrow: typeof Arrow;
}

/** With so many processors or fewer the native module keeps none for its own work, and waits for ever. */
const FEW_PROCESSORS = 3;

let loading: Promise<Lance> | undefined;

/**
 * Loads the native module.
 *
 * @throws `BACKEND_NOT_INSTALLED`, `BACKEND_LOAD_FAILED`
 */
export function loadLance(): Promise<Lance> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Lance> {
  // The native module reads it when it first does something. It has no other setting for it.
  if (availableParallelism() <= FEW_PROCESSORS) process.env.LANCE_CPU_THREADS ??= "4";
  const require = createRequire(import.meta.url);
  try {
    const lancedb = require("@lancedb/lancedb") as typeof LanceDb;
    // The copy that LanceDB itself uses: it does not know the tables of another one.
    const arrow = createRequire(require.resolve("@lancedb/lancedb"))("apache-arrow") as typeof Arrow;
    return { lancedb, arrow };
  } catch (cause) {
    throw importError(cause);
  }
}
