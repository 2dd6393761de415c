import type { Docsearch } from "@docsearch/core";
import type { CallOptions } from "@docsearch/spec";
import { DEFAULT_BUDGET, fitLines, spend } from "./budget.js";
import { QUOTE_NOTE } from "./fence.js";
import { DOC_TYPES, documentsOf } from "./filters.js";
import type { Answer } from "./inputs.js";
import { fenced, quoteLabel } from "./passage.js";

export interface Source {
  readonly name: string;
  readonly documents: number;
  /** How many of the documents are code. */
  readonly code: number;
}

export interface SourcesData {
  readonly sources: readonly Source[];
  readonly total: number;
  readonly documents: number;
  readonly chunks: number;
  /** Sources that did not fit, all after those that are listed. */
  readonly more: number;
}

const FRAME = 300;

/** The collections of the index with what they hold; as many as fit. */
export async function listSources(docsearch: Docsearch, call: CallOptions): Promise<Answer<SourcesData>> {
  const [{ stats }, counted] = await Promise.all([docsearch.status(call), countSources(docsearch, call)]);
  const all = counted.map((source) => ({ ...source, name: quoteLabel(source.name) }));
  const { lines } = fitLines(all.map(lineOf), spend(DEFAULT_BUDGET, "-".repeat(FRAME)));
  const data: SourcesData = {
    sources: all.slice(0, lines.length),
    total: all.length,
    documents: stats.documents,
    chunks: stats.chunks,
    more: all.length - lines.length,
  };
  return { text: write(data, lines), data };
}

/** In code unit order of their names. */
async function countSources(docsearch: Docsearch, call: CallOptions): Promise<Source[]> {
  const counts = new Map<string, { documents: number; code: number }>();
  for await (const { collection, mediaType } of documentsOf(docsearch, undefined, call)) {
    const count = counts.get(collection) ?? { documents: 0, code: 0 };
    count.documents++;
    if (!DOC_TYPES.includes(mediaType)) count.code++;
    counts.set(collection, count);
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => ({ name, ...count }));
}

function lineOf({ name, documents, code }: Source): string {
  return `${name}: ${counted(documents, "document")}${code === 0 ? "" : `, ${code} of them code`}`;
}

function write({ total, documents, chunks, more }: SourcesData, lines: readonly string[]): string {
  if (total === 0) return "The index is empty. Fill it: index_path with a folder of the project.";
  const held = `${counted(total, "source")}, ${counted(documents, "document")}, ${counted(chunks, "chunk")}`;
  const head = `${held}. ${QUOTE_NOTE}`;
  const rest = more === 0 ? "" : ` ${more} more sources do not fit here; resources/list pages through all of them.`;
  return [head, fenced("sources", lines), `Next: search with sources, or outline with source.${rest}`].join("\n");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
