import type { Docsearch, SearchRequest } from "@docsearch/core";
import { coverageOf } from "@docsearch/service/coverage";
import type { Filter } from "@docsearch/spec";
import { environmentOf } from "../environment.js";
import { EXIT } from "../exit-codes.js";
import { logSearch } from "../log-search.js";
import { openIndex } from "../open-index.js";
import { optimiseNothing } from "../optimisation.js";
import { formatResults } from "../output/format-results.js";
import { jsonResult } from "../output/json-result.js";
import { printJson } from "../output/print-json.js";
import { warn } from "../output/warn.js";
import { projectRoot } from "../project.js";
import { readQuery } from "../read-query.js";
import { searchFilter } from "../search-filter.js";
import type { Flags } from "../setting-flags.js";

interface SearchFlags extends Flags {
  readonly mode: "hybrid" | "keyword" | "semantic";
  readonly limit: number;
  readonly groupBy: "chunk" | "document";
  readonly path?: readonly string[];
  readonly collection?: readonly string[];
  readonly merge?: boolean;
  readonly offset?: number;
  readonly cursor?: string;
  readonly maxChars?: number;
  readonly queryFilters: boolean;
  readonly explain?: boolean;
  readonly json?: boolean;
}

export async function searchCommand(words: readonly string[], flags: SearchFlags): Promise<void> {
  const { mode, limit, groupBy, path = [], collection = [], explain = false, json = false } = flags;
  const { merge = false, offset, cursor, maxChars, queryFilters } = flags;
  const query = await readQuery(words);
  const root = projectRoot();
  const filter = searchFilter(path, collection, root);
  const request: SearchRequest = {
    query,
    queryFilters,
    mode,
    limit,
    groupBy,
    mergeAdjacent: merge,
    ...(filter && { filter }),
    ...(offset !== undefined && { offset }),
    ...(cursor !== undefined && { cursor }),
    ...(maxChars !== undefined && { maxChars }),
  };
  const { docsearch, location } = await openIndex(flags);
  optimiseNothing(location);
  try {
    const response = await docsearch.search(request);
    const coverage = await coverageOf(docsearch, environmentOf(flags), location);
    await logSearch(request, response);
    const { results, next, queryFilters: read, suggestions, warnings, timings } = response;
    if (read !== undefined) warn(`limited by ${read.join(" ")} of the query; --no-query-filters takes it as text`);
    for (const { message } of warnings) warn(message);
    if (coverage !== undefined) warn(coverage.message);
    if (json) {
      const shown = results.map((result) => jsonResult(result, root));
      printJson({ query, mode, results: shown, next, queryFilters: read, suggestions, warnings, coverage, timings });
    } else {
      process.stdout.write(formatResults(response, root, explain));
    }
    const isBehind = offset !== undefined || cursor !== undefined;
    if (results.length === 0) warn(isBehind ? "no results from there on" : await whyNothing(docsearch, query, filter));
    for (const { message } of suggestions ?? []) warn(message);
    process.exitCode = results.length > 0 ? EXIT.ok : EXIT.negative;
  } finally {
    await docsearch.close();
  }
}

async function whyNothing(docsearch: Docsearch, query: string, filter: Filter | undefined): Promise<string> {
  const documents = await docsearch.listDocuments({ limit: 1, ...(filter && { filter }) });
  if (documents.length > 0) return `nothing found for: ${query}`;
  return filter === undefined
    ? "the index is empty; fill it: docsearch index <paths>"
    : "no document of the index is within --path and --collection; docsearch status lists the collections";
}
