import { resolve } from "node:path";
import { DocsearchError } from "@docsearch/spec";

/** Where the database is. */
export type Location =
  | { readonly kind: "server"; readonly dsn: string; readonly name: string }
  | { readonly kind: "folder"; readonly path: string; readonly name: string }
  | { readonly kind: "memory"; readonly name: string };

const EXPECTED = "postgres://user:password@host:5432/database, a folder, or memory://";

/**
 * Reads an address. `name` is for messages and holds no password.
 *
 * @param setting names the address in the error
 * @throws `CONFIG_INVALID`
 */
export function parseLocation(url: string, setting: string): Location {
  if (/^postgres(ql)?:\/\//i.test(url)) return { kind: "server", dsn: url, name: serverName(url, setting) };
  if (url === "memory://") return { kind: "memory", name: url };
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1];
  if (scheme !== undefined) throw invalid(setting, `${scheme}://...`);
  if (url === "") throw invalid(setting, url);
  const path = resolve(url);
  return { kind: "folder", path, name: path };
}

function serverName(dsn: string, setting: string): string {
  let url: URL;
  try {
    url = new URL(dsn);
  } catch {
    // The address may hold a password, so it is not repeated.
    throw invalid(setting, "postgres://...");
  }
  const database = url.pathname.slice(1);
  return `postgres://${url.username === "" ? "" : `${url.username}@`}${url.host}/${database}`;
}

function invalid(setting: string, value: string): DocsearchError {
  return new DocsearchError("CONFIG_INVALID", `${setting} is "${value}"; it must be ${EXPECTED}.`, {
    setting,
    value,
    expected: EXPECTED,
  });
}
