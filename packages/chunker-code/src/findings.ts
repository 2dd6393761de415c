import type { Range } from "@docsearch/text-split";
import { namesOf, ownersOf, plainName } from "./names.js";
import type { Match } from "./parse.js";

/** A definition as it was found in a tree, before it is known what it lies in. */
export interface Found extends Range {
  readonly kind: string;
  readonly name: string;
  /** Names in front of its own by its own words: the receiver of a method. */
  readonly owner: readonly string[];
  /** Where the signature ends; `end` without a body. */
  readonly bodyStart: number;
  /** Left out inside functions: a local variable. */
  readonly isValue: boolean;
}

/** Text in another language. */
export interface Embedded extends Range {
  /** The opening tag around it. */
  readonly tag: string;
}

/** What the query of a language found in a tree. All in order. */
export interface Findings {
  readonly definitions: readonly Found[];
  readonly wrappers: readonly Range[];
  /** Comments and attributes. */
  readonly leading: readonly Range[];
  readonly comments: readonly Range[];
  readonly docstrings: readonly Range[];
  readonly embedded: readonly Embedded[];
}

const VALUES: ReadonlySet<string> = new Set(["constant", "variable"]);
/** Kinds whose names are taken as they are written. */
const PLAIN: ReadonlySet<string> = new Set(["key", "rule", "test"]);

/** Sorts matches by what they are. */
export function readFindings(text: string, matches: readonly Match[]): Findings {
  const found = new Map<string, { readonly pattern: number; readonly definition: Found }>();
  const wrappers: Range[] = [];
  const comments: Range[] = [];
  const attributes: Range[] = [];
  const docstrings: Range[] = [];
  const embedded: Embedded[] = [];
  for (const match of matches) {
    const [first] = match.nodes;
    if (first === undefined) continue;
    const range = { start: first.node.startIndex, end: first.node.endIndex };
    if (range.start >= range.end) continue;
    switch (first.name) {
      case "wrapper":
        wrappers.push(range);
        break;
      case "comment":
        comments.push(withoutLineEnd(text, range));
        break;
      case "attribute":
        attributes.push(withoutLineEnd(text, range));
        break;
      case "docstring":
        docstrings.push(range);
        break;
      case "tag": {
        const body = match.nodes.find(({ name }) => name === "embedded")?.node;
        if (body !== undefined && body.endIndex > body.startIndex)
          embedded.push({ start: body.startIndex, end: body.endIndex, tag: first.node.text });
        break;
      }
      default: {
        const definition = readDefinition(match, range);
        if (definition === undefined) break;
        // A node may match several patterns, of which the first one knows it best.
        const key = `${definition.start}:${definition.end}:${definition.name}`;
        const known = found.get(key);
        if (known === undefined || match.pattern < known.pattern)
          found.set(key, { pattern: match.pattern, definition });
      }
    }
  }
  return {
    definitions: [...found.values()].map(({ definition }) => definition).sort(outerFirst),
    wrappers: wrappers.sort(outerFirst),
    comments: comments.sort(outerFirst),
    leading: [...comments, ...attributes].sort(outerFirst),
    docstrings: docstrings.sort(outerFirst),
    embedded: embedded.sort(outerFirst),
  };
}

export function outerFirst(a: Range, b: Range): number {
  return a.start - b.start || b.end - a.end;
}

function readDefinition({ nodes }: Match, { start, end }: Range): Found | undefined {
  const [outer] = nodes;
  if (outer === undefined) return undefined;
  const { node } = outer;
  let name = outer.name === "section" ? node.type : outer.name.startsWith("heading") ? plainName(node.text) : "";
  let owner: readonly string[] = [];
  let bodyStart = end;
  for (const { name: role, node: part } of nodes) {
    if (role === "name") {
      const names = PLAIN.has(outer.name) ? [plainName(part.text)] : namesOf(part.text);
      name = names.at(-1) ?? "";
      owner = [...owner, ...names.slice(0, -1)];
    } else if (role === "owner") owner = [...ownersOf(part.text), ...owner];
    else if (role === "body") bodyStart = Math.max(part.startIndex, start);
  }
  if (outer.name === "rule" && name === "") name = plainName(node.text.slice(0, bodyStart - start));
  if (name === "" || name === "_") return undefined;
  const [kind = "", suffix] = outer.name.split(".");
  const isValue = suffix === "value" || VALUES.has(kind);
  return { kind, name, owner, start, end, bodyStart, isValue };
}

function withoutLineEnd(text: string, { start, end }: Range): Range {
  let last = end;
  while (last > start && (text[last - 1] === "\n" || text[last - 1] === "\r")) last--;
  return { start, end: last };
}
