import type { Docsearch } from "@docsearch/core";
import { fitLines, spend } from "@docsearch/core/passages";
import type { CallOptions } from "@docsearch/spec";
import { DEFAULT_BUDGET } from "./budget.js";
import { QUOTE_NOTE } from "./fence.js";
import { DOC_TYPES } from "./filters.js";
import type { Answer } from "./inputs.js";
import { fenced, quoteLabel } from "./passage.js";
import { type Trust, trustOfName } from "./trust.js";
import { shortTime, type WatchData, watchLine } from "./watch-data.js";

export interface Source {
  readonly name: string;
  readonly documents: number;
  /** How many of the documents are code. */
  readonly code: number;
  readonly chunks: number;
  readonly trust: Trust;
  /** When it was last brought up to date, in UTC; absent when nobody knows. */
  readonly indexedAt?: string;
  /** Whether its files have changed since then; absent when that cannot be told, or not quickly. */
  readonly isStale?: boolean;
}

export type Freshness = Pick<Source, "indexedAt" | "isStale">;

/** Tells for collections, by name, how fresh they are; must be quick. Those of which nothing is known are left out. */
export type FreshnessOf = (
  docsearch: Docsearch,
  names: readonly string[],
  call: CallOptions,
) => Promise<ReadonlyMap<string, Freshness>>;

export interface SourcesData {
  readonly sources: readonly Source[];
  readonly total: number;
  readonly documents: number;
  readonly chunks: number;
  /** Sources that did not fit, all after those that are listed. */
  readonly more: number;
  /** Absent where nothing is watched. */
  readonly watch?: WatchData;
  /** What the index can answer for while it is not whole; absent when it is. */
  readonly coverage?: string;
}

/** What is known of an index beside what it holds. */
interface Surroundings {
  readonly freshnessOf?: FreshnessOf | undefined;
  readonly watch?: WatchData | undefined;
  readonly coverage?: string | undefined;
}

const FRAME = 300;

/** The collections of the index with what they hold; as many as fit. */
export async function listSources(
  docsearch: Docsearch,
  call: CallOptions,
  { freshnessOf, watch, coverage }: Surroundings = {},
): Promise<Answer<SourcesData>> {
  const counted = await countSources(docsearch, call);
  const names = counted.map(({ name }) => name);
  const fresh = (await freshnessOf?.(docsearch, names, call)) ?? new Map<string, Freshness>();
  const all = counted.map((source) => ({
    ...source,
    name: quoteLabel(source.name),
    trust: trustOfName(source.name),
    ...fresh.get(source.name),
  }));
  const { lines } = fitLines(
    all.map(lineOf),
    spend(DEFAULT_BUDGET, "-".repeat(FRAME) + watchLine(watch) + (coverage ?? "")),
  );
  const sum = (of: (source: Source) => number): number => all.reduce((total, source) => total + of(source), 0);
  const data: SourcesData = {
    sources: all.slice(0, lines.length),
    total: all.length,
    documents: sum(({ documents }) => documents),
    chunks: sum(({ chunks }) => chunks),
    more: all.length - lines.length,
    ...(watch !== undefined && { watch }),
    ...(coverage !== undefined && { coverage }),
  };
  return { text: write(data, lines), data };
}

/** In code unit order of their names. */
async function countSources(
  docsearch: Docsearch,
  call: CallOptions,
): Promise<Pick<Source, "name" | "documents" | "code" | "chunks">[]> {
  const counts = new Map<string, { documents: number; code: number; chunks: number }>();
  for (const { collection, mediaType, documents, chunks } of await docsearch.countByCollection(call)) {
    const count = counts.get(collection) ?? { documents: 0, code: 0, chunks: 0 };
    count.documents += documents;
    count.chunks += chunks;
    if (!DOC_TYPES.includes(mediaType)) count.code += documents;
    counts.set(collection, count);
  }
  return [...counts].map(([name, count]) => ({ name, ...count }));
}

function lineOf({ name, documents, code, chunks, trust, indexedAt, isStale }: Source): string {
  const held = `${counted(documents, "document")}${code === 0 ? "" : ` (${code} code)`}, ${counted(chunks, "chunk")}`;
  const facts = [
    ...(trust === "project" ? [] : [trust]),
    ...(indexedAt === undefined ? [] : [`indexed ${shortTime(indexedAt)}`]),
    ...(isStale === true ? ["files changed since"] : []),
  ];
  return [`${name}: ${held}`, ...facts].join(", ");
}

function write(
  { sources, total, documents, chunks, more, watch, coverage }: SourcesData,
  lines: readonly string[],
): string {
  const watched = [watchLine(watch), ...(coverage === undefined ? [] : [`Note: ${coverage}`])]
    .filter((line) => line !== "")
    .join("\n");
  if (total === 0) {
    const empty = "The index is empty. Fill it: index_path with a folder of the project.";
    return watched === "" ? empty : `${empty}\n${watched}`;
  }
  const held = `${counted(total, "source")}, ${counted(documents, "document")}, ${counted(chunks, "chunk")}`;
  const head = `${held}. ${QUOTE_NOTE}`;
  const rest = more === 0 ? "" : ` ${more} more sources do not fit here; resources/list pages through all of them.`;
  const stale = sources.some(({ isStale }) => isStale === true)
    ? " What changed since comes into the index by index_path."
    : "";
  const tail = `Next: search with sources, or outline with source.${stale}${rest}`;
  return [head, fenced("sources", lines), watched, tail].filter((part) => part !== "").join("\n");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
