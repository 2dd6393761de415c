import type { Docsearch, SearchRequest, SearchResponse, SearchResult } from "@docsearch/core";
import { type Budget, fitPassages, type PassageText, resultLines, spend } from "@docsearch/core/passages";
import type { CallOptions } from "@docsearch/spec";
import { budgetOf } from "./budget.js";
import { escapeLine } from "./escape.js";
import { QUOTE_NOTE } from "./fence.js";
import { filterOf, plainNames } from "./filters.js";
import { shownPath } from "./find-document.js";
import type { Answer, SearchInput } from "./inputs.js";
import { fenced, labelCharacters, maskNote, quoteLabel, quoteLines } from "./passage.js";
import { sourceNames } from "./source-names.js";
import { type Trust, trustLabel, trustOf } from "./trust.js";

export interface ShownResult {
  readonly rank: number;
  readonly path: string;
  readonly source: string;
  readonly trust: Trust;
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
  /** There are no others than those that were found. */
  readonly isAll: boolean;
  readonly offset: number;
  /** Where to go on; absent when there is nothing more. */
  readonly nextOffset?: number;
  readonly warnings: readonly string[];
  readonly maskedSecrets: number;
}

/** A result as text that is ready to be cut. */
interface Passage extends PassageText {
  readonly result: SearchResult;
  readonly startLine: number;
  readonly masked: number;
}

/** Kept for what stands around the passages: the first line, how to go on, what is masked. */
const FRAME = 300;
/** The same where the budget is small: all of it is shorter then. */
const SMALL_FRAME = 240;
/** An answer of fewer characters has no room for warnings. */
const ROOM_FOR_WARNINGS = 1000;
const SNIPPET_CHARACTERS = 300;

/** Told of every search as the engine had it, for a log. */
export type OnSearch = (request: SearchRequest, response: SearchResponse) => void;

/**
 * What a search gives; see `SearchInput`. Rejects like `filterOf` and the engine.
 *
 * @param remarks on the index, said before the warnings of the search
 */
export async function search(
  docsearch: Docsearch,
  input: SearchInput,
  call: CallOptions,
  onSearch: OnSearch = () => {},
  remarks: readonly string[] = [],
): Promise<Answer<SearchData>> {
  const { query, mode, limit, offset } = input;
  const filter = await filterOf(docsearch, input, call);
  const request: SearchRequest = {
    query,
    mode,
    limit,
    offset,
    snippetChars: SNIPPET_CHARACTERS,
    ...(filter !== undefined && { filter }),
    ...call,
  };
  const response = await docsearch.search(request);
  onSearch(request, response);
  const { results } = response;
  const warnings = [...remarks, ...response.warnings.map(({ message }) => quoteLabel(message))];
  if (results.length === 0) return nothing(docsearch, input, request, response, warnings, call);

  const budget = budgetOf(input.max_chars);
  const labelChars = labelCharacters(budget);
  const said = [...notesOn(response), ...warnings];
  const notes = budget.maxChars < ROOM_FOR_WARNINGS ? [] : said.slice(0, 1).map((note) => `Note: ${note}`);
  const passages = results.map((result) => passageOf(result, labelChars));
  const frame = budget.maxChars < ROOM_FOR_WARNINGS ? SMALL_FRAME : FRAME;
  const room = spend(budget, "-".repeat(frame) + notes.join("\n"));
  const shown = fitPassages(passages, room).map(({ lines, from }, index) =>
    shownOf(passages[index] as Passage, lines, from),
  );
  const nextOffset = offset + shown.length;
  const isMore = response.next !== undefined || shown.length < results.length;
  const data: SearchData = {
    results: shown,
    found: results.length,
    isAll: response.next === undefined,
    offset,
    ...(isMore && { nextOffset }),
    warnings: said,
    maskedSecrets: passages.slice(0, shown.length).reduce((sum, { masked }) => sum + masked, 0),
  };
  return { text: write(data, notes, budget), data };
}

/** What the reader should know of the search itself: what was taken for a filter, and what may be misspelt. */
function notesOn({ queryFilters, suggestions }: SearchResponse): string[] {
  const [suggestion] = suggestions ?? [];
  return [
    ...(suggestion === undefined ? [] : [quoteLabel(suggestion.message)]),
    ...(queryFilters === undefined ? [] : [`limited by ${quoteLabel(queryFilters.join(" "))} of the query`]),
  ];
}

function passageOf(result: SearchResult, labelChars: number): Passage {
  const { lines: raw, startLine, focus } = resultLines(result);
  const { lines, masked } = quoteLines(raw.join("\n"));
  const whole: Passage = { result, lines, startLine, focus: Math.min(focus, lines.length - 1), masked };
  // The label is longest where it is not yet known which lines are shown.
  const shown = shownOf(whole, lines, 0);
  const label = labelOf({ ...shown, startLine: shown.endLine, isCut: true }, labelChars);
  return { ...whole, frame: `${fenced(label, [])}\n` };
}

