import type { Docsearch, SearchRequest, SearchResponse, SearchResult } from "@docsearch/core";
import type { CallOptions, Filter } from "@docsearch/spec";
import { type Budget, budgetOf, byteLength, fitLines, fits, spend } from "./budget.js";
import { QUOTE_NOTE } from "./fence.js";
import { filterOf, plainNames, sourceNames } from "./filters.js";
import { shownPath } from "./find-document.js";
import type { Answer, SearchInput } from "./inputs.js";
import { fenced, labelCharacters, maskNote, quoteLabel, quoteLines } from "./passage.js";
import { share } from "./share.js";

export interface ShownResult {
  readonly rank: number;
  readonly path: string;
  readonly source: string;
  /** Lines of the text that is shown. */
  readonly startLine: number;
  readonly endLine: number;
  readonly headingPath: readonly string[];
  readonly chunkId: string;
  readonly score: number;
  readonly text: string;
  /** More lines belong to the chunk than are shown. */
  readonly isCut: boolean;
}

export interface SearchData {
  readonly results: readonly ShownResult[];
  /** Results that were found, up to `limit`. */
  readonly found: number;
  readonly offset: number;
  /** Where to go on; absent when there is nothing more. */
  readonly nextOffset?: number;
  readonly warnings: readonly string[];
  readonly maskedSecrets: number;
}

/** A result as text that is ready to be cut. */
interface Passage {
  readonly result: SearchResult;
  readonly lines: readonly string[];
  readonly startLine: number;
  /** Index in `lines` where the part that fits best begins. */
  readonly focus: number;
  readonly masked: number;
}

/** A result is not worth showing with less, in characters. */
const LEAST_PASSAGE = 160;
/** Kept for what stands around the passages: the first line, how to go on, what is masked. */
const FRAME = 300;
/** An answer of fewer characters has no room for warnings. */
const ROOM_FOR_WARNINGS = 1000;
const SNIPPET_CHARACTERS = 300;

/** Told of every search as the engine had it, for a log. */
export type OnSearch = (request: SearchRequest, response: SearchResponse) => void;

/** What a search gives; see `SearchInput`. Rejects like `filterOf` and the engine. */
export async function search(
  docsearch: Docsearch,
  input: SearchInput,
  call: CallOptions,
  onSearch: OnSearch = () => {},
): Promise<Answer<SearchData>> {
  const { query, mode, limit, offset } = input;
  const filter = await filterOf(docsearch, input, call);
  const request: SearchRequest = {
    query,
    mode,
    limit: offset + limit + 1,
    snippetChars: SNIPPET_CHARACTERS,
    ...(filter !== undefined && { filter }),
    ...call,
  };
  let response = await docsearch.search(request);
  // Another process may have replaced all that was found before it was fetched; what it wrote is found now.
  if (response.results.length === 0) response = await docsearch.search(request);
  onSearch(request, response);
  const results = response.results.slice(offset, offset + limit);
  const isMore = response.results.length > offset + limit;
  const warnings = response.warnings.map(({ message }) => quoteLabel(message));
  if (results.length === 0) return nothing(docsearch, input, filter, response, warnings, call);

  const budget = budgetOf(input.max_chars);
  const notes = budget.maxChars < ROOM_FOR_WARNINGS ? [] : warnings.slice(0, 1).map((warning) => `Note: ${warning}`);
  const passages = results.map(passageOf);
  const shown = cutToFit(passages, spend(budget, "-".repeat(FRAME) + notes.join("\n")), labelCharacters(budget));
  const nextOffset = offset + shown.length;
  const data: SearchData = {
    results: shown,
    found: results.length,
    offset,
    ...((isMore || shown.length < results.length) && { nextOffset }),
    warnings,
    maskedSecrets: passages.slice(0, shown.length).reduce((sum, { masked }) => sum + masked, 0),
  };
  return { text: write(data, notes, labelCharacters(budget)), data };
}

function passageOf(result: SearchResult): Passage {
  const { chunk, snippet } = result;
  const { startLine } = chunk.span;
  const { lines, masked } = quoteLines(chunk.text.replace(/\s+$/, ""));
  const focus = Math.max(0, Math.min(snippet.startLine - startLine, lines.length - 1));
  return { result, lines, startLine, focus, masked };
}

/** As many results as fit with a useful part each, cut at whole lines. */
function cutToFit(passages: readonly Passage[], budget: Budget, labelChars: number): ShownResult[] {
  const room = Math.min(budget.maxChars, budget.maxBytes ?? budget.maxChars);
  const costs = passages.map((passage) => lengthIn(`${fenced(longestLabel(passage, labelChars), [])}\n`, budget));
  const fixed = (count: number): number => costs.slice(0, count).reduce((sum, cost) => sum + cost, 0);
  let count = passages.length;
  while (count > 1 && (room - fixed(count)) / count < LEAST_PASSAGE) count--;
  const chosen = passages.slice(0, count);
  const wants = chosen.map(({ lines }) => lines.reduce((sum, line) => sum + lengthIn(line, budget) + 1, 0));
  const shares = share(wants, Math.max(0, room - fixed(count)));
  return chosen.map((passage, index) => cutPassage(passage, shares[index] as number, budget));
}

/** Bytes where they are counted, else characters. */
function lengthIn(text: string, { maxBytes }: Budget): number {
  return maxBytes === undefined ? text.length : byteLength(text);
}

