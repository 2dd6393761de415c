import type { Docsearch, SearchRequest, SearchResult } from "@docsearch/core";
import { type CallOptions, DocsearchError, type Filter } from "@docsearch/spec";
import { type Arm, DEFAULT_ARMS } from "./arms.js";
import { judgeDocuments, judgeSections } from "./judge.js";
import { DEFAULT_METRICS, type Metric, parseMetric } from "./metric-names.js";
import type { EvalQuery } from "./query-set.js";
import type { ArmRun, EvalRun, KindSummary, MetricValues, QueryRecord } from "./run.js";
import { mean, percentile } from "./statistics.js";
import { type ResolvedQuery, resolveQueries } from "./targets.js";

export interface EvaluateOptions extends CallOptions {
  /** Default `DEFAULT_ARMS`; without vectors in the index only the first of them. */
  readonly arms?: readonly Arm[];
  /** Names, see `parseMetric`. Default `DEFAULT_METRICS`. */
  readonly metrics?: readonly string[];
  /** Progress, for showing only. */
  readonly onQuery?: (progress: { readonly arm: string; readonly done: number; readonly total: number }) => void;
}

/** Documents that a query record names. */
const TOP = 10;

/**
 * Runs every query in every arm, one search after the other, through the same `search` that users call, and measures
 * the lists. Documents are asked for with `groupBy: "document"`, sections with `groupBy: "chunk"`, each to the depth
 * of the deepest metric. Excluded documents are filtered out, so that they take no place in the list.
 *
 * @throws `CONFIG_INVALID` for a metric that is none, two arms of one name, no query, or when the index has none of
 * the targets; what `search` throws
 */
export async function evaluate(
  docsearch: Docsearch,
  queries: readonly EvalQuery[],
  options: EvaluateOptions = {},
): Promise<EvalRun> {
  const date = new Date().toISOString();
  const call: CallOptions = options.signal === undefined ? {} : { signal: options.signal };
  const metrics = [...new Set(options.metrics ?? DEFAULT_METRICS)].map(parseMetric);
  const status = await docsearch.status(call);
  const { embedding } = status.schema;
  const arms = options.arms ?? (embedding === null ? DEFAULT_ARMS.slice(0, 1) : DEFAULT_ARMS);
  checkArms(arms);
  const resolved = await resolveQueries(docsearch, queries, call);
  checkTargets(resolved.queries, status.stats.documents, await docsearch.listDocuments({ limit: 1, ...call }));

  const runs: ArmRun[] = [];
  for (const arm of arms) runs.push(await runArm(docsearch, arm, resolved.queries, metrics, options));
  return {
    format: 1,
    date,
    index: {
      store: status.store,
      ...status.stats,
      embedder: embedding?.id ?? null,
      chunking: status.schema.chunking,
      analyzer: status.schema.analyzer,
    },
    metrics: metrics.map(({ name }) => name),
    missing: resolved.missing,
    arms: runs,
  };
}

async function runArm(
  docsearch: Docsearch,
  arm: Arm,
  queries: readonly ResolvedQuery[],
  metrics: readonly Metric[],
  { signal, onQuery }: EvaluateOptions,
): Promise<ArmRun> {
  const call: CallOptions = signal === undefined ? {} : { signal };
  const records: QueryRecord[] = [];
  const [first] = queries;
  // The first search reads the index and loads the model; users of a running process never wait for that.
  if (first !== undefined) await docsearch.search({ ...requestOf(arm, first, metrics), ...call });
  for (const query of queries) {
    records.push(await runQuery(docsearch, arm, query, metrics, call));
    onQuery?.({ arm: arm.name, done: records.length, total: queries.length });
  }
  const times = records.map(({ milliseconds }) => milliseconds);
  return {
    name: arm.name,
    request: arm.request,
    metrics: meanMetrics(records, metrics),
    kinds: byKind(records, metrics),
    zeroHitRate: mean(records.map(({ results }) => (results === 0 ? 1 : 0))),
    latency: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
    queries: records,
  };
}

