import type { Document, LineCounter, Node } from "yaml";
import { type ConfigText, duplicateKey } from "./config-text.js";
import { loadYaml, parseYamlDocument } from "./yaml-document.js";

/** Aliases may make at most so many nodes more than stand in the text. */
const MOST_ALIASES = 100;

/**
 * Reads YAML as plain data.
 *
 * @throws `SyntaxError` with the line of what is no YAML, no plain data, or a key that stands there twice
 */
export function parseYaml(text: string): ConfigText {
  const { document, lines } = parseYamlDocument(text);
  refuseDuplicates(document, lines);
  return {
    value: plainData(document),
    lineOf(path) {
      const { isAlias, isMap, isNode } = loadYaml();
      let node: unknown = document.contents;
      let offset = 0;
      for (const name of path) {
        const map = isAlias(node) ? node.resolve(document) : node;
        const pair = isMap(map) ? map.items.find(({ key }) => nameOf(key) === name) : undefined;
        if (pair === undefined) break;
        if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
        node = pair.value;
      }
      return lines.linePos(offset).line;
    },
  };
}

function plainData(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    throw new SyntaxError(`an alias is wrong: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function refuseDuplicates(document: Document, lines: LineCounter): void {
  const lineOf = (node: Node): number => lines.linePos(node.range?.[0] ?? 0).line;
  loadYaml().visit(document, {
    Map(_, { items }) {
      const first = new Map<string, number>();
      for (const { key } of items) {
        const name = nameOf(key);
        const line = lineOf(key as Node);
        if (name === undefined) throw new SyntaxError(`line ${line} has a key that is no word; expected a name`);
        const before = first.get(name);
        if (before !== undefined) throw duplicateKey(name, line, before);
        first.set(name, line);
      }
    },
  });
}

/** What a key is called; absent for one that is no plain value. */
function nameOf(key: unknown): string | undefined {
  const { isScalar } = loadYaml();
  if (!isScalar(key) || typeof key.value === "object") return undefined;
  return String(key.value);
}
