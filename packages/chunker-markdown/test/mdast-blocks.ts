import type { Nodes, Parent, Root, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Block, BlockKind, BlockTree } from "../src/block.js";
import { Lines } from "../src/lines.js";

const KINDS: Partial<Record<RootContent["type"], BlockKind>> = {
  heading: "heading",
  paragraph: "paragraph",
  table: "table",
  list: "list",
  listItem: "item",
  blockquote: "quote",
  html: "html",
  thematicBreak: "rule",
  definition: "definition",
  footnoteDefinition: "footnote",
};

/** The oracle: the blocks of `text` by mdast with GFM, in the shape that the product's engine has. */
export function mdastBlocks(text: string, firstLine = 0): BlockTree {
  const lines = new Lines(text);
  const body = text.slice(lines.start(firstLine));
  const root: Root = fromMarkdown(body, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const blocks: Block[] = [];
  const visit = (parent: Parent, depth: number): void => {
    for (const node of parent.children) {
      const kind = kindOf(node, body);
      if (kind === undefined) continue;
      const block = {
        kind,
        depth,
        startLine: firstLine + node.position!.start.line - 1,
        endLine: firstLine + node.position!.end.line,
        next: 0,
        level: node.type === "heading" ? node.depth : 0,
        text: "",
      };
      blocks.push(block);
      if ("children" in node && kind !== "paragraph" && kind !== "heading" && kind !== "table") visit(node, depth + 1);
      block.next = blocks.length;
    }
  };
  visit(root, 0);
  return { lines, blocks, definitions: new Map() };
}

function kindOf(node: Nodes, body: string): BlockKind | undefined {
  if (node.type !== "code") return KINDS[node.type as RootContent["type"]];
  return /^(?:`{3}|~{3})/.test(body.slice(node.position!.start.offset)) ? "fence" : "indented";
}
