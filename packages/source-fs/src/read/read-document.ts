import { hash } from "node:crypto";
import type { ReadItem } from "@docsearch/spec";
import { type DecodeOptions, decode } from "../decode/decode.js";
import { fileError } from "../file-error.js";
import type { SkipReason } from "../skip-reason.js";
import type { WalkedFile } from "../walk/walked.js";
import { contentRuleOf } from "./content-rules.js";
import { mediaTypeOf } from "./media-type.js";
import { directReader, type FileBytes, readBytes } from "./read-bytes.js";

export interface ReadDocumentOptions extends DecodeOptions {
  readonly collection: string;
  /** Bytes; a file that has grown over it since the walk is left out. */
  readonly maxFileBytes: number;
}

/**
 * Reads one file of a walk: as a document, or left out by a rule about content, or as a failure. Never rejects.
 * The content hash is the SHA-256 of the bytes, in hexadecimal.
 */
export async function readDocument(file: WalkedFile, options: ReadDocumentOptions): Promise<ReadItem> {
  try {
    return itemOf(await readBytes(file.absolutePath, options.maxFileBytes), file, options);
  } catch (error) {
    return failure(file, error);
  }
}

/** A function that does the same without the thread pool, for file systems that are fast. */
export function directDocumentReader(options: ReadDocumentOptions): (file: WalkedFile) => ReadItem {
  const read = directReader();
  return (file) => {
    try {
      return itemOf(read(file.absolutePath, file.size, options.maxFileBytes), file, options);
    } catch (error) {
      return failure(file, error);
    }
  };
}

function failure({ path }: WalkedFile, error: unknown): ReadItem {
  return { type: "failure", documentId: path, path, error: fileError(path, error) };
}

function itemOf(bytes: FileBytes, { path, contentRules }: WalkedFile, options: ReadDocumentOptions): ReadItem {
  const skip = (reason: SkipReason): ReadItem => ({ type: "skip", path, reason });
  if (typeof bytes === "string") return skip(bytes);
  const decoded = decode(bytes, options);
  if ("binary" in decoded) return skip("binary");
  const { text } = decoded;
  const mediaType = mediaTypeOf(path, text);
  const rule = contentRuleOf(text, mediaType, contentRules);
  if (rule !== undefined) return skip(rule);
  const contentHash = hash("sha256", bytes, "hex");
  const { collection } = options;
  return { type: "document", document: { id: path, collection, text, contentHash, mediaType, path, metadata: {} } };
}