function shownOf({ result, lines: all, startLine }: Passage, lines: readonly string[], from: number): ShownResult {
  const { rank, score, chunk, document } = result;
  return {
    rank,
    path: escapeLine(shownPath(document)),
    source: escapeLine(document.collection),
    trust: trustOf(document),
    startLine: startLine + from,
    endLine: startLine + from + Math.max(0, lines.length - 1),
    headingPath: chunk.headingPath.map((heading) => quoteLabel(heading)),
    chunkId: chunk.id,
    score: Number(score.toFixed(3)),
    text: lines.join("\n"),
    isCut: lines.join("\n") !== all.join("\n"),
  };
}

/** `[1] docs/a.md:5-17 > Heading > Heading (id …, score …)`, with `third-party` and `cut` where they hold. */
function labelOf(result: ShownResult, labelChars: number): string {
  const { rank, path, trust, startLine, endLine, headingPath, chunkId, score, isCut } = result;
  const headings = headingPath.length === 0 ? "" : ` > ${quoteLabel(headingPath.join(" > "), labelChars)}`;
  const facts = [`id ${chunkId}`, `score ${score}`, ...trustLabel(trust), ...(isCut ? ["cut"] : [])].join(", ");
  return `[${rank}] ${quoteLabel(path, labelChars)}:${startLine}-${endLine}${headings} (${facts})`;
}

function write(data: SearchData, notes: readonly string[], budget: Budget): string {
  const { results, found, isAll, offset, nextOffset, maskedSecrets } = data;
  const range = results.length === 1 ? `Result ${offset + 1}` : `Results ${offset + 1}-${offset + results.length}`;
  const head = `${range} of ${offset + found}${isAll ? "" : " or more"}. ${QUOTE_NOTE}`;
  const labelChars = labelCharacters(budget);
  const blocks = results.map((result) => fenced(labelOf(result, labelChars), result.text.split("\n")));
  const isSmall = budget.maxChars < ROOM_FOR_WARNINGS;
  const rest = nextOffset === undefined ? "" : ` For more results search again with offset ${nextOffset}.`;
  const tail = isSmall
    ? `More: get_chunk with an id${nextOffset === undefined ? "." : `, or search again with offset ${nextOffset}.`}`
    : `More of one: get_chunk with its id and after 2, or read its path:lines.${rest}`;
  return [head, ...notes, ...blocks, maskNote(maskedSecrets), tail].filter((part) => part !== "").join("\n");
}

/** Tells apart why there is no result, and what to try. */
async function nothing(
  docsearch: Docsearch,
  { mode, offset, path, sources, kind, language }: SearchInput,
  request: SearchRequest,
  response: SearchResponse,
  warnings: readonly string[],
  call: CallOptions,
): Promise<Answer<SearchData>> {
  const data: SearchData = {
    results: [],
    found: 0,
    isAll: true,
    offset,
    warnings: [...notesOn(response), ...warnings],
    maskedSecrets: 0,
  };
  const say = (text: string): Answer<SearchData> => ({
    text: [...warnings.slice(0, 1).map(sentence), text].join(" "),
    data,
  });
  const { filter } = request;
  const first = offset === 0 ? response : await docsearch.search({ ...request, offset: 0, limit: 1 });
  if (first.results.length > 0) return say(`Offset ${offset} is behind the last result.`);
  const { stats, schema } = await docsearch.status(call);
  if (stats.documents === 0) return say("The index is empty. Fill it: index_path with a folder of the project.");
  const [within] = await docsearch.listDocuments({ limit: 1, ...(filter && { filter }), ...call });
  if (within === undefined) {
    const named = { path, sources, kind: kind === "any" ? undefined : kind, language };
    const given = Object.entries(named).filter(([, value]) => value !== undefined);
    const names = joinShort(plainNames(await sourceNames(docsearch, call)).map((name) => `"${name}"`));
    const filters = given.map(([name, value]) => `${name} ${quoteLabel(JSON.stringify(value), 80)}`).join(" and ");
    return say(`No document of the index has ${filters}. Leave it out, or name one of the sources: ${names}.`);
  }
  const [suggestion] = first.suggestions ?? [];
  if (suggestion !== undefined) return say(`Nothing found; ${quoteLabel(suggestion.message)}.`);
  const other = mode === "hybrid" ? "other words, or without quotes" : "mode hybrid";
  const noVectors =
    schema.embedding === null ? " The index has no vectors, so only the words themselves are found." : "";
  return say(`Nothing found. Try ${other}${filter === undefined ? "" : ", or fewer filters"}.${noVectors}`);
}

function sentence(warning: string): string {
  return warning.endsWith(".") ? warning : `${warning}.`;
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
