import type { Pooling } from "./pooling.js";
import type { RowFile } from "./row-file.js";
import { TokenCounts } from "./token-counts.js";
import type { Tokenizer } from "./tokenizer.js";

/** Documents and queries weigh their tokens differently. */
export type Side = "document" | "query";

export interface StaticModelParts {
  readonly id: string;
  readonly dimensions: number;
  readonly tokenizer: Tokenizer;
  readonly pooling: Pooling;
  /** Fills the rows of `pooling`. */
  readonly rows: RowFile;
  /** For each piece, the index in `queryWeights` of how much more it counts in a query than in a document. */
  readonly queryCodes: Uint8Array;
  /** 256 weights. */
  readonly queryWeights: Float32Array;
}

/**
 * A table of token vectors. The vector of a text is the sum over its different tokens of
 * `sqrt(occurrences) * weight * row`, brought to unit length; the weight is 1 in a document.
 */
export class StaticModel {
  readonly id: string;
  readonly dimensions: number;
  readonly #tokenizer: Tokenizer;
  readonly #pooling: Pooling;
  readonly #rows: RowFile;
  readonly #queryCodes: Uint8Array;
  readonly #queryWeights: Float32Array;
  readonly #counts: TokenCounts;

  constructor(parts: StaticModelParts) {
    this.id = parts.id;
    this.dimensions = parts.dimensions;
    this.#tokenizer = parts.tokenizer;
    this.#pooling = parts.pooling;
    this.#rows = parts.rows;
    this.#queryCodes = parts.queryCodes;
    this.#queryWeights = parts.queryWeights;
    this.#counts = new TokenCounts(parts.pooling.ids);
  }

  /**
   * `dimensions` numbers of unit length, or `undefined` for a text without a token or whose rows cancel out. Throws
   * `BACKEND_LOAD_FAILED` when the rows of a token cannot be read.
   */
  embed(text: string, side: Side): Float32Array | undefined {
    const counts = this.#counts;
    counts.clear();
    this.#tokenizer.encode(text, counts);

    const { ids, weights, sum } = this.#pooling;
    if (side === "query") this.#rows.need(ids, counts.size);
    else this.#rows.needAll();
    for (let i = 0; i < counts.size; i++) {
      const weight = side === "query" ? this.#queryWeights[this.#queryCodes[ids[i]!]!]! : 1;
      weights[i] = Math.sqrt(counts.at(i)) * weight;
    }
    this.#pooling.add(counts.size);
    return unitLength(sum);
  }

  /** Gives the file back. What is in memory can still embed. */
  close(): void {
    this.#rows.close();
  }
}

function unitLength(sum: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (let j = 0; j < sum.length; j++) squares += sum[j]! * sum[j]!;
  if (squares === 0) return undefined;
  const scale = 1 / Math.sqrt(squares);
  const vector = new Float32Array(sum.length);
  for (let j = 0; j < sum.length; j++) vector[j] = sum[j]! * scale;
  return vector;
}
