import { pathToFileURL } from "node:url";
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
  /** From Node 22.16 and 23.8 on. */
  readonly backup?: (database: object, path: string) => Promise<number>;
}

/** The driver built into Node, where there is one. */
export function loadNodeSqlite(): Driver | undefined {
  const module = process.getBuiltinModule("node:sqlite") as unknown as NodeSqlite | undefined;
  if (module === undefined) return undefined;
  return {
    name: "node:sqlite",
    open: (path, { access }) => {
      const location = access === "read-frozen" ? `${pathToFileURL(path).href}?immutable=1` : path;
      const database = new module.DatabaseSync(location, { readOnly: access !== "write", allowExtension: true });
      return {
        prepare: cachedPrepare((sql) => database.prepare(sql)),
        exec: (sql) => database.exec(sql),
        loadExtension: (extension) => database.loadExtension(extension),
        async backup(target) {
          if (module.backup === undefined) {
            throw new Error(
              `The SQLite of Node ${process.versions.node} cannot copy a database. Run: npm install better-sqlite3`,
            );
          }
          await module.backup(database, target);
        },
        close: () => database.close(),
      };
    },
  };
}
