import type { ChunkOptions, ChunkResult, Diagnostic, Document } from "@docsearch/spec";
import type { Segmenters } from "@docsearch/text-split";
import { type CutFile, cutFile } from "./cut-file.js";
import { cutLines } from "./cut-lines.js";
import { cutNotebook } from "./cut-notebook.js";
import { detectLanguage } from "./detect-language.js";
import { originOf } from "./generated.js";
import type { Grammars } from "./grammars.js";
import { htmlTitle } from "./html-title.js";
import type { Language } from "./language.js";
import { languageNamed } from "./languages.js";
import type { TreePart } from "./node-frames.js";
import { readNotebook } from "./notebook.js";
import { readCodeFile } from "./read-file.js";

/** What chunking is built on: the grammars, and the borders of words and graphemes. */
export interface Engine {
  readonly grammars: Grammars;
  readonly segmenters: Segmenters;
}

/** Chunks, outline and metadata of one file. What cannot be parsed is cut by lines, and a diagnostic says so. */
export function chunkCode(document: Document, options: ChunkOptions, engine: Engine): ChunkResult {
  const { text } = document;
  const language = detectLanguage(document) ?? PLAIN;
  const origin = originOf(document);
  const diagnostics: Diagnostic[] = origin === undefined ? [] : [{ message: origin.reason }];
  const warn = (message: string): void => void diagnostics.push({ message });
  const cut = origin?.isMinified
    ? cutByLines(text, language, options, engine)
    : cutByStructure(text, language, options, engine, warn);
  const title = language.name === "html" ? htmlTitle(text) : undefined;
  return {
    ...cut,
    ...(title !== undefined && { title }),
    ...(origin !== undefined && { metadata: origin.metadata }),
    diagnostics,
  };
}

const PLAIN: Language = { name: "text" };

function cutByStructure(
  text: string,
  language: Language,
  options: ChunkOptions,
  engine: Engine,
  warn: (message: string) => void,
): CutFile {
  const { grammars, segmenters } = engine;
  if (language.name === "notebook") {
    const notebook = readNotebook(text, grammars);
    if (notebook !== undefined) {
      return cutNotebook(text, notebook, options, (part, name, size) => {
        return cutByStructure(part, languageNamed(name) ?? { name }, size, engine, warn);
      });
    }
    warn("not a notebook of nbformat 4: cut by lines");
    return cutByLines(text, language, options, engine);
  }
  const trees: TreePart[] = [];
  try {
    const file = readCodeFile(text, language, grammars, trees);
    if (file !== undefined) return cutFile(file, options, segmenters);
    if (language.syntax !== undefined) warn(`parsing ${language.name} took too long: cut by lines`);
  } catch (error) {
    warn(
      `${language.name} could not be parsed (${error instanceof Error ? error.message : String(error)}): cut by lines`,
    );
  } finally {
    for (const { tree } of trees) tree.delete();
  }
  return cutByLines(text, language, options, engine);
}

function cutByLines(text: string, { name }: Language, options: ChunkOptions, { segmenters }: Engine): CutFile {
  return { chunks: cutLines(text, name, options, segmenters), outline: [] };
}
