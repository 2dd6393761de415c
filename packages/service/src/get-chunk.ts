import type { Docsearch } from "@docsearch/core";
import { type Budget, fitLines, fits, spend } from "@docsearch/core/passages";
import { type CallOptions, type Chunk, DocsearchError } from "@docsearch/spec";
import { budgetOf } from "./budget.js";
import { escapeLine } from "./escape.js";
import { QUOTE_NOTE } from "./fence.js";
import { shownPath } from "./find-document.js";
import type { Answer, GetChunkInput } from "./inputs.js";
import { fenced, labelCharacters, maskNote, quoteLabel, quoteLines } from "./passage.js";
import { type RelatedPlace, relatedLine, relatedPlaces } from "./related.js";
import { type Trust, trustLabel, trustOf } from "./trust.js";

export interface ShownChunk {
  readonly chunkId: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly headingPath: readonly string[];
  readonly text: string;
}

export interface ChunkData {
  readonly path: string;
  readonly source: string;
  readonly trust: Trust;
  readonly title?: string;
  /** In document order. */
  readonly chunks: readonly ShownChunk[];
  /** Where the code is that the chunk names, or the text that names its code; only what fits. */
  readonly related: readonly RelatedPlace[];
  /** First line that did not fit; `read` goes on there. */
  readonly nextLine?: number;
  readonly maskedSecrets: number;
}

const FRAME = 320;
/** Label of the block with the related places. */
const RELATED = "related";

/** @throws `NOT_FOUND` for an unknown id */
export async function getChunk(
  docsearch: Docsearch,
  { chunk_id, before, after, max_chars }: GetChunkInput,
  call: CallOptions,
): Promise<Answer<ChunkData>> {
  const found = await docsearch.getChunk(chunk_id, { before, after, ...call });
  if (found === undefined) {
    throw new DocsearchError(
      "NOT_FOUND",
      `There is no chunk with the id ${quoteLabel(JSON.stringify(chunk_id))}. Ids come from search, and change when their text does: search again.`,
      { what: "chunk", name: chunk_id },
    );
  }
  const { document } = found;
  const path = shownPath(document);
  const trust = trustOf(document);
  const shown: ShownChunk[] = [];
  const budget = budgetOf(max_chars);
  const labelChars = labelCharacters(budget);
  let left = spend(budget, "-".repeat(FRAME));
  let maskedSecrets = 0;
  let nextLine: number | undefined;
  for (const chunk of found.chunks) {
    const { lines, masked } = quoteLines(chunk.text.replace(/\s+$/, ""));
    const label = labelOf(path, trust, chunk, labelChars);
    const part = fitBlock(label, lines, left);
    if (part.length > 0) {
      shown.push(shownChunk(chunk, part));
      left = spend(left, `${fenced(label, part)}\n`);
      maskedSecrets += masked;
    }
    if (part.join("\n") !== lines.join("\n")) {
      nextLine = chunk.span.startLine + (part.length === lines.length ? part.length - 1 : part.length);
      break;
    }
  }
  const asked = found.chunks.find(({ id }) => id === chunk_id);
  const related: RelatedPlace[] = [];
  left = spend(left, `${fenced(RELATED, [])}\n`);
  for (const place of asked === undefined ? [] : await relatedPlaces(docsearch, asked, call)) {
    const line = `${relatedLine(place, labelChars)}\n`;
    if (!fits(line, left)) break;
    left = spend(left, line);
    related.push(place);
  }
  const { title } = document;
  const data: ChunkData = {
    path: escapeLine(path),
    source: escapeLine(document.collection),
    trust,
    ...(title !== undefined && { title: quoteLabel(title) }),
    chunks: shown,
    related: related.map(shownPlace),
    ...(nextLine !== undefined && { nextLine }),
    maskedSecrets,
  };
  return { text: write(data, found.chunks, related, labelChars), data };
}

/** A place as an object may hold it: names and paths are the corpus's own words. */
function shownPlace({ name, path, ...place }: RelatedPlace): RelatedPlace {
  return { ...place, ...(name !== undefined && { name: quoteLabel(name) }), path: escapeLine(path) };
}

function fitBlock(label: string, lines: readonly string[], budget: Budget): readonly string[] {
  const room = spend(budget, `${fenced(label, [])}\n`);
  return fits("", room) ? fitLines(lines, room).lines : [];
}

function shownChunk({ id, span, headingPath }: Chunk, lines: readonly string[]): ShownChunk {
  const endLine = span.startLine + Math.max(0, lines.length - 1);
  const headings = headingPath.map((heading) => quoteLabel(heading));
  return { chunkId: id, startLine: span.startLine, endLine, headingPath: headings, text: lines.join("\n") };
}

function labelOf(path: string, trust: Trust, { id, span, headingPath }: Chunk, labelChars: number): string {
  const headings = headingPath.length === 0 ? "" : ` > ${quoteLabel(headingPath.join(" > "), labelChars)}`;
  return `${quoteLabel(path, labelChars)}:${span.startLine}-${span.endLine}${headings} (${[`id ${id}`, ...trustLabel(trust)].join(", ")})`;
}

function write(data: ChunkData, all: readonly Chunk[], related: readonly RelatedPlace[], labelChars: number): string {
  const { path, trust, chunks, nextLine, maskedSecrets } = data;
  const blocks = chunks.map(({ chunkId, text }) => {
    const chunk = all.find(({ id }) => id === chunkId) as Chunk;
    return fenced(labelOf(path, trust, chunk, labelChars), text.split("\n"));
  });
  const tail =
    nextLine === undefined
      ? "For more: before and after up to 20, or read with the path and lines."
      : `Cut to fit. Go on: read the same path with start_line ${nextLine}, or raise max_chars (up to 40000).`;
  const head = `${chunks.length} of ${all.length} chunks. ${QUOTE_NOTE}`;
  // Names and paths are the corpus's own words too.
  const lines = related.map((place) => relatedLine(place, labelChars));
  const places = lines.length === 0 ? [] : [fenced(RELATED, lines)];
  return [head, ...blocks, ...places, ...[maskNote(maskedSecrets), tail].filter((note) => note !== "")].join("\n");
}
