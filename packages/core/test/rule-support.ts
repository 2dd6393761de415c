import type { Chunk, ChunkSymbol, DocumentRecord, Link } from "@docsearch/spec";
import { createAnalyzer } from "../src/analyzer/analyze.js";
import { analyzeQuery } from "../src/analyzer/query.js";
import { HeadingMatcher, wordsOfQuery } from "../src/ranking/heading-match.js";
import type { RuleFacts } from "../src/ranking/rule-facts.js";
import type { RuleContext, RuleName } from "../src/ranking/rules.js";
import { readHints } from "../src/search/query-hints.js";
import { profileQuery } from "../src/search/query-profile.js";

/** What the rules get for a query and what is known of its candidates, by chunk id. */
export function ruleContext(
  query: string,
  facts: Record<string, RuleFacts> = {},
  off: readonly RuleName[] = [],
): RuleContext {
  const analyzer = createAnalyzer();
  return {
    profile: profileQuery(query),
    headings: new HeadingMatcher(analyzer, wordsOfQuery(analyzeQuery(analyzer, query).terms)),
    hints: readHints(query),
    facts: new Map(Object.entries(facts)),
    counterparts: [],
    off: new Set(off),
  };
}

/** A chunk of a file, as the rules see it. */
export function fact(
  path: string,
  chunkId: string,
  over: {
    readonly title?: string;
    readonly headings?: readonly string[];
    readonly symbols?: readonly ChunkSymbol[];
    readonly text?: string;
    readonly anchor?: string;
    readonly links?: readonly Link[];
  } = {},
): RuleFacts {
  const mediaType = path.endsWith(".md") ? "text/markdown" : "text/x-python";
  const document: DocumentRecord = {
    id: path,
    path,
    collection: "test",
    contentHash: path,
    mediaType,
    metadata: {},
    ...(over.title !== undefined && { title: over.title }),
  };
  const chunk: Chunk = {
    id: chunkId,
    documentId: path,
    ordinal: 0,
    text: over.text ?? "",
    span: { startOffset: 0, endOffset: 0, startLine: 1, endLine: 1 },
    headingPath: over.headings ?? [],
    metadata: {},
    ...(over.symbols !== undefined && { symbols: over.symbols }),
    ...(over.anchor !== undefined && { anchor: over.anchor }),
    ...(over.links !== undefined && { links: over.links }),
  };
  return { chunk, document };
}

/** A definition of some lines. */
export function definition(name: string, kind: string, lines = 10): ChunkSymbol {
  return { name, kind, qualifiedName: name, line: 1, endLine: lines };
}
