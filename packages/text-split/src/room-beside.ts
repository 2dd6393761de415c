import type { ChunkOptions } from "@docsearch/spec";

/**
 * The options for a text that is embedded behind its title and heading path, a line each: what these take is taken from
 * the largest size, so that the embedded text keeps to it. At least half of the size, and more than the overlap, is left
 * however long they are.
 */
export function roomBeside(
  title: string | undefined,
  headingPath: readonly string[],
  options: ChunkOptions,
): ChunkOptions {
  const { maxSize, overlap, measure } = options;
  const headings = headingPath[0] === title ? headingPath.slice(1) : headingPath;
  const prefix = [title ?? "", headings.join(" > ")].filter((line) => line !== "").map((line) => `${line}\n`);
  const room = maxSize - measure(prefix.join(""));
  return { ...options, maxSize: Math.max(room, maxSize / 2, Math.min(maxSize, overlap + 1)) };
}
