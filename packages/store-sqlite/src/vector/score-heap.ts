/** The largest `size` of the numbers added, in a binary heap with the least of them at its root. */
export class ScoreHeap {
  readonly #scores: Float64Array;
  #count = 0;

  constructor(size: number) {
    this.#scores = new Float64Array(size);
  }

  /** The least of the largest `size` numbers; minus infinity while there are fewer. */
  get floor(): number {
    return this.#count < this.#scores.length ? Number.NEGATIVE_INFINITY : this.#scores[0]!;
  }

  add(score: number): void {
    const scores = this.#scores;
    if (this.#count < scores.length) {
      let child = this.#count++;
      while (child > 0) {
        const parent = (child - 1) >> 1;
        if (scores[parent]! <= score) break;
        scores[child] = scores[parent]!;
        child = parent;
      }
      scores[child] = score;
      return;
    }
    if (!(score > scores[0]!)) return;
    let parent = 0;
    for (;;) {
      let child = 2 * parent + 1;
      if (child >= scores.length) break;
      if (child + 1 < scores.length && scores[child + 1]! < scores[child]!) child++;
      if (scores[child]! >= score) break;
      scores[parent] = scores[child]!;
      parent = child;
    }
    scores[parent] = score;
  }
}
