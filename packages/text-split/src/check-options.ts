import { type ChunkOptions, DocsearchError } from "@docsearch/spec";

/** @throws `CONFIG_INVALID` when `maxSize` is below 1, or `overlap` is not from 0 to less than `maxSize` */
export function checkChunkOptions({ maxSize, overlap }: ChunkOptions): void {
  if (!(maxSize >= 1)) throw invalid("maxSize", maxSize, "a number of at least 1");
  if (!(overlap >= 0 && overlap < maxSize))
    throw invalid("overlap", overlap, `a number from 0 to less than maxSize (${maxSize})`);
}

function invalid(setting: string, value: number, expected: string): DocsearchError {
  return new DocsearchError("CONFIG_INVALID", `Chunk option ${setting} is ${value}; expected ${expected}.`, {
    setting,
    value: String(value),
    expected,
  });
}
