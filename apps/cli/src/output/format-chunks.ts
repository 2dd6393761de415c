import type { ChunkDraft, ChunkResult } from "@docsearch/spec";
import { escapeLine, escapeText } from "./escape.js";
import { grouped } from "./numbers.js";
import { styler } from "./style.js";

/** Chunks for a person: where each stands and how long it is, then its text as it is shown on its own. */
export function formatChunks({ chunks }: ChunkResult): string {
  const style = styler(process.stdout);
  return chunks
    .map((chunk, index) => `${style("cyan", headOf(chunk, index))}\n${escapeText(bodyOf(chunk))}\n`)
    .join("\n");
}

function headOf({ span, headingPath, text }: ChunkDraft, index: number): string {
  const { startLine, endLine, startOffset, endOffset } = span;
  const place = `lines ${startLine}-${endLine}, characters ${startOffset}-${endOffset}, size ${grouped(text.length)}`;
  const heading = headingPath.length === 0 ? "" : `: ${escapeLine(headingPath.join(" > "))}`;
  return `chunk ${index + 1}, ${place}${heading}`;
}

function bodyOf({ text, standaloneText }: ChunkDraft): string {
  return (standaloneText ?? text).replace(/\r\n?/g, "\n").replace(/\n+$/, "");
}
