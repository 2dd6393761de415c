import { resolve } from "node:path";
import { chunkDocument, chunkersFromEnv } from "@docsearch/core";
import { fileSource } from "@docsearch/source-fs";
import type { ChunkDraft, Document } from "@docsearch/spec";
import { EXIT } from "../exit-codes.js";
import { PACKAGE_ROOT } from "../open-index.js";
import { printJson } from "../output/print-json.js";
import { styler } from "../output/style.js";
import { environmentWith } from "../setting-flags.js";

export async function chunkCommand(file: string, flags: { readonly json?: boolean }): Promise<void> {
  const document = await readDocument(file);
  if (document === undefined) {
    process.exitCode = EXIT.error;
    return;
  }
  const { chunkers, chunking } = await chunkersFromEnv(environmentWith({ ...flags }, process.env), {
    root: PACKAGE_ROOT,
  });
  const result = chunkDocument(chunkers, chunking, document);
  if (flags.json) return printJson(result);
  const style = styler(process.stdout);
  process.stdout.write(result.chunks.map((chunk, index) => describe(chunk, index, style)).join("\n"));
  for (const { message } of result.diagnostics) process.stderr.write(`docsearch: ${message}\n`);
}

async function readDocument(file: string): Promise<Document | undefined> {
  for await (const item of fileSource({ root: resolve(file), collection: "" }).read()) {
    if (item.type === "document") return item.document;
    const reason = item.type === "skip" ? item.reason : String(item.error);
    process.stderr.write(`docsearch: ${file} is not read: ${reason}\n`);
  }
  return undefined;
}

function describe(chunk: ChunkDraft, index: number, style: ReturnType<typeof styler>): string {
  const { span, headingPath, text, standaloneText } = chunk;
  const place = `lines ${span.startLine}-${span.endLine}, characters ${span.startOffset}-${span.endOffset}`;
  const head = `#${index + 1}  ${place}, size ${text.length}  ${headingPath.join(" > ")}`;
  return `${style("cyan", head)}\n${standaloneText ?? text}\n`;
}
