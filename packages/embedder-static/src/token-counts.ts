import type { TokenSink } from "./tokenizer.js";

/** Counts the tokens of one text at a time. Clearing costs what the last text had, not the vocabulary's size. */
export class TokenCounts implements TokenSink {
  readonly #counts: Uint32Array;
  readonly #distinct: Int32Array;
  #size = 0;

  /** `distinct` receives the ids of a text, once each, in the order of their first occurrence. */
  constructor(distinct: Int32Array) {
    this.#distinct = distinct;
    this.#counts = new Uint32Array(distinct.length);
  }

  /** Number of different tokens. */
  get size(): number {
    return this.#size;
  }

  add(id: number): void {
    if (this.#counts[id] === 0) this.#distinct[this.#size++] = id;
    this.#counts[id]!++;
  }

  /** Occurrences of the token at `index` of `distinct`. */
  at(index: number): number {
    return this.#counts[this.#distinct[index]!]!;
  }

  clear(): void {
    for (let i = 0; i < this.#size; i++) this.#counts[this.#distinct[i]!] = 0;
    this.#size = 0;
  }
}
