import type { Chunker, ChunkerFactory } from "@docsearch/spec";

export interface MarkdownChunkerOptions {
  /**
   * Whether every document is read as MDX. Default: those of media type `text/mdx` and those whose path ends with
   * `.mdx`. Set it for sites that read `.md` files as MDX, as Docusaurus does.
   */
  readonly mdx?: boolean;
}

/** Raised when the same text may come out as other chunks. */
const BEHAVIOUR = 1;

/**
 * Chunks Markdown and MDX along the structure of the page: one chunk for each heading section, larger sections cut
 * at block borders. Creating it loads nothing; `load` imports the parser and what goes with it.
 */
export function markdownChunker(options: MarkdownChunkerOptions = {}): ChunkerFactory {
  const id = `markdown@${BEHAVIOUR}${options.mdx === undefined ? "" : `;mdx=${options.mdx}`}`;
  return {
    specVersion: 1,
    name: "markdown",
    id,
    async load(): Promise<Chunker> {
      // The entry for browsers is the same parser in one file: it loads in 6 ms, the other one in 30.
      const [{ default: Parser }, { createChunker }] = await Promise.all([
        import("markdown-it/browser"),
        import("./create-chunker.js"),
      ]);
      return createChunker(id, options.mdx, Parser);
    },
  };
}