/** The label of a passage before it is known which lines are shown. */
function longestLabel(passage: Passage, labelChars: number): string {
  const shown = shownOf(passage, passage.lines, 0);
  return labelOf({ ...shown, startLine: shown.endLine, isCut: true }, labelChars);
}

/** The whole lines around the best part that fit in `room`. */
function cutPassage(passage: Passage, room: number, budget: Budget): ShownResult {
  const { lines, focus } = passage;
  const own: Budget = budget.maxBytes === undefined ? { maxChars: room } : { maxChars: room, maxBytes: room };
  if (fits(lines.map((line) => `${line}\n`).join(""), own)) return shownOf(passage, lines, 0);
  const { lines: behind } = fitLines(lines.slice(focus), own);
  const left = spend(own, behind.map((line) => `${line}\n`).join(""));
  const before = focus === 0 ? [] : wholeLines(lines.slice(0, focus).reverse(), left).toReversed();
  return shownOf(passage, withoutBlankEnd([...before, ...behind]), focus - before.length);
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  const end = lines.findLastIndex((line) => line.trim() !== "");
  return end < 0 ? lines : lines.slice(0, end + 1);
}

function wholeLines(lines: readonly string[], budget: Budget): readonly string[] {
  const fitted = fitLines(lines, budget);
  return fitted.isLineCut ? [] : fitted.lines;
}

function shownOf({ result, lines: all, startLine }: Passage, lines: readonly string[], from: number): ShownResult {
  const { rank, score, chunk, document } = result;
  return {
    rank,
    path: shownPath(document),
    source: document.collection,
    startLine: startLine + from,
    endLine: startLine + from + Math.max(0, lines.length - 1),
    headingPath: chunk.headingPath,
    chunkId: chunk.id,
    score: Number(score.toFixed(3)),
    text: lines.join("\n"),
    isCut: lines.join("\n") !== all.join("\n"),
  };
}

/** `[1] docs/a.md:5-17 > Heading > Heading (id …, score …)` */
function labelOf(result: ShownResult, labelChars: number): string {
  const { rank, path, startLine, endLine, headingPath, chunkId, score, isCut } = result;
  const headings = headingPath.length === 0 ? "" : ` > ${quoteLabel(headingPath.join(" > "), labelChars)}`;
  const cut = isCut ? ", cut" : "";
  return `[${rank}] ${quoteLabel(path, labelChars)}:${startLine}-${endLine}${headings} (id ${chunkId}, score ${score}${cut})`;
}

function write(data: SearchData, notes: readonly string[], labelChars: number): string {
  const { results, found, offset, nextOffset, maskedSecrets } = data;
  const range = results.length === 1 ? `Result ${offset + 1}` : `Results ${offset + 1}-${offset + results.length}`;
  const head = `${range} of ${offset + found}. ${QUOTE_NOTE}`;
  const blocks = results.map((result) => fenced(labelOf(result, labelChars), result.text.split("\n")));
  const rest = nextOffset === undefined ? "" : ` For more results search again with offset ${nextOffset}.`;
  const tail = `More of one: get_chunk with its id and after 2, or read its path:lines.${rest}`;
  return [head, ...blocks, ...notes, maskNote(maskedSecrets), tail].filter((part) => part !== "").join("\n");
}

/** Tells apart why there is no result, and what to try. */
async function nothing(
  docsearch: Docsearch,
  { mode, offset, path, sources, kind, language }: SearchInput,
  filter: Filter | undefined,
  response: SearchResponse,
  warnings: readonly string[],
  call: CallOptions,
): Promise<Answer<SearchData>> {
  const data: SearchData = { results: [], found: 0, offset, warnings, maskedSecrets: 0 };
  const say = (text: string): Answer<SearchData> => ({ text: [...warnings.slice(0, 1), text].join(" "), data });
  if (offset > 0 && response.results.length > 0) {
    return say(`There are only ${response.results.length} results; offset ${offset} is behind the last.`);
  }
  const { stats, schema } = await docsearch.status(call);
  if (stats.documents === 0) return say("The index is empty. Fill it: index_path with a folder of the project.");
  const [within] = await docsearch.listDocuments({ limit: 1, ...(filter && { filter }), ...call });
  if (within === undefined) {
    const named = { path, sources, kind: kind === "any" ? undefined : kind, language };
    const given = Object.entries(named).filter(([, value]) => value !== undefined);
    const names = joinShort(plainNames(await sourceNames(docsearch, call)).map((name) => `"${name}"`));
    return say(
      `No document of the index is within ${given.map(([name]) => name).join(" and ")}. Leave it out, or name one of the sources: ${names}.`,
    );
  }
  const [suggestion] = response.suggestions ?? [];
  if (suggestion !== undefined) return say(`Nothing found; ${quoteLabel(suggestion.message)}.`);
  const other = mode === "hybrid" ? "other words, or without quotes" : "mode hybrid";
  const noVectors =
    schema.embedding === null ? " The index has no vectors, so only the words themselves are found." : "";
  return say(`Nothing found. Try ${other}${filter === undefined ? "" : ", or fewer filters"}.${noVectors}`);
}

const NAMES_CHARACTERS = 160;

/** As many names as fit on a short line. */
function joinShort(names: readonly string[]): string {
  let joined = "";
  for (const name of names) {
    const longer = joined === "" ? name : `${joined}, ${name}`;
    if (longer.length > NAMES_CHARACTERS) return `${joined}, and others (list_sources)`;
    joined = longer;
  }
  return joined;
}
