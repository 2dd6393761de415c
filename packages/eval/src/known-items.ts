import { type Docsearch, linkResolver } from "@docsearch/core";
import type { CallOptions, Chunk, DocumentRecord, OutlineEntry } from "@docsearch/spec";
import type { EvalQuery, EvalTarget } from "./query-set.js";
import { seededRandom, shuffled } from "./random.js";

export interface KnownItemOptions extends CallOptions {
  /** Most queries of each kind. Default 100. */
  readonly sample?: number;
  /** The same seed on the same index gives the same queries. Default 1. */
  readonly seed?: number;
}

export interface KnownItems {
  readonly queries: readonly EvalQuery[];
  /** How many of each kind there were, and how many were drawn. */
  readonly kinds: readonly { readonly kind: string; readonly found: number; readonly drawn: number }[];
}

/** What such queries say and what they do not; belongs under every table made with them. */
export const KNOWN_ITEM_NOTE = `Known-item queries are made from the index itself: each asks for the one page or section that a text belongs to.
They show whether a page is found by what its authors say of it, and which arm or setting does that better on this collection.
They do not show whether readers' questions are answered, for authors' words are not readers' words; write some of those by hand.
- description: from front matter, which is not searched. The fairest of them.
- heading: stands in the index as it is. A low figure is a fault; a high one proves little.
- link: how other pages name their target; these pages do not count, but the target may use the same words.
- docstring: stands in the index beside its code. As with headings, a low figure is a fault.
An embedding model may have learnt from public pages, these included: then only the keyword arm is a clean figure.`;

/** Documents whose headings and links are read. */
const MAX_READ = 2000;
const PAGE = 1000;
/** Characters of the shortest description that says what its page is about. */
const MIN_DESCRIPTION = 20;
/** Link texts that say nothing of their target. */
const EMPTY_TEXTS =
  /^(?:(?:see|read|learn|click|find|more|for|on|the|this|that|these|our|here|below|above|next|previous|page|guide|docs?|documentation|section|article|example|details?|information|info|link|post|issue|about|it) ?)+$/i;

/**
 * Draws known-item queries from an index: a description asks for its document, a heading for its section, the text
 * of a link for the section or document that it leads to, with the pages that have the link left out, the first
 * sentence of a definition's documentation for the definition. Texts of less than two words, and texts that several places have, are no queries.
 */
export async function knownItemQueries(docsearch: Docsearch, options: KnownItemOptions = {}): Promise<KnownItems> {
  const { sample = 100, seed = 1 } = options;
  const call: CallOptions = options.signal === undefined ? {} : { signal: options.signal };
  const random = seededRandom(seed);
  const documents = await listAll(docsearch, call);
  const pages: Page[] = [];
  for (const document of shuffled(documents, random).slice(0, MAX_READ)) {
    pages.push(await readPage(docsearch, document, call));
  }
  const docstrings = pages.flatMap(fromDocstrings);
  const candidates: readonly (readonly [string, readonly Candidate[]])[] = [
    ["description", documents.flatMap(fromDescription)],
    ["heading", pages.flatMap(fromHeadings)],
    ["link", fromLinks(documents, pages)],
    // An index without code has none, and no row that says so.
    ...(docstrings.length > 0 ? ([["docstring", docstrings]] as const) : []),
  ];
  const kinds = candidates.map(([kind, all]) => {
    const found = withoutAmbiguous(all);
    return { kind, found: found.length, drawn: shuffled(found, random).slice(0, sample) };
  });
  return {
    queries: kinds.flatMap(({ kind, drawn }) =>
      drawn.map(({ text, target, exclude }) => ({
        id: `${kind}: ${text}`,
        query: text,
        kind,
        relevant: [target],
        ...(exclude.length > 0 && { exclude }),
      })),
    ),
    kinds: kinds.map(({ kind, found, drawn }) => ({ kind, found, drawn: drawn.length })),
  };
}

interface Candidate {
  readonly text: string;
  readonly target: EvalTarget;
  readonly exclude: readonly string[];
}

interface Page {
  readonly document: DocumentRecord;
  readonly outline: readonly OutlineEntry[];
  readonly chunks: readonly Chunk[];
}

function fromDescription({ id, metadata }: DocumentRecord): Candidate[] {
  const { description } = metadata;
  if (typeof description !== "string" || description.length < MIN_DESCRIPTION) return [];
  return [{ text: plain(description), target: { documentId: id }, exclude: [] }];
}

