import type { Range } from "@docsearch/text-split";
import type { Node, Parser, Range as PointRange, Tree } from "web-tree-sitter";
import type { Grammar } from "./grammars.js";

/** Time that a text may take: so much, and so much more for each million of characters. */
const BUDGET_MS = 2000;
const BUDGET_MS_PER_MILLION = 1000;

/**
 * The tree of `text`, or of its part `range` with offsets in the whole; the caller deletes it. `undefined` when the
 * parser did not end in time, as happens with long texts in another language.
 */
export function parse(parser: Parser, grammar: Grammar, text: string, range?: Range): Tree | undefined {
  const length = range === undefined ? text.length : range.end - range.start;
  const isLate = startLimit(grammar, length);
  parser.setLanguage(grammar.module);
  const tree = parser.parse(text, null, {
    progressCallback: isLate,
    ...(range !== undefined && { includedRanges: [toPoints(range)] }),
  });
  if (tree !== null) return tree;
  // Otherwise the next text would be taken for the rest of this one.
  parser.reset();
  return undefined;
}

/** What a query found: the nodes of one match, by capture. */
export interface Match {
  readonly patternIndex: number;
  readonly captures: readonly { readonly name: string; readonly node: Node }[];
}

/** Matches of the grammar's queries, those at the root last; `undefined` when they did not end in time. */
export function findMatches(tree: Tree, grammar: Grammar): Match[] | undefined {
  const { rootNode } = tree;
  const { query, rootQuery } = grammar;
  const isLate = startLimit(grammar, rootNode.endIndex - rootNode.startIndex);
  let stopped = false;
  const progressCallback = (): boolean => {
    stopped = isLate();
    return stopped;
  };
  const matches: Match[] = query.matches(rootNode, { progressCallback });
  if (rootQuery === undefined || stopped) return stopped ? undefined : matches;
  for (const { patternIndex, captures } of rootQuery.matches(rootNode, { progressCallback, maxStartDepth: 0 }))
    matches.push({ patternIndex: query.patternCount() + patternIndex, captures });
  return stopped ? undefined : matches;
}

function startLimit({ timeLimit }: Grammar, length: number): () => boolean {
  return timeLimit(BUDGET_MS + (BUDGET_MS_PER_MILLION * length) / 1_000_000);
}

/** Rows are not looked at: offsets are all that is read from trees. */
function toPoints({ start, end }: Range): PointRange {
  return {
    startIndex: start,
    endIndex: end,
    startPosition: { row: 0, column: start },
    endPosition: { row: 0, column: end },
  };
}
