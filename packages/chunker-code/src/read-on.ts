import type { Range } from "@docsearch/text-split";
import type { Node } from "web-tree-sitter";
import { type Findings, type Found, replaceFindings } from "./findings.js";
import type { TreePart } from "./node-frames.js";

/** A part of a text as a parser read it. */
export interface ReadPart extends TreePart {
  readonly findings: Findings;
}

export interface PartReader {
  /** Reads a part of the text, and keeps its tree; `undefined` when that took too long. */
  readonly read: (range: Range) => ReadPart | undefined;
  /** Deletes the tree of the part that was read last. */
  readonly drop: () => void;
}

/** Parts that may take the place of what was read at first. */
const MAX_PARTS = 100;
/** Text that is read again, at most, as a multiple of the text's own length. */
const MAX_SHARE = 8;
/** The same in a row without finding more: what is long and no code at all should not cost much. */
const MAX_VAIN_SHARE = 2;
const MAX_VAIN_CHARACTERS = 200_000;
/** What stands at the start of a line that ends something. */
const CLOSING = /^(?:[)\]}>]|end\b)/;
const INDENTATION = /[ \t]*/y;

/**
 * Reads on behind what a parser does not understand. It may take the rest of a file for words, or for parts of one
 * statement, because of one line: then all definitions behind that are lost. So the text behind such a place is read by
 * itself, from the next line that is not indented deeper, and where more definitions are found in it, they count.
 *
 * @param first the text as it was read at first
 * @returns what was found in it and in the parts that count
 */
export function readOn(text: string, first: ReadPart, { read, drop }: PartReader): Findings {
  let { findings } = first;
  let places = placesIn(text, first);
  const whole = first.end - first.start;
  let left = MAX_SHARE * whole;
  const mostInVain = Math.max(MAX_VAIN_SHARE * whole, MAX_VAIN_CHARACTERS);
  let leftInVain = mostInVain;
  let parts = 0;
  for (let place = places.shift(); place !== undefined && parts < MAX_PARTS; place = places.shift()) {
    left -= place.end - place.start;
    leftInVain -= place.end - place.start;
    const part = left < 0 || leftInVain < 0 ? undefined : read(place);
    if (part === undefined) break;
    const { start, end } = part;
    const isIn = (one: Range): boolean => one.start >= start && one.start < end;
    const further = placesIn(text, part);
    if (part.findings.definitions.length > findings.definitions.filter(isIn).length) {
      parts++;
      leftInVain = mostInVain;
      findings = replaceFindings(findings, part, part.findings);
      places = [...further, ...places.filter((one) => !isIn(one))];
    } else {
      drop();
      // The next line may be as bad, as where two versions of a text conflict.
      places.unshift(...further.slice(0, 1));
    }
  }
  return findings;
}

/** Where it could be read on, in order. */
function placesIn(text: string, { tree, end, findings }: ReadPart): Range[] {
  return errorsIn(tree.rootNode).flatMap(({ node, isAtRoot }) => {
    const last = lastWithin(findings.definitions, node);
    const deepest = indentationAt(text, last?.start ?? node.start);
    // One at the root may have spoilt all that is behind it.
    const limit = isAtRoot ? end : node.end;
    const start = nextLine(text, last?.end ?? node.start, limit, deepest);
    return start === undefined ? [] : [{ start, end: limit }];
  });
}

/** The outermost nodes that are not understood, in order. */
function errorsIn(root: Node): { readonly node: Range; readonly isAtRoot: boolean }[] {
  const errors: { readonly node: Range; readonly isAtRoot: boolean }[] = [];
  const open = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (!node.hasError) continue;
    if (node.isError) errors.push({ node: { start: node.startIndex, end: node.endIndex }, isAtRoot: depth <= 1 });
    else open.push(...node.children.reverse().map((child) => ({ node: child, depth: depth + 1 })));
  }
  return errors;
}

function lastWithin(definitions: readonly Found[], { start, end }: Range): Found | undefined {
  let last: Found | undefined;
  for (const definition of definitions) {
    if (definition.start >= start && definition.end <= end && definition.end > (last?.end ?? start)) last = definition;
  }
  return last;
}

/** Indentation of the line of `offset`. */
function indentationAt(text: string, offset: number): number {
  return indentation(text, text.lastIndexOf("\n", offset - 1) + 1);
}

function indentation(text: string, lineStart: number): number {
  INDENTATION.lastIndex = lineStart;
  return INDENTATION.exec(text)![0].length;
}

/** Where the first line behind `from` begins that is not indented deeper than `deepest` and closes nothing. */
function nextLine(text: string, from: number, end: number, deepest: number): number | undefined {
  for (let line = text.indexOf("\n", from) + 1; line > 0 && line < end; line = text.indexOf("\n", line) + 1) {
    const indented = indentation(text, line);
    const start = line + indented;
    const isBlank = start >= end || text[start] === "\n" || text[start] === "\r";
    if (!isBlank && indented <= deepest && !CLOSING.test(text.slice(start, start + 4))) return start;
  }
  return undefined;
}