function fromHeadings(page: Page): Candidate[] {
  return page.outline.flatMap((entry) => {
    const text = plain(entry.heading);
    return isQuery(text) ? [{ text, target: sectionTarget(page, entry), exclude: [] }] : [];
  });
}

/** The first sentence of what a definition says of itself. */
function fromDocstrings({ document, chunks }: Page): Candidate[] {
  return chunks.flatMap(({ symbols = [], span }) =>
    symbols.flatMap(({ documentation = "", line, endLine }): Candidate[] => {
      const text = plain(/^.*?[.!?](?=\s|$)/s.exec(documentation)?.[0] ?? documentation);
      if (text.length < MIN_DESCRIPTION || !isQuery(text)) return [];
      const target = { documentId: document.id, startLine: Math.min(span.startLine, line), endLine };
      return [{ text, target, exclude: [] }];
    }),
  );
}

function fromLinks(documents: readonly DocumentRecord[], pages: readonly Page[]): Candidate[] {
  const resolver = linkResolver(documents);
  const pageOf = new Map(pages.map((page) => [page.document.id, page]));
  const byPlace = new Map<string, { text: string; target: EvalTarget; sources: Set<string> }>();
  for (const { document, chunks } of pages) {
    for (const link of chunks.flatMap(({ links = [] }) => links)) {
      const text = plain(link.text);
      const place = isQuery(text) && !EMPTY_TEXTS.test(text) ? resolver.resolve(document, link.target) : undefined;
      if (place === undefined || place.document.id === document.id) continue;
      const page = pageOf.get(place.document.id);
      const entry = page?.outline.find(({ anchor }) => anchor === place.anchor);
      // A link that only repeats what its target is called is a heading query, which there are already.
      const names = [place.document.title, entry?.heading ?? page?.outline[0]?.heading];
      if (names.some((name) => name !== undefined && normal(plain(name)) === normal(text))) continue;
      const isSection = page !== undefined && entry !== undefined;
      const target = isSection ? sectionTarget(page, entry) : { documentId: place.document.id };
      const key = `${normal(text)}\n${target.documentId}\n${target.startLine ?? 0}`;
      const known = byPlace.get(key) ?? { text, target, sources: new Set() };
      known.sources.add(document.path ?? document.id);
      byPlace.set(key, known);
    }
  }
  return [...byPlace.values()].map(({ text, target, sources }) => ({ text, target, exclude: [...sources] }));
}

/** The lines from a heading to the next one of its level or above. */
function sectionTarget({ document, outline, chunks }: Page, entry: OutlineEntry): EvalTarget {
  const after = outline.slice(outline.indexOf(entry) + 1).find(({ level }) => level <= entry.level);
  const last = chunks.at(-1)?.span.endLine ?? entry.line;
  return {
    documentId: document.id,
    startLine: entry.line,
    endLine: Math.max(entry.line, after ? after.line - 1 : last),
  };
}

function withoutAmbiguous(candidates: readonly Candidate[]): Candidate[] {
  const counts = new Map<string, number>();
  for (const { text } of candidates) counts.set(normal(text), (counts.get(normal(text)) ?? 0) + 1);
  return candidates.filter(({ text }) => counts.get(normal(text)) === 1);
}

async function listAll(docsearch: Docsearch, call: CallOptions): Promise<DocumentRecord[]> {
  const documents: DocumentRecord[] = [];
  for (;;) {
    const after = documents.at(-1)?.id;
    const page = await docsearch.listDocuments({ limit: PAGE, ...(after !== undefined && { after }), ...call });
    documents.push(...page);
    if (page.length < PAGE) return documents;
  }
}

async function readPage(docsearch: Docsearch, document: DocumentRecord, call: CallOptions): Promise<Page> {
  const [outline, chunks] = await Promise.all([
    docsearch.getOutline(document.id, call),
    docsearch.getDocumentChunks(document.id, call),
  ]);
  return { document, outline, chunks };
}

const WORDS = new Intl.Segmenter("und", { granularity: "word" });

/** One word asks for too many pages at once. */
function isQuery(text: string): boolean {
  let words = 0;
  for (const { isWordLike } of WORDS.segment(text)) if (isWordLike && ++words === 2) return true;
  return false;
}

/** Without the marks of code and emphasis, white space folded. Double quotes would ask for a phrase. */
function plain(text: string): string {
  return text.replace(/[`*"]/g, "").replace(/\s+/g, " ").trim();
}

function normal(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
