import type { SearchRequest } from "@docsearch/core";
import { DocsearchError, type Filter } from "@docsearch/spec";
import { EXIT } from "../exit-codes.js";
import { openIndex } from "../open-index.js";
import { formatResults } from "../output/format-results.js";
import { jsonResult } from "../output/json-result.js";
import { printJson } from "../output/print-json.js";

interface SearchFlags {
  readonly mode?: "hybrid" | "keyword" | "semantic";
  readonly limit?: string;
  readonly groupBy?: "chunk" | "document";
  readonly path?: string;
  readonly collection?: readonly string[];
  readonly explain?: boolean;
  readonly json?: boolean;
}

export async function searchCommand(words: readonly string[], flags: SearchFlags): Promise<void> {
  const query = words.join(" ");
  const filter = filterOf(flags);
  const request: SearchRequest = {
    query,
    mode: flags.mode ?? "hybrid",
    limit: parseLimit(flags.limit ?? "10"),
    groupBy: flags.groupBy ?? "chunk",
    ...(filter !== undefined && { filter }),
  };
  const docsearch = await openIndex({ ...flags }, { mode: "read" });
  try {
    const response = await docsearch.search(request);
    for (const { message } of response.warnings) process.stderr.write(`docsearch: ${message}\n`);
    if (flags.json) {
      const { warnings, timings } = response;
      printJson({ query, mode: request.mode, results: response.results.map(jsonResult), warnings, timings });
    } else {
      process.stdout.write(formatResults(response, flags.explain ?? false));
      if (response.results.length === 0) process.stderr.write(`docsearch: nothing found for: ${query}\n`);
    }
    process.exitCode = response.results.length > 0 ? EXIT.ok : EXIT.nothing;
  } finally {
    await docsearch.close();
  }
}

function filterOf({ path, collection }: SearchFlags): Filter | undefined {
  const clauses: Filter[] = [];
  if (path !== undefined) clauses.push({ op: "prefix", field: "path", value: path });
  if (collection !== undefined) clauses.push({ op: "in", field: "collection", values: collection });
  return clauses.length > 1 ? { op: "and", clauses } : clauses[0];
}

function parseLimit(value: string): number {
  const limit = Number(value);
  if (Number.isInteger(limit) && limit >= 1) return limit;
  const expected = "a whole number of at least 1";
  throw new DocsearchError("CONFIG_INVALID", `--limit is "${value}"; expected ${expected}`, {
    setting: "--limit",
    value,
    expected,
  });
}
