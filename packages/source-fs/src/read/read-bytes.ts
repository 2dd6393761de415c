import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { SAMPLE_BYTES } from "../decode/binary.js";
import { looksBinary } from "../decode/decode.js";

/** What is read of a plain file, or why it is left out. Of a large one that is not text only the start is read. */
export type FileBytes = Buffer | "too-large" | "binary";

/** A link that took the place of the file is not followed, and a pipe does not make us wait for its other end. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Most files fit, and need no memory of their own. */
const SCRATCH_BYTES = SAMPLE_BYTES + 1;

/**
 * A function that reads files without the thread pool. What it returns holds until its next call.
 * Parameters: path, bytes that the file is expected to have, and bytes above which it is left out, however fast it
 * grows. Throws the file system's errors.
 */
export function directReader(): (path: string, size: number, maxBytes: number) => FileBytes {
  const scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  return (path, size, maxBytes) => {
    const file = openSync(path, FLAGS);
    try {
      // One byte more than the file has: a read that leaves it free has met the end.
      let bytes = size < SCRATCH_BYTES ? scratch : Buffer.allocUnsafeSlow(size + 1);
      let length = 0;
      for (;;) {
        const isStart = length === 0 && size > SAMPLE_BYTES;
        const wanted = isStart ? SAMPLE_BYTES : bytes.length - length;
        const got = readSync(file, bytes, length, wanted, null);
        length += got;
        if (length > maxBytes) return "too-large";
        if (got === 0 || (got < wanted && length === size)) break;
        if (isStart && looksBinary(bytes.subarray(0, length))) return "binary";
        if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafeSlow(length)]);
      }
      // It has changed since it was looked at, perhaps into a pipe, which reads as empty.
      if (length !== size && !fstatSync(file).isFile()) throw notPlain();
      return bytes.subarray(0, length);
    } finally {
      closeSync(file);
    }
  };
}

/** The same through the thread pool, for file systems that are slow. */
export async function readBytes(path: string, maxBytes: number): Promise<FileBytes> {
  const file = await open(path, FLAGS);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw notPlain();
    if (stats.size > maxBytes) return "too-large";
    if (stats.size > SAMPLE_BYTES) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
      if (looksBinary(buffer.subarray(0, bytesRead))) return "binary";
    }
    const bytes = await file.readFile();
    return bytes.length > maxBytes ? "too-large" : bytes;
  } finally {
    await file.close();
  }
}

function notPlain(): Error {
  return new Error("it is not a plain file any more");
}
