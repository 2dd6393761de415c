/** One language: how its files are known, and what in them is a definition. */
export interface Language {
  /** As in `Chunk.language`. */
  readonly name: string;
  /** Without the dot, in lower case. */
  readonly extensions?: readonly string[];
  /** Whole file names, in lower case. */
  readonly fileNames?: readonly string[];
  readonly mediaTypes?: readonly string[];
  /** Programs that a `#!` line starts, without version. */
  readonly interpreters?: readonly string[];
  /** Absent for languages that are cut by lines. */
  readonly syntax?: Syntax;
}

/**
 * What is read from a tree. The query is in the language of tree-sitter; its captures are
 *
 * - `@name`, `@body`, `@owner` inside a definition: what it is called, where its signature ends, and what it belongs
 *   to by its own words, such as the receiver of a method in Go
 * - `@before` inside a definition: the keyword in front of the operator that it defines
 * - `@wrapper`: a node around a definition that belongs to it: `export`, `template <...>`
 * - `@comment`, `@attribute`: what belongs to the definition behind it
 * - `@docstring`: the documentation of the definition around it
 * - `@section`: part of a file that is cut by itself and names nothing, such as the template of a Vue file
 * - `@embedded`: text in another language, with `@tag`, the opening tag that says which
 * - any other capture is a definition, and the name of the capture is its kind. `constant`, `variable` and kinds with
 *   `.value` behind them are left out inside functions. `function` inside a type is a `method`. Kind `impl` opens a
 *   scope and is in the outline, but is no symbol: the type is defined elsewhere.
 */
export interface Syntax {
  /** Name of the file in `data`, without its ending. */
  readonly grammar: string;
  readonly query: string;
  /**
   * Patterns whose outermost node is the root of a file, for what is a definition only at the top. They are matched at
   * the root alone: in `query` each would be kept open for every node of the file.
   */
  readonly rootQuery?: string;
  /** What is kept from the parser, which would take it for something else: macros. A global expression. */
  readonly unread?: RegExp;
  /** Whether the text is prose or data that people read: no part of it is a zone of code. Default false. */
  readonly isText?: boolean;
  /** Whether definitions become symbols; if not they are in the outline and in paths only. Default true. */
  readonly hasSymbols?: boolean;
}
