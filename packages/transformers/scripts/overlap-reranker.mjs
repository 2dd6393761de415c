// A cross-encoder that does what one is for, in a few kilobytes: it scores a document by what it has of the query.
import { FLOAT, INT64, OnnxGraph } from "./onnx.mjs";
import { vocabularyOf, WORDS, writeModelFolder, writeWeights } from "./tokenizer-files.mjs";

const DIMENSIONS = 16;
const SPECIAL_TOKENS = 4;

/** Writes the folder of a model as it is on the hub; its q8 is the same as its fp32. @param {string} folder */
export function writeOverlapReranker(folder) {
  const vocabulary = vocabularyOf(WORDS);
  writeModelFolder(folder, vocabulary, {
    architectures: ["BertForSequenceClassification"],
    hidden_size: DIMENSIONS,
  });
  const file = overlapFile(vocabulary.length);
  for (const dtype of /** @type {const} */ (["fp32", "q8"])) writeWeights(folder, dtype, file);
}

/** The dot product of the sums of the query's and the document's rows, made small. @param {number} tokens */
function overlapFile(tokens) {
  const graph = new OnnxGraph();
  const rows = new Float32Array(tokens * DIMENSIONS).map((_, at) => {
    const [token, i] = [Math.floor(at / DIMENSIONS), at % DIMENSIONS];
    // Words weigh more than letters: a document shares letters with every query.
    const isWord = token >= SPECIAL_TOKENS && token < SPECIAL_TOKENS + WORDS.length;
    return (isWord ? 1 : 0.1) * Math.sin((token + 1) * (i + 1) * 12.9898);
  });
  const all = graph.op("Gather", [graph.tensor([tokens, DIMENSIONS], rows), "input_ids"]);
  const types = graph.op("Cast", ["token_type_ids"], { to: FLOAT });
  const mask = graph.op("Cast", ["attention_mask"], { to: FLOAT });
  const isDocument = graph.op("Mul", [types, mask]);
  const isQuery = graph.op("Sub", [mask, isDocument]);
  const lastAxis = graph.tensor([1], BigInt64Array.of(-1n));
  const tokenAxis = graph.tensor([1], BigInt64Array.of(1n));
  const [query, document] = [isQuery, isDocument].map((part) => {
    const own = graph.op("Mul", [all, graph.op("Unsqueeze", [part, lastAxis])]);
    return graph.op("ReduceSum", [own, tokenAxis], { keepdims: 0 });
  });
  const products = graph.op("Mul", [/** @type {string} */ (query), /** @type {string} */ (document)]);
  const similarity = graph.op("ReduceSum", [products, lastAxis], { keepdims: 1 });
  graph.op("Mul", [similarity, graph.tensor([], Float32Array.of(0.002))], {}, "logits");
  const inputs = ["input_ids", "attention_mask", "token_type_ids"];
  return graph.file({
    inputs: inputs.map((name) => ({ name, type: INT64, dims: ["batch", "tokens"] })),
    outputs: [{ name: "logits", type: FLOAT, dims: ["batch", 1] }],
  });
}
