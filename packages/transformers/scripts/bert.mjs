// BERT of any size with random weights (Devlin and others, BERT, 2018): the same numbers for the same seed.
import { FLOAT, INT64, OnnxGraph } from "./onnx.mjs";
import { vocabularyOf, WORDS, writeModelFolder, writeWeights } from "./tokenizer-files.mjs";

/** @typedef {{ layers: number, hidden: number, heads: number, positions: number, vocabulary: readonly string[], seed: number }} BertShape */
/** @typedef {{ dims: readonly number[], numbers: Float32Array }} Weights row by row */
/** @typedef {"embedder" | "reranker"} BertKind */

/** Small enough to be made anew by each test that wants it, large enough that each part of it changes a vector. */
export const SMALL = /** @type {BertShape} */ ({
  ...{ layers: 2, hidden: 32, heads: 4, positions: 512, seed: 1 },
  vocabulary: vocabularyOf(WORDS),
});

export const EPSILON = 1e-12;
/** Weights in 7 of 8 bits: with all of them, processors without VNNI overflow in the sum of two products. */
const LARGEST_QUANTISED = 63;
/** Added to the attention that padding would get. */
const MASKED = -1e9;

/**
 * All weights, by name: `word`, `position`, `type`, `norm`, of each layer `0.query`, `0.key`, `0.value`, `0.output`,
 * `0.outputNorm`, `0.up`, `0.down`, `0.downNorm`, then `pooler` and `classifier`. A linear layer is `NAME.weight` of the
 * shape inputs, outputs and `NAME.bias`; a normalisation is `NAME.scale` and `NAME.bias`.
 *
 * @param {BertShape} shape @returns {ReadonlyMap<string, Weights>}
 */
export function bertWeights({ layers, hidden, positions, vocabulary, seed }) {
  const gaussian = gaussianNumbers(seed);
  /** @type {Map<string, Weights>} */
  const weights = new Map();
  /** @param {string} name @param {readonly number[]} dims @param {number} deviation */
  const add = (name, dims, deviation, mean = 0) => {
    const numbers = new Float32Array(dims.reduce((product, dim) => product * dim, 1));
    for (let i = 0; i < numbers.length; i++) numbers[i] = mean + deviation * gaussian();
    weights.set(name, { dims, numbers });
  };
  /** @param {string} name @param {number} inputs @param {number} outputs */
  const addLinear = (name, inputs, outputs) => {
    add(`${name}.weight`, [inputs, outputs], 1 / Math.sqrt(inputs));
    add(`${name}.bias`, [outputs], 0.1);
  };
  /** @param {string} name */
  const addNorm = (name) => {
    add(`${name}.scale`, [hidden], 0.1, 1);
    add(`${name}.bias`, [hidden], 0.1);
  };
  add("word", [vocabulary.length, hidden], 1);
  add("position", [positions, hidden], 0.2);
  add("type", [2, hidden], 0.2);
  addNorm("norm");
  for (let layer = 0; layer < layers; layer++) {
    for (const name of ["query", "key", "value", "output"]) addLinear(`${layer}.${name}`, hidden, hidden);
    addNorm(`${layer}.outputNorm`);
    addLinear(`${layer}.up`, hidden, 4 * hidden);
    addLinear(`${layer}.down`, 4 * hidden, hidden);
    addNorm(`${layer}.downNorm`);
  }
  addLinear("pooler", hidden, hidden);
  addLinear("classifier", hidden, 1);
  return weights;
}

/**
 * Writes the folder of a model as it is on the hub, in fp32 and q8. An embedder gives `last_hidden_state` and, as
 * `sentence_embedding`, what the pooler makes of the first token; a reranker gives a logit made from the latter.
 *
 * @param {string} folder @param {BertKind} kind @param {BertShape} shape
 */
export function writeBert(folder, kind, shape = SMALL) {
  writeModelFolder(folder, shape.vocabulary, {
    architectures: [kind === "embedder" ? "BertModel" : "BertForSequenceClassification"],
    ...{ hidden_size: shape.hidden, num_hidden_layers: shape.layers, num_attention_heads: shape.heads },
    ...{ intermediate_size: 4 * shape.hidden, max_position_embeddings: shape.positions, type_vocab_size: 2 },
  });
  const weights = bertWeights(shape);
  for (const dtype of /** @type {const} */ (["fp32", "q8"])) {
    writeWeights(folder, dtype, bertFile(kind, shape, weights, dtype === "q8"));
  }
}

