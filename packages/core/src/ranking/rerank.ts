import type { CallOptions, Chunk, Reranker } from "@docsearch/spec";
import type { ChunkReader } from "../search/chunk-reader.js";
import type { SearchWarning } from "../search/results.js";
import type { RankedHit } from "./rules.js";

export interface RerankOptions {
  /** So many of the best are scored anew; the others follow in their order. Default 30. */
  readonly topN?: number;
  /** When the time is up the order stays as it was, and a warning says so. In milliseconds. Default 3,000. */
  readonly timeoutMs?: number;
}

const TOP_N = 30;
const TIMEOUT_MS = 3000;

/**
 * The hits with the best `topN` in the order of a reranker, which reads query and text together. When it fails or takes
 * too long the order stays, and a warning says so. Equal scores keep their order.
 */
export async function rerank(
  reranker: Reranker,
  query: string,
  hits: readonly RankedHit[],
  reader: ChunkReader,
  { topN = TOP_N, timeoutMs = TIMEOUT_MS }: RerankOptions,
  { signal }: CallOptions,
  warnings: SearchWarning[],
): Promise<readonly RankedHit[]> {
  const head = hits.slice(0, topN);
  if (head.length < 2) return hits;
  const chunks = await reader.read(head.map(({ chunkId }) => chunkId));
  // The timer of AbortSignal.timeout lets a process end that waits for nothing else.
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  const timeout = controller.signal;
  try {
    const { ranking } = await inTime(
      reranker.rerank({
        query,
        documents: chunks.map(textOf),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      }),
      timeout,
    );
    const scores = scoresOf(ranking, head.length);
    const order = head.map((_, index) => index).sort((a, b) => scores[b]! - scores[a]! || a - b);
    const scored = order.map((index) => ({ ...head[index]!, rerank: { score: scores[index]!, rank: index + 1 } }));
    return [...scored, ...hits.slice(head.length)];
  } catch (error) {
    signal?.throwIfAborted();
    const reason = timeout.aborted
      ? `it took longer than ${timeoutMs} ms`
      : error instanceof Error
        ? error.message
        : String(error);
    warnings.push({ code: "RERANKER_FAILED", message: `${reranker.id} was left out: ${reason}` });
    return hits;
  } finally {
    clearTimeout(timer);
  }
}

/** A reranker that does not heed the signal must not hold up the answer. */
function inTime<T>(work: Promise<T>, timeout: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    timeout.addEventListener("abort", () => reject(timeout.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** A score for each text. Throws on an answer that is not one: an index out of range or twice, or a score that is none. */
function scoresOf(ranking: readonly { readonly index: number; readonly score: number }[], count: number): number[] {
  const scores: (number | undefined)[] = new Array(count).fill(undefined);
  for (const { index, score } of ranking) {
    if (!(index in scores) || scores[index] !== undefined || !Number.isFinite(score)) {
      throw new Error(`it gave the score ${score} for text ${index} of ${count}`);
    }
    scores[index] = score;
  }
  if (ranking.length < count) throw new Error(`it scored ${ranking.length} of ${count} texts`);
  return scores as number[];
}

/** What is judged: the headings and the text as it can be read on its own. */
function textOf(chunk: Chunk | undefined): string {
  if (chunk === undefined) return "";
  const { headingPath, context, standaloneText, text } = chunk;
  const above = [headingPath.join(" > "), context ?? ""].filter((line) => line !== "");
  return [...above, standaloneText ?? text].join("\n");
}
