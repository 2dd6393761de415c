import { DocsearchError } from "@docsearch/spec";
import type { ArmRequest } from "./arms.js";

/** Value by the name of the metric. */
export type MetricValues = Readonly<Record<string, number>>;

/** What one arm made of one query. */
export interface QueryRecord {
  readonly id: string;
  readonly query: string;
  readonly kind?: string;
  /** Section metrics only where a target is a part of a document. */
  readonly metrics: MetricValues;
  /** Number of documents that were returned. */
  readonly results: number;
  /** Paths of the best ten documents. */
  readonly top: readonly string[];
  /** Wall time of the search for documents. */
  readonly milliseconds: number;
}

/** Means over the queries of one kind. */
export interface KindSummary {
  readonly kind: string;
  readonly queries: number;
  readonly metrics: MetricValues;
}

export interface ArmRun {
  readonly name: string;
  readonly request: ArmRequest;
  /** Means over the queries that have the metric. */
  readonly metrics: MetricValues;
  /** In the order in which they come up in the set; queries without a kind are in none. */
  readonly kinds: readonly KindSummary[];
  /** Share of the queries that return nothing. */
  readonly zeroHitRate: number;
  /** Milliseconds of wall time, one search after the other in a warm process. */
  readonly latency: { readonly p50: number; readonly p95: number };
  readonly queries: readonly QueryRecord[];
}

/** The outcome of an evaluation: plain data, to be kept as JSON and compared with later ones. */
export interface EvalRun {
  readonly format: 1;
  /** Start, in ISO 8601. */
  readonly date: string;
  readonly index: {
    readonly store: string;
    readonly documents: number;
    readonly chunks: number;
    readonly vectors: number;
    /** `null`: an index of words only. */
    readonly embedder: string | null;
    readonly chunking: string;
    readonly analyzer: string;
  };
  readonly metrics: readonly string[];
  /** Targets that the index does not have. They count as not found. */
  readonly missing: readonly string[];
  readonly arms: readonly ArmRun[];
}

/**
 * Reads a run that was kept as JSON.
 *
 * @param source name of the file, for messages
 * @throws `CONFIG_INVALID` when it is none, or of another format
 */
export function parseRun(text: string, source: string): EvalRun {
  let run: Partial<EvalRun> | null = null;
  try {
    run = JSON.parse(text) as Partial<EvalRun> | null;
  } catch {
    // Reported below, like any other text that is no run.
  }
  if (run?.format === 1 && Array.isArray(run.arms) && Array.isArray(run.metrics)) return run as EvalRun;
  const expected = "a run of format 1, as docsearch eval --save writes it";
  throw new DocsearchError("CONFIG_INVALID", `${source} is not a saved run; expected ${expected}`, {
    setting: source,
    value: text.slice(0, 60),
    expected,
  });
}
