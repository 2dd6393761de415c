import { basename, resolve } from "node:path";
import type { CallOptions, DocumentSource, SourceItem } from "@docsearch/spec";
import { configError } from "./config-error.js";
import { FileAccess } from "./file-access.js";
import { AheadQueue } from "./read/ahead-queue.js";
import { directDocumentReader, type ReadDocumentOptions, readDocument } from "./read/read-document.js";
import { type CheckedOptions, checkOptions, type WalkOptions } from "./walk/options.js";
import { walkGroups } from "./walk/walk.js";
import type { WalkedFile, WalkItem } from "./walk/walked.js";

export interface FileSourceOptions extends WalkOptions {
  /** Default: the last part of the root's path. */
  readonly collection?: string;
  /** For files that are no Unicode: a label that `TextDecoder` knows. Default `windows-1252`. */
  readonly fallbackEncoding?: string;
}

/** Files that are read ahead of the consumer, and the bytes that they may have together. */
const AHEAD_FILES = 16;
const AHEAD_BYTES = 32_000_000;

/**
 * The text files of a folder as documents. A document's id and path are the file's path relative to the root,
 * separated by `/` and not normalised in any way; items come in code unit order of their paths. Nothing is touched
 * before `read` is iterated.
 *
 * A failure whose id ends with a slash is a folder that could not be read: nothing is known of any document whose id
 * begins with it.
 *
 * @throws `CONFIG_INVALID` at once for wrong options; `read` throws it when the root is not there, cannot be read, or
 * goes away while it is read
 */
export function fileSource(options: FileSourceOptions): DocumentSource {
  const checked = checkOptions(options);
  const { fallbackEncoding = "windows-1252", collection = basename(resolve(options.root)) || "/" } = options;
  checkEncoding(fallbackEncoding);
  const reading: ReadDocumentOptions = { collection, maxFileBytes: checked.maxFileBytes, fallbackEncoding };
  return {
    collection,
    read: (call = {}) => ({ [Symbol.asyncIterator]: () => readItems(checked, reading, call) }),
  };
}

async function* readItems(
  options: CheckedOptions,
  reading: ReadDocumentOptions,
  call: CallOptions,
): AsyncGenerator<SourceItem, void, undefined> {
  const access = new FileAccess();
  const readDirectly = directDocumentReader(reading);
  const ahead = new AheadQueue<SourceItem>(AHEAD_FILES, AHEAD_BYTES);
  try {
    for await (const group of walkGroups(options, call)) {
      for (const item of group) {
        call.signal?.throwIfAborted();
        if (access.isSlow) {
          while (ahead.isFull) yield await ahead.shift();
          if (item.type === "file") ahead.push(readDocument(item, reading), item.size);
          else ahead.push(Promise.resolve(sourceItem(item)), 0);
        } else {
          if (access.needsTurn) await access.takeTurn();
          yield item.type === "file" ? access.direct(() => readDirectly(item), item.size) : sourceItem(item);
        }
      }
    }
    while (!ahead.isEmpty) yield await ahead.shift();
  } finally {
    await ahead.settle();
  }
}

function sourceItem(item: Exclude<WalkItem, WalkedFile>): SourceItem {
  return item.type === "skip" ? item : { ...item, documentId: item.path };
}

function checkEncoding(label: string): void {
  try {
    new TextDecoder(label);
  } catch (error) {
    throw configError("fallbackEncoding", label, "an encoding that TextDecoder knows, such as shift_jis", error);
  }
}
