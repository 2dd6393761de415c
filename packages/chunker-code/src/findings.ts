import type { Range } from "@docsearch/text-split";
import type { Node } from "web-tree-sitter";
import { lastBefore } from "./last-before.js";
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
const VALUE_MARK = ".value";
const OPERATOR = /^\s*([-+*/%=!<>&|^~?.]+)/;
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
    const [first] = match.captures;
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
        const body = match.captures.find(({ name }) => name === "embedded")?.node;
        if (body !== undefined && body.endIndex > body.startIndex)
          embedded.push({ start: body.startIndex, end: body.endIndex, tag: text.slice(range.start, range.end) });
        break;
      }
      default: {
        const definition = readDefinition(text, match, range);
        if (definition === undefined) break;
        // A node may match several patterns, of which the first one knows it best.
        const key = `${definition.start}:${definition.end}:${definition.name}`;
        const known = found.get(key);
        if (known === undefined || match.patternIndex < known.pattern)
          found.set(key, { pattern: match.patternIndex, definition });
      }
    }
  }
  comments.sort(outerFirst);
  const definitions = [...found.values()].map(({ definition }) =>
    definition.kind === "key" ? withoutTail(text, definition, comments) : definition,
  );
  return {
    definitions: definitions.sort(outerFirst),
    wrappers: wrappers.sort(outerFirst),
    comments,
    leading: [...comments, ...attributes].sort(outerFirst),
    docstrings: docstrings.sort(outerFirst),
    embedded: embedded.sort(outerFirst),
  };
}

/** What was found in the parts of a file, in order. */
export function joinFindings(all: readonly Findings[]): Findings {
  const [only] = all;
  return only !== undefined && all.length === 1 ? only : listByList((of) => all.flatMap(of));
}

/** With what was found in a part of the same text that was read by itself, in place of what was found there before. */
export function replaceFindings(findings: Findings, { start, end }: Range, own: Findings): Findings {
  const isElsewhere = (one: Range): boolean => one.start < start || one.start >= end;
  return listByList((of) => [...of(findings).filter(isElsewhere), ...of(own)]);
}

/** @param make one list of the result, in any order, from the same list of other findings */
function listByList(make: <T extends Range>(of: (findings: Findings) => readonly T[]) => T[]): Findings {
  return {
    definitions: make(({ definitions }) => definitions).sort(outerFirst),
    wrappers: make(({ wrappers }) => wrappers).sort(outerFirst),
    leading: make(({ leading }) => leading).sort(outerFirst),
    comments: make(({ comments }) => comments).sort(outerFirst),
    docstrings: make(({ docstrings }) => docstrings).sort(outerFirst),
    embedded: make(({ embedded }) => embedded).sort(outerFirst),
  };
}

export function outerFirst(a: Range, b: Range): number {
  return a.start - b.start || b.end - a.end;
}

function readDefinition(text: string, { captures }: Match, { start, end }: Range): Found | undefined {
  const [outer] = captures;
  if (outer === undefined) return undefined;
  // The text of a node is not asked for: the parser would count it out again.
  const written = ({ startIndex, endIndex }: Node): string => text.slice(startIndex, endIndex);
  let name =
    outer.name === "section"
      ? outer.node.type
      : outer.name.startsWith("heading")
        ? plainName(text.slice(start, end))
        : "";
  let owner: readonly string[] = [];
  let bodyStart = end;
  for (const { name: role, node: part } of captures) {
    if (role === "name") {
      const names = PLAIN.has(outer.name) ? [plainName(written(part))] : namesOf(written(part));
      name = names.at(-1) ?? "";
      owner = [...owner, ...names.slice(0, -1)];
    } else if (role === "owner") owner = [...ownersOf(written(part)), ...owner];
    else if (role === "before" && name === "")
      name = OPERATOR.exec(text.slice(part.endIndex, part.endIndex + 20))?.[1] ?? "";
    else if (role === "body") bodyStart = Math.max(part.startIndex, start);
  }
  if (outer.name === "rule" && name === "") name = plainName(text.slice(start, bodyStart));
  if (name === "" || name === "_") return undefined;
  const isMarked = outer.name.endsWith(VALUE_MARK);
  const kind = isMarked ? outer.name.slice(0, -VALUE_MARK.length) : outer.name;
  return { kind, name, owner, start, end, bodyStart, isValue: isMarked || VALUES.has(kind) };
}

/** In YAML and TOML an entry reaches to the next one, over the comment that stands in front of that. */
function withoutTail(text: string, definition: Found, comments: readonly Range[]): Found {
  const { start, bodyStart } = definition;
  let end = start + text.slice(start, definition.end).trimEnd().length;
  for (let at = lastBefore(comments, end); at >= 0; at--) {
    const comment = comments[at]!;
    const before = start + text.slice(start, comment.start).trimEnd().length;
    if (comment.end !== end || before <= start || !/[\r\n]/.test(text.slice(before, comment.start))) break;
    end = before;
  }
  return { ...definition, end, bodyStart: Math.min(bodyStart, end) };
}

function withoutLineEnd(text: string, { start, end }: Range): Range {
  let last = end;
  while (last > start && (text[last - 1] === "\n" || text[last - 1] === "\r")) last--;
  return { start, end: last };
}
