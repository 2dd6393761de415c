import { createRequire } from "node:module";
import type { Document, LineCounter } from "yaml";

/** Deeper texts are no settings, and would use up the stack. */
const MOST_DEPTH = 32;
/** Most columns in front of what a line says. */
const MOST_INDENT = 200;

/** Loaded when there is a file in YAML, and at once: whoever starts a server reads its options in one go. */
export function loadYaml(): typeof import("yaml") {
  return createRequire(import.meta.url)("yaml") as typeof import("yaml");
}

/**
 * Reads a text of YAML 1.2 in its core schema: no tags but those of plain data, no merge keys, one document.
 *
 * @throws `SyntaxError` with the line of what is wrong
 */
export function parseYamlDocument(text: string): { readonly document: Document; readonly lines: LineCounter } {
  const yaml = loadYaml();
  refuseDepth(yaml, text);
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: "core",
    version: "1.2",
    merge: false,
    resolveKnownTags: false,
    // Compares each key with each other; the keys are looked at elsewhere.
    uniqueKeys: false,
  });
  // An unknown tag is only a warning of the parser, and a directive may choose another version of YAML.
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) {
    const message = fault.code === "MULTIPLE_DOCS" ? "begins another document" : `is no plain YAML: ${fault.message}`;
    throw new SyntaxError(`line ${lines.linePos(fault.pos[0]).line} ${message}`);
  }
  if (document.directives?.yaml.explicit === true) throw new SyntaxError("line 1 has a directive; expected none");
  return { document, lines };
}

/** The parser goes into itself for each level, so the depth is looked at before it. */
function refuseDepth({ Lexer, CST }: typeof import("yaml"), text: string): void {
  let line = 1;
  let brackets = 0;
  let indicators = 0;
  let isLineStart = true;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (type === "flow-map-start" || type === "flow-seq-start") brackets++;
    else if (type === "flow-map-end" || type === "flow-seq-end") brackets--;
    else if (type === "seq-item-ind" || type === "explicit-key-ind") indicators++;
    const indent = isLineStart && type === "space" ? token.length : 0;
    if (brackets > MOST_DEPTH || indicators > MOST_DEPTH || indent > MOST_INDENT) {
      throw new SyntaxError(`line ${line} lies deeper than ${MOST_DEPTH} levels`);
    }
    const breaks = token.split("\n").length - 1;
    line += breaks;
    if (type === "newline") indicators = 0;
    isLineStart = type === "newline";
  }
}
