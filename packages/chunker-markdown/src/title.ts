import type { Metadata, OutlineEntry } from "@docsearch/spec";
import type { BlockTree } from "./block.js";
import type { ReadHeading } from "./heading-text.js";

const MAX_HTML_TITLE = 2000;

/** From front matter, else the first heading of level 1 (`<h1>` counts), else the first heading. */
export function findTitle(
  text: string,
  tree: BlockTree,
  metadata: Metadata | undefined,
  outline: readonly OutlineEntry[],
  readHeading: ReadHeading,
): string | undefined {
  const own = String(metadata?.title ?? "").trim();
  if (own !== "") return own;
  const first = outline.find(({ level }) => level === 1);
  return htmlTitle(text, tree, first?.line, readHeading) ?? first?.heading ?? outline[0]?.heading;
}

/** Text of an `<h1>` in an HTML block above `line`. */
function htmlTitle(
  text: string,
  tree: BlockTree,
  line: number | undefined,
  readHeading: ReadHeading,
): string | undefined {
  const { lines } = tree;
  for (const block of tree.blocks) {
    if (line !== undefined && block.startLine >= line - 1) return undefined;
    if (block.kind !== "html") continue;
    const source = text.slice(lines.start(block.startLine), lines.start(block.endLine));
    const start = source.search(/<h1[\s>]/i);
    if (start < 0) continue;
    const content = /^<h1[^>]*>(.*?)<\/h1>/is.exec(source.slice(start, start + MAX_HTML_TITLE))?.[1];
    const title = content === undefined ? "" : readHeading(content.replace(/\s+/g, " ")).text;
    if (title !== "") return title;
  }
  return undefined;
}
