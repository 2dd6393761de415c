import { type ConfigText, duplicateKey, lineAt } from "./config-text.js";
import { type JsoncMember, type JsoncNode, parseJsonc } from "./jsonc.js";

/**
 * Reads JSON with comments and commas before closing brackets.
 *
 * @throws `SyntaxError` with the line of what is no JSON, or of a key that stands there twice
 */
export function parseJson(text: string): ConfigText {
  const root = parseJsonc(text);
  return {
    value: plainValue(text, root),
    lineOf(path) {
      let node: JsoncNode | undefined = root;
      let offset = root.start;
      for (const name of path) {
        const member: JsoncMember | undefined = node?.members?.find(({ key }) => key === name);
        if (member === undefined) break;
        offset = member.start;
        node = member.value;
      }
      return lineAt(text, offset);
    },
  };
}

function plainValue(text: string, { literal, items, members }: JsoncNode): unknown {
  if (items !== undefined) return items.map((item) => plainValue(text, item));
  if (members === undefined) return literal;
  const starts = new Map<string, number>();
  for (const { key, start } of members) {
    const first = starts.get(key);
    if (first !== undefined) throw duplicateKey(key, lineAt(text, start), lineAt(text, first));
    starts.set(key, start);
  }
  return Object.fromEntries(members.map(({ key, value }) => [key, plainValue(text, value)]));
}
