import { isUtf8 } from "node:buffer";
import { type Dirent, readdirSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { sep } from "node:path";
import type { FileAccess } from "../file-access.js";
import { toByteString } from "../ignore/byte-string.js";
import type { SkipReason } from "../skip-reason.js";

/** One name in a folder. */
export interface Entry {
  /** As it is shown; bytes that are not UTF-8 as `\xff`. */
  readonly name: string;
  /** Byte string. */
  readonly bytes: string;
  readonly validName: boolean;
  readonly kind: "file" | "folder" | "link" | "special-file";
  /** Where to read it: of a link that is followed, the real path of its target. */
  readonly absolute: string;
  /** Comes through a link that is followed. */
  readonly followed: boolean;
  /** Why a link is not followed. */
  readonly linkProblem?: Extract<SkipReason, "link" | "link-broken" | "link-outside-root">;
}

/**
 * The entries of a folder in code unit order of the paths that they lead to: a folder sorts with a slash at its end.
 *
 * @param folder real path
 * @param boundary real path of the folder that no link may lead out of; undefined when links are not followed
 */
export async function listFolder(folder: string, boundary: string | undefined, access: FileAccess): Promise<Entry[]> {
  const dirents = await access.call(
    () => readdirSync(folder, { withFileTypes: true }),
    () => readdir(folder, { withFileTypes: true }),
  );
  // Node puts U+FFFD for bytes that are not UTF-8. Only then are the bytes worth a second look.
  const entries = dirents.some(({ name }) => name.includes("\ufffd"))
    ? (await readdir(folder, { withFileTypes: true, encoding: "buffer" })).map((dirent) => byteEntry(folder, dirent))
    : dirents.map((dirent) => entry(folder, dirent.name, toByteString(dirent.name), true, kindOf(dirent)));
  const resolved = boundary === undefined ? entries : await Promise.all(entries.map((one) => follow(one, boundary)));
  return resolved
    .map((one) => ({ one, key: one.kind === "folder" ? `${one.name}/` : one.name }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ one }) => one);
}

function byteEntry(folder: string, dirent: Dirent<Buffer>): Entry {
  const bytes = dirent.name.toString("latin1");
  if (isUtf8(dirent.name)) return entry(folder, dirent.name.toString("utf8"), bytes, true, kindOf(dirent));
  const shown = bytes.replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
  return entry(folder, shown, bytes, false, kindOf(dirent));
}

function entry(folder: string, name: string, bytes: string, validName: boolean, kind: Entry["kind"]): Entry {
  const absolute = folder.endsWith(sep) ? folder + name : folder + sep + name;
  return {
    name,
    bytes,
    validName,
    kind,
    absolute,
    followed: false,
    ...(kind === "link" && { linkProblem: "link" as const }),
  };
}

function kindOf(dirent: Pick<Dirent, "isFile" | "isDirectory" | "isSymbolicLink">): Entry["kind"] {
  if (dirent.isFile()) return "file";
  if (dirent.isDirectory()) return "folder";
  return dirent.isSymbolicLink() ? "link" : "special-file";
}

/** A link as what it points to, when that lies inside the boundary. */
async function follow(link: Entry, boundary: string): Promise<Entry> {
  if (link.kind !== "link" || !link.validName) return link;
  try {
    const target = await realpath(link.absolute);
    const inside = target === boundary || target.startsWith(boundary.endsWith(sep) ? boundary : boundary + sep);
    if (!inside) return { ...link, linkProblem: "link-outside-root" };
    const { linkProblem: _, ...entry } = link;
    return { ...entry, kind: kindOf(await stat(target)), absolute: target, followed: true };
  } catch {
    return { ...link, linkProblem: "link-broken" };
  }
}
