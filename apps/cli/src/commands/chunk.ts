import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { chunkDocument, chunkersFromEnv, composeEmbedText } from "@docsearch/core";
import { fileSource } from "@docsearch/source-fs";
import { type ChunkResult, DocsearchError, type Document } from "@docsearch/spec";
import { PACKAGE_ROOT, withSettings } from "../environment.js";
import { formatChunks } from "../output/format-chunks.js";
import { printJson } from "../output/print-json.js";
import { warn } from "../output/warn.js";
import type { Flags } from "../setting-flags.js";

interface ChunkFlags extends Flags {
  readonly json?: boolean;
}

export async function chunkCommand([file = ""]: readonly string[], flags: ChunkFlags): Promise<void> {
  const document = await readDocument(file);
  const result = await withSettings(flags, async (env) => {
    const { chunkers, chunking } = await chunkersFromEnv(env, { root: PACKAGE_ROOT });
    return chunkDocument(chunkers, chunking, document);
  });
  if (flags.json) printJson(jsonChunks(document, result));
  else process.stdout.write(formatChunks(result));
  for (const { message, span } of result.diagnostics) {
    warn(`${file}${span === undefined ? "" : `:${span.startLine}`}: ${message}`);
  }
}

/** @throws `CONFIG_INVALID` when the path is no file, or one that would not be indexed */
async function readDocument(file: string): Promise<Document> {
  const root = resolve(file);
  const stats = statSync(root, { throwIfNoEntry: false });
  if (stats === undefined) throw unreadable(file, "it is not there");
  if (!stats.isFile()) {
    throw unreadable(file, stats.isDirectory() ? "it is a folder" : "it is a pipe, a socket or a device");
  }
  for await (const found of fileSource({ root, collection: basename(root), env: process.env }).read()) {
    const item = found.type === "unread" ? await found.read() : found;
    if (item.type === "document") return item.document;
    if (item.type === "failure") throw item.error;
    throw unreadable(file, `an index would leave it out (${item.reason})`);
  }
  throw unreadable(file, "it cannot be read");
}

function unreadable(file: string, reason: string): DocsearchError {
  const expected = "a text file";
  return new DocsearchError("CONFIG_INVALID", `${file} cannot be chunked: ${reason}; expected ${expected}`, {
    setting: "file",
    value: file,
    expected,
  });
}

function jsonChunks(document: Document, result: ChunkResult): object {
  const { mediaType } = document;
  const title = document.title ?? result.title;
  const chunks = result.chunks.map((chunk) => ({ ...chunk, embedText: composeEmbedText(title, chunk) }));
  return { mediaType, ...result, chunks };
}
