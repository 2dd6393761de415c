import { basename, resolve } from "node:path";
import type { CallOptions, DocumentSource, ReadItem, SourceItem } from "@docsearch/spec";
import { configError } from "./config-error.js";
import { FileAccess } from "./file-access.js";
import { AheadQueue } from "./read/ahead-queue.js";
import { directDocumentReader, type ReadDocumentOptions, readDocument } from "./read/read-document.js";
import { type Content, contentOf, type StatCache } from "./read/stat-cache.js";
import { type CheckedOptions, checkOptions, type WalkOptions } from "./walk/options.js";
import { walkGroups } from "./walk/walk.js";
import type { WalkedFile, WalkItem } from "./walk/walked.js";

export interface FileSourceOptions extends WalkOptions {
  /** Default: the last part of the root's path. */
  readonly collection?: string;
  /** For files that are no Unicode: a label that `TextDecoder` knows. Default `windows-1252`. */
  readonly fallbackEncoding?: string;
  /**
   * What the content of files was, so that files that are what they were come up as `unread`. It learns from each
   * reading; who gave it saves it. Default: every file is read.
   */
  readonly statCache?: StatCache;
  /**
   * Whether files on a drive that is away count as deleted. Default false: the folder where the drive was is a failure.
   * What lay on another file system is known from the last reading by `statCache`.
   */
  readonly ignoreMissingMounts?: boolean;
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
    read: (call = {}) => ({ [Symbol.asyncIterator]: () => readItems(checked, reading, options, call) }),
  };
}

async function* readItems(
  options: CheckedOptions,
  reading: ReadDocumentOptions,
  { statCache, ignoreMissingMounts = false }: Pick<FileSourceOptions, "statCache" | "ignoreMissingMounts">,
  call: CallOptions,
): AsyncGenerator<SourceItem, void, undefined> {
  const access = new FileAccess();
  const tree = statCache?.read(resolve(options.root), `${reading.collection}\0${reading.fallbackEncoding}`);
  const readDirectly = directDocumentReader(reading);
  const ahead = new AheadQueue<SourceItem>(AHEAD_FILES, AHEAD_BYTES);
  /** What comes up for an item of the walk, or the file when it must be read to know. */
  const known = (item: WalkItem): SourceItem | WalkedFile => {
    if (item.type === "failure") return { ...item, documentId: item.path };
    const content = item.type === "file" ? tree?.find(item) : undefined;
    if (item.type !== "file" || content === undefined) return item;
    const read = (): Promise<ReadItem> =>
      access.call(
        () => readDirectly(item),
        () => readDocument(item, reading),
        item.size,
      );
    return unread(item.path, content, reading.collection, read);
  };
  const noted = (file: WalkedFile, item: ReadItem): ReadItem => {
    const content = contentOf(item);
    if (content !== undefined) tree?.note(file, content);
    return item;
  };
  try {
    for await (const group of walkGroups(options, call)) {
      for (const item of group) {
        call.signal?.throwIfAborted();
        const step = known(item);
        if (access.isSlow) {
          while (ahead.isFull) yield await ahead.shift();
          if (step.type !== "file") ahead.push(Promise.resolve(step), 0);
          else
            ahead.push(
              readDocument(step, reading).then((read) => noted(step, read)),
              step.size,
            );
        } else {
          if (access.needsTurn) await access.takeTurn();
          yield step.type === "file"
            ? noted(
                step,
                access.direct(() => readDirectly(step), step.size),
              )
            : step;
        }
      }
    }
    while (!ahead.isEmpty) yield await ahead.shift();
    for (const path of tree?.end(ignoreMissingMounts, options.within) ?? []) {
      yield { type: "failure", documentId: path, path, error: awayError(path) };
    }
  } finally {
    await ahead.settle();
  }
}

/** The item that reading a file would give, whose content is known. */
function unread(path: string, content: Content, collection: string, read: () => Promise<ReadItem>): SourceItem {
  if ("skip" in content) return { type: "skip", path, reason: content.skip };
  return { type: "unread", document: { id: path, collection, path, metadata: {}, ...content }, read };
}

function awayError(path: string): Error {
  return new Error(
    `${path} cannot be read: it was on a drive that is away. Mount it, or give --prune (ignoreMissingMounts) if it will not come back`,
  );
}

function checkEncoding(label: string): void {
  try {
    new TextDecoder(label);
  } catch (error) {
    throw configError("fallbackEncoding", label, "an encoding that TextDecoder knows, such as shift_jis", error);
  }
}
