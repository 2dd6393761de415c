import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Driver } from "./driver.js";
import { cachedPrepare } from "./statement-cache.js";

/** Loads better-sqlite3 and its native part. Rejects when either does not load. */
export async function loadBetterSqlite3(): Promise<Driver> {
  const manifest = createRequire(import.meta.url).resolve("better-sqlite3/package.json");
  refuseCrashingVersion(manifest);
  const { default: Database } = await import("better-sqlite3");
  const native = nativePart(join(manifest, ".."));
  // The native part loads with the first connection.
  new Database(":memory:", native).close();
  return {
    name: "better-sqlite3",
    open: (path, { access }) => {
      const isReader = access !== "write";
      const database =
        access === "read-frozen"
          ? new Database(withoutLog(readFileSync(path)), { ...native, readonly: true })
          : new Database(path, { ...native, readonly: isReader, fileMustExist: isReader });
      return {
        prepare: cachedPrepare((sql) => database.prepare(sql)),
        exec: (sql) => void database.exec(sql),
        loadExtension: (extension) => void database.loadExtension(extension),
        backup: async (target) => void (await database.backup(target)),
        close: () => void database.close(),
      };
    },
  };
}

/**
 * The bytes of a database, marked as one that keeps no write-ahead log, which it must not have in memory. There is no
 * other way: better-sqlite3 takes no URI, in which SQLite could be told that the file does not change.
 */
function withoutLog(bytes: Buffer): Buffer {
  bytes.fill(1, 18, 20);
  return bytes;
}

/** Where npm and pnpm leave the native part. Given it, better-sqlite3 does not load a package to look for it elsewhere. */
function nativePart(folder: string): { readonly nativeBinding?: string } {
  const nativeBinding = join(folder, "build", "Release", "better_sqlite3.node");
  return existsSync(nativeBinding) ? { nativeBinding } : {};
}

/** better-sqlite3 13 ends the process on Node 20 with a segmentation fault, which nothing could catch. */
function refuseCrashingVersion(manifest: string): void {
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string };
  const node = process.versions.node;
  if (Number.parseInt(version, 10) >= 13 && Number.parseInt(node, 10) < 22) {
    throw new Error(
      `better-sqlite3 ${version} needs Node 22 or newer, and this is Node ${node}. Run: npm install better-sqlite3@12`,
    );
  }
}
