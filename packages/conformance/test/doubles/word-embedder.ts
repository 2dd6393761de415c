import { DocsearchError, type Embedder } from "@docsearch/spec";

const DIMENSIONS = 64;
/** Words that the model takes. */
const MOST_WORDS = 1000;

/** Adds up one pseudo-random direction for each word; says nothing of a text without words. */
function embedWords(text: string): Float32Array | undefined {
  const words = text.split(/\s+/u).filter((word) => word !== "");
  if (words.length === 0) return undefined;
  const sum = new Float32Array(DIMENSIONS);
  for (const word of words.slice(0, MOST_WORDS)) {
    let state = 2166136261;
    for (let i = 0; i < word.length; i++) state = Math.imul(state ^ word.charCodeAt(i), 16777619);
    for (let i = 0; i < DIMENSIONS; i++) {
      state = Math.imul(state ^ (state >>> 13), 1540483477);
      sum[i] = sum[i]! + (state >>> 16) / 32768 - 1;
    }
  }
  const length = Math.sqrt(sum.reduce((total, x) => total + x * x, 0));
  return sum.map((x) => x / length);
}

/** A right embedder, or one with some of its methods replaced. */
export function wordEmbedder(override: (right: Embedder) => Partial<Embedder> = () => ({})): Embedder {
  let closed = false;
  const embed: Embedder["embedDocuments"] = async (texts, options) => {
    if (closed) throw new DocsearchError("CLOSED", "The embedder is closed.", { name: "words" });
    options?.signal?.throwIfAborted();
    return {
      vectors: texts.map(embedWords),
      truncated: texts.flatMap((text, i) => (text.split(/\s+/u).length > MOST_WORDS ? [i] : [])),
    };
  };
  const right: Embedder = {
    specVersion: 1,
    id: "words@1",
    dimensions: DIMENSIONS,
    maxBatchSize: 3,
    maxParallelCalls: 4,
    embedDocuments: embed,
    embedQuery: (text, options) => embed([text], options),
    close: async () => {
      closed = true;
    },
  };
  return { ...right, ...override(right) };
}