async function runQuery(
  docsearch: Docsearch,
  arm: Arm,
  resolved: ResolvedQuery,
  metrics: readonly Metric[],
  call: CallOptions,
): Promise<QueryRecord> {
  const { query, targets } = resolved;
  const request = requestOf(arm, resolved, metrics);
  const start = performance.now();
  const { results } = await docsearch.search({ ...request, groupBy: "document", ...call });
  const milliseconds = performance.now() - start;
  const hasSections = targets.some(({ matches }) => matches !== undefined);
  const wantsSections = hasSections && metrics.some(({ level }) => level === "section");
  const chunks = wantsSections ? (await docsearch.search({ ...request, groupBy: "chunk", ...call })).results : [];
  const lists = { document: judgeDocuments(results, targets), section: judgeSections(chunks, targets) };
  const values = metrics
    .filter(({ level }) => level === "document" || hasSections)
    .map(({ name, level, measure, k }) => [name, measure(lists[level].ranked, lists[level].grades, k)] as const);
  return {
    id: query.id,
    query: query.query,
    ...(query.kind !== undefined && { kind: query.kind }),
    metrics: Object.fromEntries(values),
    results: results.length,
    top: results.slice(0, TOP).map(pathOf),
    milliseconds,
  };
}

function requestOf({ request }: Arm, { query, excluded }: ResolvedQuery, metrics: readonly Metric[]): SearchRequest {
  const without: Filter = { op: "not", clause: { op: "in", field: "id", values: excluded } };
  const filters = [
    ...(request.filter === undefined ? [] : [request.filter]),
    ...(excluded.length > 0 ? [without] : []),
  ];
  const filter: Filter | undefined = filters.length > 1 ? { op: "and", clauses: filters } : filters[0];
  return {
    ...request,
    query: query.query,
    limit: Math.max(TOP, ...metrics.map(({ k }) => k)),
    ...(filter !== undefined && { filter }),
  };
}

function pathOf({ document }: SearchResult): string {
  return document.path ?? document.id;
}

function byKind(records: readonly QueryRecord[], metrics: readonly Metric[]): KindSummary[] {
  const kinds = [...new Set(records.flatMap(({ kind }) => (kind === undefined ? [] : [kind])))];
  return kinds.map((kind) => {
    const own = records.filter((record) => record.kind === kind);
    return { kind, queries: own.length, metrics: meanMetrics(own, metrics) };
  });
}

function meanMetrics(records: readonly QueryRecord[], metrics: readonly Metric[]): MetricValues {
  const means = metrics.flatMap(({ name }) => {
    const values = records.flatMap(({ metrics: { [name]: value } }) => (value === undefined ? [] : [value]));
    return values.length === 0 ? [] : [[name, mean(values)] as const];
  });
  return Object.fromEntries(means);
}

function checkArms(arms: readonly Arm[]): void {
  const names = arms.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated === undefined && names.length > 0) return;
  const expected = "at least one arm, each with a name of its own";
  throw new DocsearchError("CONFIG_INVALID", `arms are ${names.join(", ") || "none"}; expected ${expected}`, {
    setting: "arms",
    value: names.join(", "),
    expected,
  });
}

/** A set for another index, or with paths from another folder, would give a table of zeros. */
function checkTargets(
  queries: readonly ResolvedQuery[],
  documents: number,
  [sample]: readonly { readonly id: string; readonly path?: string }[],
): void {
  const known = queries.some(({ targets }) => targets.some(({ documentIds }) => documentIds.size > 0));
  if (known) return;
  const [target] = queries.flatMap(({ query }) => query.relevant);
  const value = target?.path ?? target?.documentId ?? target?.chunkId ?? "no query";
  const expected =
    sample === undefined
      ? "an index with documents"
      : `paths as the index has them, such as ${sample.path ?? sample.id}`;
  throw new DocsearchError(
    "CONFIG_INVALID",
    `none of the targets is among the ${documents} documents of the index: found ${value}; expected ${expected}`,
    { setting: "relevant", value, expected },
  );
}
