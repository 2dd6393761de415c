import type { Service, WatchData } from "@docsearch/service";
import { nameInProject } from "@docsearch/service/project";
import type { ServerOptions } from "./options.js";
import { SourceNames } from "./source-names.js";
import type { Telemetry } from "./telemetry.js";
import type { Watcher } from "./watcher.js";

/** Watching begins so long after the start, in milliseconds: the first answers come before. */
const WATCH_DELAY_MS = 500;

/** What is watched, by names from the project's folder. */
function watchedNames({ watch, projectRoot }: Pick<ServerOptions, "watch" | "projectRoot">): string[] {
  return watch.map((path) => nameInProject(projectRoot, path) || ".");
}

/** The service behind a door that opens at the first call: engine, store and model are imported then. */
export interface LazyService {
  get(): Promise<Service>;
  readonly sourceNames: SourceNames;
  /** Called when an index job has ended well; what is listed may be another now. */
  onIndexed: () => void;
  /** Begins to keep the index up to date with files, a moment later, if the options name any. */
  watch(): void;
  stopWaiting(): void;
  close(): Promise<void>;
}

export function lazyService(options: ServerOptions, telemetry?: Telemetry): LazyService {
  const sourceNames = new SourceNames(options);
  let service: Promise<Service> | undefined;
  let watcher: Watcher | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const onIndexed = (): void => lazy.onIndexed();
  const watchData = (): WatchData | undefined => {
    if (options.watch.length === 0) return undefined;
    return watcher?.status() ?? { state: "starting", paths: watchedNames(options) };
  };
  const startWatcher = async (): Promise<void> => {
    const module = await import("./watcher.js");
    if (isClosed) return;
    watcher = new module.Watcher(options, watchedNames(options), onIndexed);
    watcher.start();
  };
  const lazy: LazyService = {
    get() {
      service ??= import("./open-service.js").then(({ openService }) =>
        openService(options, { sourceNames, onIndexed, watchData, ...(telemetry !== undefined && { telemetry }) }),
      );
      return service;
    },
    sourceNames,
    onIndexed: () => {},
    watch() {
      if (options.watch.length > 0) timer = setTimeout(() => void startWatcher(), WATCH_DELAY_MS);
    },
    stopWaiting() {
      void service?.then((opened) => opened.stopWaiting());
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all([watcher?.close(), service?.then((opened) => opened.close())]);
    },
  };
  return lazy;
}
