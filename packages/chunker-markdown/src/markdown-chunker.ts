import { type Chunker, type ChunkerFactory, type ChunkOptions, DocsearchError, type Document } from "@docsearch/spec";
import { chunkDocument, type Engine } from "./chunk-document.js";
import { markdownItHeadings } from "./heading-text.js";
import { markdownItBlocks } from "./parse-blocks.js";
import { Segmenters } from "./segmenters.js";

export interface MarkdownChunkerOptions {
  /**
   * Whether every document is read as MDX. Default: those of media type `text/mdx` and those whose path ends with
   * `.mdx`. Set it for sites that read `.md` files as MDX, as Docusaurus does.
   */
  readonly mdx?: boolean;
}

/** Raised when the same text may come out as other chunks. */
const BEHAVIOUR = 1;
const MEDIA_TYPES: ReadonlySet<string> = new Set(["text/markdown", "text/x-markdown", "text/mdx"]);
const EXTENSION = /\.(?:md|mdx|markdown|mdown|mkd|mkdn|mdc|qmd|rmd)$/i;

/**
 * Chunks Markdown and MDX along the structure of the page: one chunk for each heading section, larger sections cut
 * at block borders. Creating it loads nothing; `load` imports the parser.
 */
export function markdownChunker(options: MarkdownChunkerOptions = {}): ChunkerFactory {
  return {
    specVersion: 1,
    name: "markdown",
    async load(): Promise<Chunker> {
      // The entry for browsers is the same parser in one file: it loads in 6 ms, the other one in 30.
      const { default: Parser } = await import("markdown-it/browser");
      const engine: Engine = {
        parseBlocks: markdownItBlocks(Parser),
        headingReader: markdownItHeadings(Parser),
        segmenters: new Segmenters(),
      };
      return createChunker(options, engine);
    },
  };
}

function createChunker(options: MarkdownChunkerOptions, engine: Engine): Chunker {
  return {
    specVersion: 1,
    id: `markdown@${BEHAVIOUR}${options.mdx === undefined ? "" : `;mdx=${options.mdx}`}`,
    supports: ({ mediaType, path }) => MEDIA_TYPES.has(essence(mediaType)) || EXTENSION.test(path ?? ""),
    chunk(document, chunkOptions) {
      checkOptions(chunkOptions);
      const mdx = options.mdx ?? isMdx(document);
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

function checkOptions({ maxSize, overlap }: ChunkOptions): void {
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
