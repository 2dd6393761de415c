import { Lines, type Range } from "@docsearch/text-split";
import { blankOut } from "./blank-out.js";
import type { CodeFile, LanguagePart } from "./code-file.js";
import { placeDefinitions } from "./definitions.js";
import { type Embedded, type Findings, joinFindings, outerFirst, readFindings } from "./findings.js";
import type { Grammars } from "./grammars.js";
import { withSections } from "./headings.js";
import type { Language, Syntax } from "./language.js";
import { embeddedLanguage } from "./languages.js";
import type { TreePart } from "./node-frames.js";
import { findMatches, parse } from "./parse.js";
import { type ReadPart, readOn } from "./read-on.js";
import { readSql } from "./sql.js";

/**
 * Reads a file of a language with a syntax. The trees are added to `trees` as they are made, for the caller to delete.
 * `undefined` when a parser did not end in time.
 */
export function readCodeFile(
  text: string,
  language: Language,
  grammars: Grammars,
  trees: TreePart[],
): CodeFile | undefined {
  const { name, syntax } = language;
  if (syntax === undefined)
    return name === "sql" ? assemble(text, [readSql(text)], [wholeOf(text, language)], trees) : undefined;
  const outer = readPart(text, syntax, grammars, trees);
  if (outer === undefined) return undefined;
  const findings = [outer];
  const parts = [wholeOf(text, language)];
  for (const embedded of outer.embedded) {
    const inner = embeddedLanguage(embedded.tag);
    if (inner?.syntax === undefined) continue;
    const found = readPart(text, inner.syntax, grammars, trees, embedded);
    if (found === undefined) continue;
    findings.push(found);
    parts.push(partOf(inner, embedded));
  }
  return assemble(text, findings, parts, trees);
}

function readPart(
  text: string,
  syntax: Syntax,
  grammars: Grammars,
  trees: TreePart[],
  range?: Embedded,
): Findings | undefined {
  const grammar = grammars.get(syntax);
  const readable = syntax.unread === undefined ? text : blankOut(text, syntax.unread);
  const drop = (): void => trees.pop()?.tree.delete();
  const read = (part?: Range): ReadPart | undefined => {
    const tree = parse(grammars.parser, grammar, readable, part);
    if (tree === undefined) return undefined;
    const place = { tree, start: part?.start ?? 0, end: part?.end ?? text.length };
    trees.push(place);
    const matches = findMatches(tree, grammar);
    if (matches !== undefined) return { ...place, findings: readFindings(text, matches) };
    drop();
    return undefined;
  };
  const first = read(range);
  if (first === undefined) return undefined;
  const isBroken = first.tree.rootNode.hasError && syntax.isText !== true;
  return isBroken ? readOn(text, first, { read, drop }) : first.findings;
}

function assemble(
  text: string,
  all: readonly Findings[],
  parts: readonly LanguagePart[],
  trees: readonly TreePart[],
): CodeFile {
  const joined = joinFindings(all);
  const findings = { ...joined, definitions: withSections(joined.definitions, text.length) };
  const { comments, docstrings } = findings;
  return {
    text,
    lines: new Lines(text),
    definitions: placeDefinitions(text, findings),
    prose: docstrings.length === 0 ? comments : [...comments, ...docstrings].sort(outerFirst),
    parts,
    trees,
  };
}

function wholeOf(text: string, language: Language): LanguagePart {
  return partOf(language, { start: 0, end: text.length });
}

function partOf({ name, syntax }: Language, { start, end }: Range): LanguagePart {
  return { start, end, language: name, isText: syntax?.isText ?? false, hasSymbols: syntax?.hasSymbols ?? true };
}
