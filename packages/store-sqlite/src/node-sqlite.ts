import type { Driver } from "./driver.js";
import { cachedPrepare } from "./statement-cache.js";

// Typed here and not by @types/node: the module does not exist in every version of Node that is supported.
interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean; readonly allowExtension: boolean },
  ) => {
    prepare(sql: string): unknown;
    exec(sql: string): void;
    loadExtension(path: string): void;
    close(): void;
  };
}

/** The driver built into Node, where there is one. */
export function loadNodeSqlite(): Driver | undefined {
  const module = process.getBuiltinModule("node:sqlite") as unknown as NodeSqlite | undefined;
  if (module === undefined) return undefined;
  return {
    name: "node:sqlite",
    open: (path, { readOnly }) => {
      const database = new module.DatabaseSync(path, { readOnly, allowExtension: true });
      return {
        prepare: cachedPrepare((sql) => database.prepare(sql)),
        exec: (sql) => database.exec(sql),
        loadExtension: (extension) => database.loadExtension(extension),
        close: () => database.close(),
      };
    },
  };
}
