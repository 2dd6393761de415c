import { statSync } from "node:fs";
import { createRegistry, docsearchFromEnv, knownEmbeddersFile } from "@docsearch/core";
import {
  createService,
  sourceNames as listNames,
  type OnSearch,
  plainNames,
  type Service,
  type WatchData,
} from "@docsearch/service";
import { coverageOf } from "@docsearch/service/coverage";
import { inTurn } from "@docsearch/service/index-turn";
import { createQueryLog } from "@docsearch/service/query-log";
import { type CallOptions, DocsearchError, type Env } from "@docsearch/spec";
import { indexInTurn } from "./index-in-turn.js";
import { resolveIndexPath } from "./index-paths.js";
import { jobOf, type ServerOptions } from "./options.js";
import { PACKAGE_ROOT } from "./run-index-worker.js";
import { freshnessOf } from "./source-freshness.js";
import type { SourceNames } from "./source-names.js";
import type { Telemetry } from "./telemetry.js";

/** After an answer, so that nobody waits for the names. */
const NAMES_DELAY_MS = 300;
/** A removal waits so long for a run that changes the index, in milliseconds. */
const TURN_MS = 10_000;

export interface ServiceParts {
  readonly sourceNames: SourceNames;
  /** Called when an index job has ended well. */
  readonly onIndexed: () => void;
  readonly watchData: () => WatchData | undefined;
  readonly telemetry?: Telemetry;
}

/** The service on the project's index. The index itself is opened at the first call. */
export function openService(
  options: ServerOptions,
  { sourceNames, onIndexed, watchData, telemetry }: ServiceParts,
): Service {
  const { env, location } = options;
  const settings = { ...env, DOCS_STORE_URL: location };
  const registry = createRegistry({ root: PACKAGE_ROOT });
  const refreshNames = (): void => {
    setTimeout(() => {
      service
        .withIndex(async (docsearch) => sourceNames.set(plainNames(await listNames(docsearch, {}))))
        .catch(() => {});
    }, NAMES_DELAY_MS).unref();
  };
  const service = createService({
    onSearch: queryLog(env),
    async open(mode) {
      const docsearch = await docsearchFromEnv(settings, {
        registry: telemetry?.registry(registry) ?? registry,
        mode,
        knownEmbedders: knownEmbeddersFile(env),
      });
      if (mode === "read") refreshNames();
      return telemetry?.docsearch(docsearch) ?? docsearch;
    },
    stamp: () => String(statSync(location, { throwIfNoEntry: false })?.ino),
    resolvePath: (path) => resolveIndexPath(path, options),
    async runJob(path, job) {
      const counts = await indexInTurn(jobOf(options, [path]), job);
      refreshNames();
      onIndexed();
      return counts;
    },
    inTurn: (body, call) => inShortTurn(options, body, call),
    freshnessOf: (docsearch, names, call) => freshnessOf(options, docsearch, names, call),
    coverageOf: (docsearch, call) => coverageOf(docsearch, env, location, call),
    watch: watchData,
  });
  return service;
}

/** @throws `INDEX_LOCKED` when another run does not end in time */
async function inShortTurn<T>(
  { env, location, projectRoot }: ServerOptions,
  body: () => Promise<T>,
  call: CallOptions,
): Promise<T> {
  const timeout = AbortSignal.timeout(TURN_MS);
  const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]);
  const turn = { env, location, projectRoot, failed: "untouched", signal, onWait: () => {} } as const;
  let hasBegun = false;
  try {
    return await inTurn(turn, () => {
      hasBegun = true;
      return body();
    });
  } catch (cause) {
    if (hasBegun || !timeout.aborted) throw cause;
    throw new DocsearchError("INDEX_LOCKED", "another run is writing to the index", {}, { cause });
  }
}

/** Writes searches to the log that the environment names; without one it does nothing. */
function queryLog({ DOCS_QUERY_LOG, DOCS_QUERY_LOG_TEXT }: Env): OnSearch {
  const file = DOCS_QUERY_LOG?.trim();
  if (!file) return () => {};
  const withText = DOCS_QUERY_LOG_TEXT?.trim() === "yes";
  const onError = (message: string): void => {
    process.stderr.write(`docsearch-mcp: ${message}\n`);
  };
  const log = createQueryLog({ file, withText, client: "mcp", onError });
  return (request, response) => log.record(request, response);
}
