import type { Service } from "@docsearch/service";
import type { ServerOptions } from "./options.js";
import { SourceNames } from "./source-names.js";

/** The service behind a door that opens at the first call: engine, store and model are imported then. */
export interface LazyService {
  get(): Promise<Service>;
  readonly sourceNames: SourceNames;
  /** Called when an index job has ended well; what is listed may be another now. */
  onIndexed: () => void;
  stopWaiting(): void;
  close(): Promise<void>;
}

export function lazyService(options: ServerOptions): LazyService {
  const sourceNames = new SourceNames(options);
  let service: Promise<Service> | undefined;
  const lazy: LazyService = {
    get() {
      service ??= import("./open-service.js").then(({ openService }) =>
        openService(options, sourceNames, () => lazy.onIndexed()),
      );
      return service;
    },
    sourceNames,
    onIndexed: () => {},
    stopWaiting() {
      void service?.then((opened) => opened.stopWaiting());
    },
    async close() {
      await (await service)?.close();
    },
  };
  return lazy;
}
