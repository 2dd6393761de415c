import { closeSync, openSync, readSync, statSync } from "node:fs";
import { APPLICATION_ID } from "./schema.js";

/** What lies at the path of an index. */
export type FileKind =
  | "missing"
  | "empty"
  | "index"
  | "folder"
  | "pipe, socket or device"
  | "database of another program"
  | "file of another kind";

const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";

// Offsets of big-endian numbers in the header (https://www.sqlite.org/fileformat2.html).
const SCHEMA_COOKIE = 40;
const USER_VERSION = 60;
const APPLICATION_ID_OFFSET = 68;

/** Looks at a file without opening it as a database, which could change it or the files beside it. */
export function fileKind(path: string): FileKind {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return "missing";
  if (found.isDirectory()) return "folder";
  // Opening a pipe would wait for someone at its other end.
  if (!found.isFile()) return "pipe, socket or device";
  if (found.size === 0) return "empty";
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, "r");
  try {
    readSync(file, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) return "file of another kind";
  const application = header.readInt32BE(APPLICATION_ID_OFFSET);
  if (application === APPLICATION_ID) return "index";
  // A database that never had a table: so looks an index that another process is about to make.
  const isNew = application === 0 && header.readInt32BE(SCHEMA_COOKIE) === 0 && header.readInt32BE(USER_VERSION) === 0;
  return isNew ? "empty" : "database of another program";
}
