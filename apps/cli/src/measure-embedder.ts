import type { Embedder, EmbedderFactory } from "@docsearch/spec";

/** How fast an embedder is on this machine, as it is now. */
export interface EmbedderSpeed {
  readonly id: string;
  readonly dimensions: number;
  /** From nothing to the first vector, in milliseconds. */
  readonly firstMs: number;
  /** Median of short queries, one after the other, in milliseconds. */
  readonly queryMs: number;
  /** Passages of 1,500 characters in a second. */
  readonly passagesPerSecond: number;
}

const QUERIES = 21;
const PASSAGE_CHARACTERS = 1500;
const MOST_PASSAGES = 2000;
const MOST_MS = 3000;

const WORDS =
  "the server reads its settings from a file and answers requests over an encrypted connection until it is told to stop while a worker writes every change to the log and retries what has failed after a short delay".split(
    " ",
  );

/** Loads an embedder, measures it for a few seconds and closes it. Rejects when it cannot be loaded or fails. */
export async function measureEmbedder(factory: EmbedderFactory, signal: AbortSignal): Promise<EmbedderSpeed> {
  const begin = performance.now();
  const embedder = await factory.load({ signal });
  try {
    await embedder.embedQuery("how do I retry a job", { signal });
    const firstMs = performance.now() - begin;
    const queryMs = await measureQueries(embedder, signal);
    const passagesPerSecond = await measurePassages(embedder, signal);
    const { id, dimensions } = embedder;
    return { id, dimensions, firstMs, queryMs, passagesPerSecond };
  } finally {
    await embedder.close();
  }
}

async function measureQueries(embedder: Embedder, signal: AbortSignal): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < QUERIES; i++) {
    const begin = performance.now();
    await embedder.embedQuery(`${WORDS.slice(i, i + 6).join(" ")} ${i}`, { signal });
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b)[QUERIES >> 1] as number;
}

async function measurePassages(embedder: Embedder, signal: AbortSignal): Promise<number> {
  const size = Math.min(embedder.maxBatchSize, 64);
  const begin = performance.now();
  let passages = 0;
  while (passages < MOST_PASSAGES && (passages === 0 || performance.now() - begin < MOST_MS)) {
    await embedder.embedDocuments(
      Array.from({ length: size }, (_, i) => passage(passages + i)),
      { signal },
    );
    passages += size;
  }
  return (1000 * passages) / (performance.now() - begin);
}

/** A text like no other, of the length of a chunk. */
function passage(number: number): string {
  const words: string[] = [];
  for (let length = 0, i = number; length < PASSAGE_CHARACTERS; i += 1 + (number % 7)) {
    const word = WORDS[i % WORDS.length] as string;
    words.push(word);
    length += word.length + 1;
  }
  return `${number} ${words.join(" ")}`.slice(0, PASSAGE_CHARACTERS);
}
