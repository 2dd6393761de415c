import type { Chunker } from "@docsearch/spec";
import { checkChunkOptions, Segmenters } from "@docsearch/text-split";
import { chunkCode } from "./chunk-code.js";
import { languageOf } from "./detect-language.js";
import { Grammars, type TreeSitter } from "./grammars.js";
import { startTimeLimit, type TimeLimit } from "./time-limit.js";

/**
 * The chunker of `codeChunker`, with the parser that was loaded for it. The limit only stops parsers that do not end
 * in a time that is a multiple of what real files take.
 */
export function createChunker(id: string, treeSitter: TreeSitter, timeLimit: TimeLimit = startTimeLimit): Chunker {
  const engine = { grammars: new Grammars(treeSitter, timeLimit), segmenters: new Segmenters() };
  return {
    specVersion: 1,
    id,
    supports: (document) => languageOf(document) !== undefined,
    chunk(document, options) {
      checkChunkOptions(options);
      return chunkCode(document, options, engine);
    },
  };
}
