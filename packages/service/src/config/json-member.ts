import { type JsoncNode, parseJsonc } from "./jsonc.js";

/**
 * Puts `value` under `table` and `key` in a text of JSON with comments. Everything else stays byte for byte; of an
 * object that is there already, members that `value` does not name stay, too.
 *
 * @throws `SyntaxError` when the text is no JSON, `TypeError` when it holds something else where an object is needed
 */
export function setJsonMember(
  text: string,
  table: string,
  key: string,
  value: Readonly<Record<string, unknown>>,
): string {
  if (text.trim() === "") return `${JSON.stringify({ [table]: { [key]: value } }, null, 2)}\n`;
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  let edited = ensureObject(text, [], table, indent);
  edited = ensureObject(edited, [table], key, indent);
  for (const [name, part] of Object.entries(value)) edited = setMember(edited, [table, key], name, part, indent);
  return edited;
}

function ensureObject(text: string, path: readonly string[], name: string, indent: string): string {
  const member = membersAt(text, path).members?.find(({ key }) => key === name);
  if (member === undefined) return setMember(text, path, name, {}, indent);
  if (member.value.members === undefined) throw new TypeError(`"${[...path, name].join(".")}" is no object`);
  return text;
}

function membersAt(text: string, path: readonly string[]): JsoncNode {
  let node = parseJsonc(text);
  for (const name of path) node = node.members?.findLast(({ key }) => key === name)?.value ?? node;
  if (node.members === undefined) throw new TypeError("the file holds no object");
  return node;
}

function setMember(text: string, path: readonly string[], name: string, value: unknown, indent: string): string {
  const object = membersAt(text, path);
  const members = object.members ?? [];
  const depth = indent.repeat(path.length + 1);
  const written = JSON.stringify(value, null, indent).replaceAll("\n", `\n${depth}`);
  const present = members.findLast(({ key }) => key === name);
  if (present !== undefined) return splice(text, present.value.start, present.value.end, written);
  const member = `${JSON.stringify(name)}: ${written}`;
  const last = members.at(-1);
  if (last === undefined) {
    return splice(
      text,
      object.start + 1,
      object.end - 1,
      `\n${depth}${member}${inner(text, object)}\n${indent.repeat(path.length)}`,
    );
  }
  const end = object.trailingComma === undefined ? last.value.end : object.trailingComma + 1;
  return splice(text, end, end, `${object.trailingComma === undefined ? "," : ""}\n${depth}${member}`);
}

/** Comments of an object without members. */
function inner(text: string, { start, end }: JsoncNode): string {
  const comment = text.slice(start + 1, end - 1).trim();
  return comment === "" ? "" : `\n${comment}`;
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/**
 * Takes the member `key` of `table` out of a text of JSON with comments. Everything else stays byte for byte.
 *
 * @throws like `setJsonMember`
 */
export function removeJsonMember(text: string, table: string, key: string): string {
  const { members = [], trailingComma } = membersAt(text, [table]);
  const at = members.findLastIndex((member) => member.key === key);
  const member = members[at];
  if (member === undefined) return text;
  const next = members[at + 1];
  const before = members[at - 1];
  // With the comma behind it, or, of the last one, that in front of it; comments between it and its neighbours stay.
  if (next !== undefined || trailingComma !== undefined) {
    const comma = next === undefined ? (trailingComma as number) : commaBetween(text, member.value.end, next.start);
    return splice(text, lineStart(text, member.start), lineEnd(text, comma + 1), "");
  }
  const without = splice(text, lineStart(text, member.start), lineEnd(text, member.value.end), "");
  if (before === undefined) return without;
  const comma = commaBetween(text, before.value.end, member.start);
  return splice(without, comma, comma + 1, "");
}

/** Offset of the comma between two members; what else stands there are blanks and comments. */
function commaBetween(text: string, from: number, to: number): number {
  const gap = text.slice(from, to).replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (comment) => " ".repeat(comment.length));
  return from + gap.indexOf(",");
}

/** Where the line of an offset begins, if nothing but blanks is in front of it there. */
function lineStart(text: string, offset: number): number {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return start > 0 && text.slice(start, offset).trim() === "" ? start - 1 : offset;
}

/** Where the line of an offset ends, if nothing but blanks is behind it there. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end !== -1 && text.slice(offset, end).trim() === "" ? end : offset;
}
