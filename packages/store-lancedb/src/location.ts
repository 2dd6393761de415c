import { existsSync, readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { DocsearchError, type OpenOptions } from "@docsearch/spec";
import { CATALOG } from "./catalog.js";
import { indexMissing } from "./identity.js";
import { generationOf } from "./tables.js";

/** Where an index is. */
export interface Location {
  readonly kind: "folder" | "objects";
  /** As LanceDB takes it: an absolute path, or an address. */
  readonly uri: string;
}

const EXPECTED = "a folder, s3://bucket/prefix, gs://bucket/prefix or az://container/prefix";

/**
 * Reads an address.
 *
 * @param setting names the address in the error
 * @throws `CONFIG_INVALID`
 */
export function parseLocation(url: string, setting: string): Location {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined && url !== "") return { kind: "folder", uri: resolve(url) };
  if (scheme !== undefined && ["s3", "gs", "az"].includes(scheme) && /^[^/]+:\/\/[^/?#@]+(?:\/[^?#]*)?$/.test(url)) {
    return { kind: "objects", uri: url.replace(/\/+$/, "") };
  }
  // What is no address of ours may hold a password, so it is not repeated.
  const value = scheme === undefined ? url : `${scheme}://...`;
  throw new DocsearchError("CONFIG_INVALID", `${setting} is "${value}"; it must be ${EXPECTED}.`, {
    setting,
    value,
    expected: EXPECTED,
  });
}

/** Refuses a folder that is not ours, before LanceDB touches it. */
export function assertUsable({ kind, uri }: Location, mode: OpenOptions["mode"]): void {
  if (kind === "objects") return;
  if (!existsSync(uri)) {
    if (mode === "read") throw indexMissing(uri);
    return;
  }
  const isFolder = statSync(uri).isDirectory();
  // LanceDB's own list of tables comes first: a folder with nothing else is one in which an index is being made.
  const names = isFolder ? readdirSync(uri).filter((name) => name !== "__manifest") : [];
  if (isFolder && names.length === 0) {
    if (mode === "read") throw indexMissing(uri);
    return;
  }
  if (names.some((name) => name === `${CATALOG}.lance` || generationOf(name.replace(/\.lance$/, "")) !== undefined)) {
    return;
  }
  throw new DocsearchError(
    "STORE_FAILED",
    `${uri} is ${isFolder ? "a folder of something else" : "a file"} and was left as it is; an index in LanceDB was expected there. Set DOCS_STORE_URL to another folder.`,
    { operation: "open" },
  );
}
