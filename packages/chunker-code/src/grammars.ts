import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import type { Language as GrammarModule, Parser, Query } from "web-tree-sitter";
import type { Syntax } from "./language.js";
import type { TimeLimit } from "./time-limit.js";

/** A language that is ready to parse. */
export interface Grammar {
  readonly module: GrammarModule;
  /** The language's query; indices of its captures are those of `query.captureNames`. */
  readonly query: Query;
  readonly rootQuery: Query | undefined;
  readonly timeLimit: TimeLimit;
}

/** The parser library, initialised. */
export type TreeSitter = Pick<typeof import("web-tree-sitter"), "Language" | "Parser" | "Query">;

/**
 * The grammars of this package, each read, decompressed and compiled when it is first asked for: 1 to 30 ms. All of it
 * is synchronous, because chunking is.
 */
export class Grammars {
  readonly #treeSitter: TreeSitter;
  readonly #timeLimit: TimeLimit;
  readonly #loaded = new Map<string, Grammar>();
  #parser: Parser | undefined;

  constructor(treeSitter: TreeSitter, timeLimit: TimeLimit) {
    this.#treeSitter = treeSitter;
    this.#timeLimit = timeLimit;
  }

  /** One parser for all languages; whoever uses it sets the language. */
  get parser(): Parser {
    this.#parser ??= new this.#treeSitter.Parser();
    return this.#parser;
  }

  /** @throws when the file is missing or damaged, or was made for another version of the parser */
  get({ grammar, query, rootQuery }: Syntax): Grammar {
    const known = this.#loaded.get(grammar);
    if (known !== undefined) return known;
    const file = new URL(`../data/${grammar}.wasm.br`, import.meta.url);
    const module = this.#treeSitter.Language.loadSync(new WebAssembly.Module(brotliDecompressSync(readFileSync(file))));
    const compiled = (source: string): Query => new this.#treeSitter.Query(module, source);
    const loaded = {
      module,
      query: compiled(query),
      rootQuery: rootQuery === undefined ? undefined : compiled(rootQuery),
      timeLimit: this.#timeLimit,
    };
    this.#loaded.set(grammar, loaded);
    return loaded;
  }
}
