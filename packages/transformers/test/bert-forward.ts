import { type BertShape, bertWeights, EPSILON } from "../scripts/bert.mjs";

/** One vector for each token. */
type Rows = number[][];

/** What BERT makes of one text: plain loops over doubles, against which the real runtime is held. */
export interface BertOutput {
  readonly tokens: Rows;
  /** What the pooler makes of the first token. */
  readonly pooled: number[];
  readonly logit: number;
}

export function bertForward(shape: BertShape, ids: readonly number[], types: readonly number[]): BertOutput {
  const weights = bertWeights(shape);
  const numbersOf = (name: string): Float32Array => weights.get(name)!.numbers;
  const row = (name: string, at: number): number[] => [
    ...numbersOf(name).subarray(at * shape.hidden, (at + 1) * shape.hidden),
  ];
  const linear = (x: readonly number[], name: string): number[] => {
    const [matrix, bias] = [numbersOf(`${name}.weight`), numbersOf(`${name}.bias`)];
    return Array.from(bias, (start, column) =>
      x.reduce((sum, value, at) => sum + value * matrix[at * bias.length + column]!, start),
    );
  };
  const normalised = (x: readonly number[], name: string): number[] => {
    const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
    const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
    const [scale, bias] = [numbersOf(`${name}.scale`), numbersOf(`${name}.bias`)];
    return x.map((value, i) => ((value - mean) / Math.sqrt(variance + EPSILON)) * scale[i]! + bias[i]!);
  };

  let rows: Rows = ids.map((id, at) =>
    normalised(added(added(row("word", id), row("type", types[at]!)), row("position", at)), "norm"),
  );
  for (let layer = 0; layer < shape.layers; layer++) {
    const [queries, keys, values] = ["query", "key", "value"].map((name) =>
      rows.map((x) => linear(x, `${layer}.${name}`)),
    ) as [Rows, Rows, Rows];
    rows = rows.map((x, at) => {
      const mixed = attention(queries[at]!, keys, values, shape.heads);
      const attended = normalised(added(x, linear(mixed, `${layer}.output`)), `${layer}.outputNorm`);
      const raised = linear(attended, `${layer}.up`).map(gelu);
      return normalised(added(attended, linear(raised, `${layer}.down`)), `${layer}.downNorm`);
    });
  }
  const pooled = linear(rows[0]!, "pooler").map(Math.tanh);
  return { tokens: rows, pooled, logit: linear(pooled, "classifier")[0]! };
}

/** For one token: each head mixes the values by the softmax of query times key. */
function attention(query: readonly number[], keys: Rows, values: Rows, heads: number): number[] {
  const size = query.length / heads;
  return query.map((_, column) => {
    const head = Math.floor(column / size);
    const scores = keys.map((key) => {
      let product = 0;
      for (let i = head * size; i < (head + 1) * size; i++) product += query[i]! * key[i]!;
      return Math.exp(product / Math.sqrt(size));
    });
    const total = scores.reduce((sum, score) => sum + score, 0);
    return values.reduce((sum, value, at) => sum + (scores[at]! / total) * value[column]!, 0);
  });
}

function gelu(x: number): number {
  return (x / 2) * (1 + errorFunction(x / Math.SQRT2));
}

/** By its series around zero, which gives ten digits where it is used; further out it is 1. */
function errorFunction(x: number): number {
  if (Math.abs(x) > 4.5) return Math.sign(x);
  let power = x;
  let sum = x;
  for (let n = 1; n < 120; n++) {
    power *= -(x * x) / n;
    sum += power / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

function added(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, i) => value + b[i]!);
}
