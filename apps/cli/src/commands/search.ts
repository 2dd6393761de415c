import type { Docsearch, SearchRequest } from "@docsearch/core";
import type { Filter } from "@docsearch/spec";
import { EXIT } from "../exit-codes.js";
import { logSearch } from "../log-search.js";
import { openIndex } from "../open-index.js";
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
  readonly explain?: boolean;
  readonly json?: boolean;
}

export async function searchCommand(words: readonly string[], flags: SearchFlags): Promise<void> {
  const { mode, limit, groupBy, path = [], collection = [], explain = false, json = false } = flags;
  const query = await readQuery(words);
  const root = projectRoot();
  const filter = searchFilter(path, collection, root);
  const request: SearchRequest = { query, mode, limit, groupBy, ...(filter && { filter }) };
  const { docsearch } = await openIndex(flags);
  try {
    const response = await docsearch.search(request);
    await logSearch(request, response);
    const { results, suggestions, warnings, timings } = response;
    for (const { message } of warnings) warn(message);
    if (json) {
      const shown = results.map((result) => jsonResult(result, root));
      printJson({ query, mode, results: shown, ...(suggestions && { suggestions }), warnings, timings });
    } else {
      process.stdout.write(formatResults(response, root, explain));
    }
    if (results.length === 0) warn(await whyNothing(docsearch, query, filter));
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
