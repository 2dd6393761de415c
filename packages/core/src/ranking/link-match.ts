import type { Chunk, Link } from "@docsearch/spec";
import type { FusedHit } from "./fusion.js";
import type { HeadingMatcher } from "./heading-match.js";
import { linkResolver } from "./link-target.js";
import { LINK_DEPTH } from "./ranking.js";
import type { RuleFacts } from "./rule-facts.js";

/** A row of a table, or an item of a list: with one link in it, what it says is said of the link's target. */
const LISTED = /^[ \t]*(?:\||[-*+][ \t]|\d{1,9}[.)][ \t])/;

/** Less is a word that two texts happen to share. */
const LEAST_MATCH = 0.3;

/**
 * How well what the best hits say of their links' targets matches the query, by id of the chunks that these are: all of
 * a page, or where the link has a fragment identifier those of its section. A link says its text; in a table or a list,
 * where it is the only one of its line, all of the line. The value is the square of the best match: what shares half of
 * its words with the query is a quarter of what says the same.
 *
 * @param hits best first; the first thirty are read
 */
export function matchLinks(
  hits: readonly FusedHit[],
  facts: ReadonlyMap<string, RuleFacts>,
  headings: HeadingMatcher,
): ReadonlyMap<string, number> {
  const sources = hits.slice(0, LINK_DEPTH).flatMap(({ chunkId }) => {
    const fact = facts.get(chunkId);
    const links = fact?.chunk?.links ?? [];
    return fact?.chunk === undefined || links.length === 0 ? [] : [{ ...fact, chunk: fact.chunk, links }];
  });
  const values = new Map<string, number>();
  if (sources.length === 0) return values;
  const documents = new Map([...facts.values()].map(({ document }) => [document.id, document]));
  const resolver = linkResolver([...documents.values()]);
  const said = new Map<string, number>();
  for (const { document, chunk, links } of sources) {
    const lines = listedLines(chunk, links);
    for (const link of links) {
      const place = resolver.resolve(document, link.target);
      // A page says more of itself than its links to itself do.
      if (place === undefined || (place.document.id === document.id && place.anchor === undefined)) continue;
      const line = lines.get(link.line) ?? "";
      const value = Math.max(headings.similarity(link.text), headings.similarity(line));
      if (value < LEAST_MATCH) continue;
      const key = placeKey(place.document.id, place.anchor);
      said.set(key, Math.max(value, said.get(key) ?? 0));
    }
  }
  for (const [chunkId, { document, chunk }] of facts) {
    if (chunk === undefined) continue;
    const ofPage = said.get(placeKey(document.id)) ?? 0;
    const ofSection = chunk.anchor === undefined ? 0 : (said.get(placeKey(document.id, chunk.anchor)) ?? 0);
    const value = Math.max(ofPage, ofSection);
    if (value > 0) values.set(chunkId, value ** 2);
  }
  return values;
}

/** The rows of tables and items of lists that have one link, by line number. */
function listedLines({ text, span }: Chunk, links: readonly Link[]): ReadonlyMap<number, string> {
  const rows = text.split("\n");
  const listed = new Map<number, string>();
  const met = new Set<number>();
  for (const { line } of links) {
    const row = rows[line - span.startLine] ?? "";
    // Addresses are no words of the line.
    if (!met.has(line) && LISTED.test(row)) listed.set(line, row.replace(/\]\([^)]*\)/g, "]"));
    else listed.delete(line);
    met.add(line);
  }
  return listed;
}

function placeKey(documentId: string, anchor?: string): string {
  return anchor === undefined ? documentId : `${documentId}\n${anchor}`;
}
