import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { docsearchFromEnv } from "@docsearch/core";
import {
  createService,
  sourceNames as listNames,
  type OnSearch,
  plainNames,
  resolveInside,
  type Service,
} from "@docsearch/service";
import { createQueryLog } from "@docsearch/service/query-log";
import type { Env } from "@docsearch/spec";
import type { ServerOptions } from "./options.js";
import { runIndexWorker } from "./run-index-worker.js";
import type { SourceNames } from "./source-names.js";

/** Folder of this package: where the backends that it brings are found. */
const PACKAGE_ROOT = fileURLToPath(new URL("..", import.meta.url));
/** After an answer, so that nobody waits for the names. */
const NAMES_DELAY_MS = 300;

/** The service on the project's index. The index itself is opened at the first call. */
export function openService(options: ServerOptions, sourceNames: SourceNames, onIndexed: () => void): Service {
  const { env, location, projectRoot, roots } = options;
  const settings = { ...env, DOCS_STORE_URL: location };
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
      const docsearch = await docsearchFromEnv(settings, { root: PACKAGE_ROOT, mode });
      if (mode === "read") refreshNames();
      return docsearch;
    },
    stamp: () => String(statSync(location, { throwIfNoEntry: false })?.ino),
    resolvePath: (path) => resolveInside(path, projectRoot, roots),
    async runJob(path, job) {
      const counts = await runIndexWorker({ path, projectRoot, settings, packageRoot: PACKAGE_ROOT }, job);
      refreshNames();
      onIndexed();
      return counts;
    },
  });
  return service;
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
