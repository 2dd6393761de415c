import { Lines } from "@docsearch/text-split";
import type { Nodes, Parent, Root, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm } from "micromark-extension-gfm";
import type { Block, BlockKind, BlockTree } from "../src/block.js";

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

export interface OracleTree extends BlockTree {
  /** 0-based line behind the front matter; 0 when there is none. */
  readonly frontMatterEnd: number;
}

/** The oracle: the blocks of `text` by mdast with GFM and front matter, in the shape that the product's engine has. */
export function mdastBlocks(text: string): OracleTree {
  const formats = ["yaml", "toml"] as const;
  const root: Root = fromMarkdown(text.replace(/^\uFEFF/, ""), {
    extensions: [gfm(), frontmatter([...formats])],
    mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown([...formats])],
  });
  const blocks: Block[] = [];
  const visit = (parent: Parent, depth: number): void => {
    for (const node of parent.children) {
      const kind = kindOf(node, text);
      if (kind === undefined) continue;
      const block = {
        kind,
        depth,
        startLine: node.position!.start.line - 1,
        endLine: node.position!.end.line,
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
  const first = root.children[0] as { readonly type: string; readonly position?: RootContent["position"] } | undefined;
  const frontMatterEnd = first?.type === "yaml" || first?.type === "toml" ? first.position!.end.line : 0;
  return { lines: new Lines(text), blocks, definitions: new Map(), footnotes: new Set(), frontMatterEnd };
}

function kindOf(node: Nodes, text: string): BlockKind | undefined {
  if (node.type !== "code") return KINDS[node.type as RootContent["type"]];
  return /^(?:`{3}|~{3})/.test(text.slice(node.position!.start.offset)) ? "fence" : "indented";
}
