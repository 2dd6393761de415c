import { crc32 } from "node:zlib";
import type { SqlValue } from "./driver.js";

/** Stands for NULL, which must not look like an empty text. */
const NULL = "\u0001";

/** Checksum of the columns of a row, in their order: CRC-32 finds what a faulty disk or a stray edit changes. */
export function checksumOfRow(values: readonly SqlValue[]): number {
  return crc32(values.map(textOf).join("\u0000"));
}

/** The same for a blob that comes from SQLite and for the one that was stored, whatever array holds it. */
function textOf(value: SqlValue): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value ?? NULL);
}

/** Checksum of the blobs of a block, in their order. */
export function checksumOfBlobs(...blobs: readonly Uint8Array[]): number {
  return blobs.reduce((sum, blob) => crc32(blob, sum), 0);
}
