import type { Chunker, Document } from "@docsearch/spec";
import { checkChunkOptions, Segmenters } from "@docsearch/text-split";
import type MarkdownIt from "markdown-it/browser";
import { chunkDocument, type Engine } from "./chunk-document.js";
import { markdownItHeadings } from "./heading-text.js";
import { markdownItBlocks } from "./parse-blocks.js";

const MEDIA_TYPES: ReadonlySet<string> = new Set(["text/markdown", "text/x-markdown", "text/mdx"]);
const EXTENSION = /\.(?:md|mdx|markdown|mdown|mkd|mkdn|mdc|qmd|rmd)$/i;

/** The chunker of `markdownChunker`, with the parser that was loaded for it. */
export function createChunker(id: string, mdxOption: boolean | undefined, Parser: typeof MarkdownIt): Chunker {
  const engine: Engine = {
    parseBlocks: markdownItBlocks(Parser),
    headingReader: markdownItHeadings(Parser),
    segmenters: new Segmenters(),
  };
  return {
    specVersion: 1,
    id,
    supports: ({ mediaType, path }) => MEDIA_TYPES.has(essence(mediaType)) || EXTENSION.test(path ?? ""),
    chunk(document, chunkOptions) {
      checkChunkOptions(chunkOptions);
      const mdx = mdxOption ?? isMdx(document);
      return chunkDocument(document, mdx ? "mdx" : "markdown", chunkOptions, engine);
    },
  };
}

function isMdx({ mediaType, path }: Document): boolean {
  return essence(mediaType) === "text/mdx" || /\.mdx$/i.test(path ?? "");
}

/** The media type without its parameters. */
function essence(mediaType: string): string {
  return mediaType.split(";", 1)[0]!.trim().toLowerCase();
}
