import type { Node, Tree } from "web-tree-sitter";
import type { Grammars } from "./grammars.js";
import { json } from "./languages/json.js";
import { parse } from "./parse.js";

/** A text of a notebook, decoded, and where each of its characters stands in the file. */
export interface CellText {
  readonly text: string;
  /** Offset in the file of each character, and of the end. */
  readonly offsets: readonly number[];
}

export interface Cell {
  /** 0-based. */
  readonly index: number;
  readonly kind: "code" | "markdown" | "raw";
  readonly source: CellText;
  /** What the code printed. */
  readonly outputs: readonly CellText[];
}

export interface Notebook {
  /** Of the kernel, in lower case; `python` when the file does not say. */
  readonly language: string;
  readonly cells: readonly Cell[];
}

const KINDS: ReadonlySet<string> = new Set(["code", "markdown", "raw"]);
const ANSI = /\u001b\[[0-9;?]*[ -/]*[@-~]/;

/** Reads a Jupyter notebook (nbformat 4); `undefined` when the text is none. */
export function readNotebook(text: string, grammars: Grammars): Notebook | undefined {
  const tree = parse(grammars.parser, grammars.get(json.syntax!), text);
  if (tree === undefined) return undefined;
  try {
    return readTree(tree);
  } finally {
    tree.delete();
  }
}

function readTree(tree: Tree): Notebook | undefined {
  if (tree.rootNode.hasError) return undefined;
  const root = tree.rootNode.namedChildren.find((node) => node.type === "object");
  const cells = valueAt(root, "cells");
  if (cells?.type !== "array") return undefined;
  const metadata = valueAt(root, "metadata");
  const language =
    textOf(valueAt(valueAt(metadata, "kernelspec"), "language")) ??
    textOf(valueAt(valueAt(metadata, "language_info"), "name"));
  return {
    language: language?.toLowerCase() ?? "python",
    cells: cells.namedChildren.flatMap((node, index) => {
      const kind = textOf(valueAt(node, "cell_type")) ?? "";
      const source = cellText(valueAt(node, "source"));
      if (!KINDS.has(kind) || source === undefined) return [];
      const outputs = (valueAt(node, "outputs")?.namedChildren ?? []).flatMap(outputTexts);
      return [{ index, kind: kind as Cell["kind"], source, outputs }];
    }),
  };
}

/** Printed text, plain results and messages of errors. Pictures, pages, tracebacks and text with colours are left out. */
function outputTexts(output: Node): CellText[] {
  const values = [valueAt(output, "text"), valueAt(valueAt(output, "data"), "text/plain"), valueAt(output, "evalue")];
  return values.map(cellText).flatMap((text) => (text === undefined || ANSI.test(text.text) ? [] : [text]));
}

function valueAt(object: Node | undefined, key: string): Node | undefined {
  if (object?.type !== "object") return undefined;
  const pair = object.namedChildren.find(
    (node) => node.type === "pair" && textOf(node.childForFieldName("key")) === key,
  );
  return pair?.childForFieldName("value") ?? undefined;
}

function textOf(node: Node | null | undefined): string | undefined {
  return node?.type === "string" ? decode(node).text : undefined;
}

/** A string, or an array of strings that are its lines. */
function cellText(node: Node | undefined): CellText | undefined {
  const strings = node?.type === "array" ? node.namedChildren : node?.type === "string" ? [node] : [];
  const decoded = strings.filter((each) => each.type === "string").map(decode);
  const text = decoded.map((each) => each.text).join("");
  const last = strings.at(-1);
  if (text.trim() === "" || last === undefined) return undefined;
  const offsets: number[] = [];
  for (const part of decoded) for (const offset of part.offsets) offsets.push(offset);
  offsets.push(last.endIndex);
  return { text, offsets };
}

const ESCAPE = /\\(?:u[\dA-Fa-f]{4}|.)/y;

/** The value of a JSON string. Each line begins at the quote in front of it, so that pieces of a cell are whole strings. */
function decode(node: Node): CellText {
  const source = node.text;
  const offsets: number[] = [];
  let text = "";
  for (let at = 1; at < source.length - 1; ) {
    ESCAPE.lastIndex = at;
    const escaped = source[at] === "\\" ? ESCAPE.exec(source)?.[0] : undefined;
    const length = escaped?.length ?? 1;
    offsets.push(node.startIndex + (at === 1 ? 0 : at));
    text += escaped === undefined ? source[at]! : unescaped(escaped);
    at += length;
  }
  return { text, offsets };
}

function unescaped(escaped: string): string {
  try {
    return JSON.parse(`"${escaped}"`) as string;
  } catch {
    return escaped;
  }
}
