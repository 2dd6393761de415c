import type { SearchRequest, SearchResponse } from "@docsearch/core";
import { warn } from "./output/warn.js";

/** Writes the search to the query log, if `DOCS_QUERY_LOG` names one. */
export async function logSearch(request: SearchRequest, response: SearchResponse): Promise<void> {
  const { DOCS_QUERY_LOG, DOCS_QUERY_LOG_TEXT } = process.env;
  const file = DOCS_QUERY_LOG?.trim();
  if (!file) return;
  const { createQueryLog } = await import("@docsearch/service/query-log");
  const withText = DOCS_QUERY_LOG_TEXT?.trim() === "yes";
  createQueryLog({ file, withText, client: "cli", onError: warn }).record(request, response);
}