/** @param {BertKind} kind @param {BertShape} shape @param {ReadonlyMap<string, Weights>} weights @param {boolean} isQuantised */
function bertFile(kind, { layers, hidden, heads }, weights, isQuantised) {
  const graph = new OnnxGraph();
  /** @param {string} name */
  const known = (name) => /** @type {Weights} */ (weights.get(name));
  /** @param {string} name */
  const weight = (name) => graph.tensor(known(name).dims, known(name).numbers);
  /** @param {readonly number[]} numbers */
  const integers = (...numbers) => graph.tensor([numbers.length], BigInt64Array.from(numbers, BigInt));
  /** @param {number} integer */
  const index = (integer) => graph.tensor([], BigInt64Array.of(BigInt(integer)));
  /** @param {number} number */
  const scalar = (number) => graph.tensor([], Float32Array.of(number));

  /** @param {string} x @param {string} name */
  const linear = (x, name, asBytes = isQuantised) => {
    const product = asBytes ? quantisedProduct(graph, x, known(`${name}.weight`)) : plainProduct(x, name);
    return graph.op("Add", [product, weight(`${name}.bias`)]);
  };
  /** @param {string} x @param {string} name */
  const plainProduct = (x, name) => graph.op("MatMul", [x, weight(`${name}.weight`)]);
  /** @param {string} x @param {string} name */
  const norm = (x, name, output = /** @type {string | undefined} */ (undefined)) =>
    graph.op(
      "LayerNormalization",
      [x, weight(`${name}.scale`), weight(`${name}.bias`)],
      { epsilon: { float: EPSILON } },
      output,
    );

  const length = graph.op("Gather", [graph.op("Shape", ["input_ids"]), index(1)]);
  const positions = graph.op("Range", [index(0), length, index(1)]);
  const words = graph.op("Gather", [weight("word"), "input_ids"]);
  const types = graph.op("Gather", [weight("type"), "token_type_ids"]);
  const places = graph.op("Gather", [weight("position"), positions]);
  const mask = graph.op("Unsqueeze", ["attention_mask", integers(1, 2)]);
  const isPadding = graph.op("Sub", [scalar(1), graph.op("Cast", [mask], { to: FLOAT })]);
  const masked = graph.op("Mul", [isPadding, scalar(MASKED)]);
  const headShape = integers(0, 0, heads, hidden / heads);
  const tokenShape = integers(0, 0, hidden);

  let x = norm(graph.op("Add", [graph.op("Add", [words, types]), places]), "norm");
  for (let layer = 0; layer < layers; layer++) {
    /** @param {string} name @param {readonly number[]} perm */
    const head = (name, perm) =>
      graph.op("Transpose", [graph.op("Reshape", [linear(x, `${layer}.${name}`), headShape])], { perm });
    const product = graph.op("MatMul", [head("query", [0, 2, 1, 3]), head("key", [0, 2, 3, 1])]);
    const scaled = graph.op("Mul", [product, scalar(1 / Math.sqrt(hidden / heads))]);
    const attention = graph.op("Softmax", [graph.op("Add", [scaled, masked])]);
    const mixed = graph.op("MatMul", [attention, head("value", [0, 2, 1, 3])]);
    const joined = graph.op("Reshape", [graph.op("Transpose", [mixed], { perm: [0, 2, 1, 3] }), tokenShape]);
    x = norm(graph.op("Add", [x, linear(joined, `${layer}.output`)]), `${layer}.outputNorm`);
    const raised = graph.op("Gelu", [linear(x, `${layer}.up`)]);
    const isLast = layer === layers - 1;
    const sum = graph.op("Add", [x, linear(raised, `${layer}.down`)]);
    x = norm(sum, `${layer}.downNorm`, isLast ? "last_hidden_state" : undefined);
  }
  const first = graph.op("Gather", [x, index(0)], { axis: 1 });
  const pooled = graph.op("Tanh", [linear(first, "pooler", false)], {}, "sentence_embedding");
  if (kind === "reranker")
    graph.op("Add", [plainProduct(pooled, "classifier"), weight("classifier.bias")], {}, "logits");

  const inputs = ["input_ids", "attention_mask", "token_type_ids"];
  const outputs = [
    { name: "last_hidden_state", type: FLOAT, dims: ["batch", "tokens", hidden] },
    { name: "sentence_embedding", type: FLOAT, dims: ["batch", hidden] },
  ];
  return graph.file({
    inputs: inputs.map((name) => ({ name, type: INT64, dims: ["batch", "tokens"] })),
    outputs: kind === "embedder" ? outputs : [{ name: "logits", type: FLOAT, dims: ["batch", 1] }],
  });
}

/**
 * Dynamic quantisation: the weights are bytes with a scale for each output, what comes in becomes bytes as it comes.
 *
 * @param {OnnxGraph} graph @param {string} x @param {Weights} weights
 */
function quantisedProduct(graph, x, { dims, numbers }) {
  const [inputs, outputs] = /** @type {[number, number]} */ (dims);
  const scales = new Float32Array(outputs);
  numbers.forEach((number, at) => {
    const column = at % outputs;
    scales[column] = Math.max(/** @type {number} */ (scales[column]), Math.abs(number) / LARGEST_QUANTISED);
  });
  const bytes = Int8Array.from(numbers, (number, at) =>
    Math.round(number / /** @type {number} */ (scales[at % outputs])),
  );
  const input = graph.quantize(x);
  const product = graph.op("MatMulInteger", [
    input.bytes,
    graph.tensor([inputs, outputs], bytes),
    input.zeroPoint,
    graph.tensor([], new Int8Array(1)),
  ]);
  const scale = graph.op("Mul", [input.scale, graph.tensor([outputs], scales)]);
  return graph.op("Mul", [graph.op("Cast", [product], { to: FLOAT }), scale]);
}

/** Numbers of the normal distribution, by the method of Box and Muller over mulberry32. @param {number} seed */
function gaussianNumbers(seed) {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
