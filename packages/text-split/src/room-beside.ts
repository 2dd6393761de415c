import type { ChunkOptions } from "@docsearch/spec";
import { shortHeading } from "./short-heading.js";

/**
 * The options for a text that is embedded behind its title and heading path, a line each, cut short as the indexer cuts
 * them: what these take is taken from the largest size, so that the embedded text keeps to it. At least a quarter of
 * the size, and more than the overlap, is left; half of it where they alone are larger than the limit.
 */
export function roomBeside(
  title: string | undefined,
  headingPath: readonly string[],
  options: ChunkOptions,
): ChunkOptions {
  const { maxSize, overlap, measure } = options;
  const headings = headingPath[0] === title ? headingPath.slice(1) : headingPath;
  const prefix = [shortHeading(title) ?? "", headings.map(shortHeading).join(" > ")]
    .filter((line) => line !== "")
    .map((line) => `${line}\n`);
  const room = maxSize - measure(prefix.join(""));
  const least = room > 0 ? maxSize / 4 : maxSize / 2;
  return { ...options, maxSize: Math.max(room, least, Math.min(maxSize, overlap + 1)) };
}
