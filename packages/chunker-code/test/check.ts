import { assertChunks } from "@docsearch/conformance";
import type { ChunkOptions, ChunkResult } from "@docsearch/spec";
import { CHARACTERS, chunk, document, symbolsOf } from "./chunk.js";

/** Chunks a text and asserts all that chunkers promise. */
export function checked(text: string, file: string, options: Partial<ChunkOptions> = {}): ChunkResult {
  const result = chunk(text, file, options);
  expectPromises(text, file, result, options);
  return result;
}

/** Kind and name of each symbol of a text, whose chunks keep all promises. */
export function symbolsIn(text: string, file: string): string[] {
  return symbolsOf(checked(text, file)).map(({ kind, name }) => `${kind} ${name}`);
}

export function expectPromises(
  text: string,
  file: string,
  result: ChunkResult,
  options: Partial<ChunkOptions> = {},
): void {
  const isCovered = !file.endsWith(".ipynb");
  assertChunks({ document: document(text, file), options: { ...CHARACTERS, ...options }, result, isCovered });
}
