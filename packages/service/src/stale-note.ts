import type { Docsearch } from "@docsearch/core";
import type { CallOptions } from "@docsearch/spec";
import { plainNames } from "./filters.js";
import type { Answer } from "./inputs.js";
import type { FreshnessOf } from "./list-sources.js";
import type { SearchData } from "./search.js";
import { sourceNames } from "./source-names.js";

const SHOWN = 5;

/** An answer without results, which may be for want of what has changed since the sources were indexed: then it says so. */
export async function withStaleNote(
  answer: Answer<SearchData>,
  docsearch: Docsearch,
  freshnessOf: FreshnessOf,
  call: CallOptions,
): Promise<Answer<SearchData>> {
  const fresh = await freshnessOf(docsearch, await sourceNames(docsearch, call), call);
  const stale = [...fresh].filter(([, { isStale }]) => isStale === true).map(([name]) => name);
  if (stale.length === 0) return answer;
  const names = plainNames(stale)
    .slice(0, SHOWN)
    .map((name) => `"${name}"`);
  const rest = stale.length > names.length ? [`${stale.length - names.length} more (list_sources)`] : [];
  const note = `Files have changed since they were indexed, of ${[...names, ...rest].join(", ")}: index_path brings them in.`;
  return { text: `${answer.text} ${note}`, data: { ...answer.data, warnings: [...answer.data.warnings, note] } };
}
