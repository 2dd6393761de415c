import type { Chunker, ChunkerFactory } from "@docsearch/spec";

/** Raised when the same text may come out as other chunks, and with every new grammar. */
const ID = "code@3";

/**
 * Chunks code at the borders of its definitions, with their names and signatures. Creating it loads nothing; `load`
 * starts the parser, and the grammar of a language is read when its first file comes.
 */
export function codeChunker(): ChunkerFactory {
  return {
    specVersion: 1,
    name: "code",
    id: ID,
    async load(): Promise<Chunker> {
      const [{ createChunker }, treeSitter] = await Promise.all([
        import("./create-chunker.js"),
        import("web-tree-sitter"),
      ]);
      await treeSitter.Parser.init();
      return createChunker(ID, treeSitter);
    },
  };
}
