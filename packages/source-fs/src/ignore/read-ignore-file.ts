import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";

/** Larger ones are no ignore files, and their patterns would be held against every file of the tree. */
const MAX_BYTES = 1_000_000;

/**
 * The bytes of an ignore file; empty when there is none.
 *
 * @param followLink git follows links to its own files, never one in the tree
 * @throws errors of the file system, and RangeError for a file over 1 MB: to go on without the rules would take in
 * what they keep out
 */
export async function readIgnoreFile(path: string, followLink: boolean): Promise<Buffer> {
  const noFollow = followLink ? 0 : (constants.O_NOFOLLOW ?? 0);
  const file = await open(path, constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0)).catch(ifAbsent);
  if (file === undefined) return Buffer.alloc(0);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return Buffer.alloc(0);
    if (stats.size > MAX_BYTES) throw new RangeError(`${basename(path)} is over ${MAX_BYTES} bytes long`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Also for a link where none is followed (ELOOP) and for a name below a file (ENOTDIR). */
function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ELOOP" || error.code === "ENOTDIR") return undefined;
  throw error;
}
