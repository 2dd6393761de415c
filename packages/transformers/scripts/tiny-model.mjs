// Writes models of a few kilobytes in the layout of the hub, with real ONNX files: an embedder and a cross-encoder.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const DIMENSIONS = 16;
const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
const WORDS = "how do i change the port of development server to set pass or on command line boats keep right".split(
  " ",
);
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
export const VOCABULARY = [
  ...SPECIAL,
  ...WORDS,
  ...LETTERS.filter((l) => !WORDS.includes(l)),
  ...LETTERS.map((l) => `##${l}`),
];

/** @param {number} token @returns {Float32Array} the row of a token: the same on every run */
export function embeddingOf(token) {
  // Words weigh more than letters, so that a cross-encoder sees what a document shares with a query.
  const weight = token >= SPECIAL.length && token < SPECIAL.length + WORDS.length ? 1 : 0.1;
  return Float32Array.from({ length: DIMENSIONS }, (_, i) => weight * Math.sin((token + 1) * (i + 1) * 12.9898));
}

/** @param {string} folder @param {"embedder" | "reranker"} kind */
export function writeTinyModel(folder, kind) {
  mkdirSync(join(folder, "onnx"), { recursive: true });
  const model = kind === "embedder" ? embedderGraph() : rerankerGraph();
  for (const suffix of ["", "_quantized"]) writeFileSync(join(folder, "onnx", `model${suffix}.onnx`), model);
  writeJson(join(folder, "config.json"), {
    model_type: "bert",
    architectures: [kind === "embedder" ? "BertModel" : "BertForSequenceClassification"],
    hidden_size: DIMENSIONS,
    vocab_size: VOCABULARY.length,
  });
  const ids = Object.fromEntries(VOCABULARY.map((token, id) => [token, id]));
  /** @param {string} id @param {number} type */
  const special = (id, type) => ({ SpecialToken: { id, type_id: type } });
  /** @param {string} id @param {number} type */
  const sequence = (id, type) => ({ Sequence: { id, type_id: type } });
  const single = [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)];
  writeJson(join(folder, "tokenizer.json"), {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content, id) => ({
      ...{ id, content, special: true, single_word: false, lstrip: false, rstrip: false, normalized: false },
    })),
    normalizer: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single,
      pair: [...single, sequence("B", 1), special("[SEP]", 1)],
      special_tokens: Object.fromEntries(["[CLS]", "[SEP]"].map((id) => [id, { id, ids: [ids[id]], tokens: [id] }])),
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      ...{ type: "WordPiece", unk_token: "[UNK]", continuing_subword_prefix: "##", max_input_chars_per_word: 100 },
      vocab: ids,
    },
  });
  // No limit of length, as in many tokenizers of the hub: the package has to keep its own.
  writeJson(join(folder, "tokenizer_config.json"), {
    ...{ tokenizer_class: "BertTokenizer", do_lower_case: true, cls_token: "[CLS]", sep_token: "[SEP]" },
    ...{ pad_token: "[PAD]", unk_token: "[UNK]" },
  });
}

function embedderGraph() {
  return model({
    nodes: [node("Gather", ["rows", "input_ids"], "last_hidden_state")],
    initializers: [rows()],
    output: valueInfo("last_hidden_state", FLOAT, ["batch", "tokens", DIMENSIONS]),
  });
}

/** Dot product of the sums of the query's and the document's rows, made small. */
function rerankerGraph() {
  return model({
    nodes: [
      node("Gather", ["rows", "input_ids"], "all"),
      node("Cast", ["token_type_ids"], "types", [intAttribute("to", FLOAT)]),
      node("Cast", ["attention_mask"], "mask", [intAttribute("to", FLOAT)]),
      node("Mul", ["types", "mask"], "in_document"),
      node("Sub", ["mask", "in_document"], "in_query"),
      node("Unsqueeze", ["in_document", "last_axis"], "document_mask"),
      node("Unsqueeze", ["in_query", "last_axis"], "query_mask"),
      node("Mul", ["all", "document_mask"], "document_rows"),
      node("Mul", ["all", "query_mask"], "query_rows"),
      node("ReduceSum", ["document_rows", "token_axis"], "document", [intAttribute("keepdims", 0)]),
      node("ReduceSum", ["query_rows", "token_axis"], "query", [intAttribute("keepdims", 0)]),
      node("Mul", ["document", "query"], "products"),
      node("ReduceSum", ["products", "last_axis"], "similarity", [intAttribute("keepdims", 1)]),
      node("Mul", ["similarity", "scale"], "logits"),
    ],
    initializers: [
      rows(),
      tensor("last_axis", INT64, [1], new BigInt64Array([-1n])),
      tensor("token_axis", INT64, [1], new BigInt64Array([1n])),
      tensor("scale", FLOAT, [], new Float32Array([0.002])),
    ],
    output: valueInfo("logits", FLOAT, ["batch", 1]),
  });
}

function rows() {
  const values = new Float32Array(VOCABULARY.length * DIMENSIONS);
  VOCABULARY.forEach((_, token) => {
    values.set(embeddingOf(token), token * DIMENSIONS);
  });
  return tensor("rows", FLOAT, [VOCABULARY.length, DIMENSIONS], values);
}

// What follows writes protocol buffers; the numbers are those of onnx.proto.

const FLOAT = 1;
const INT64 = 7;

/** @param {{ nodes: Buffer[], initializers: Buffer[], output: Buffer }} graph */
function model({ nodes, initializers, output }) {
  const inputs = ["input_ids", "attention_mask", "token_type_ids"];
  const graph = Buffer.concat([
    ...nodes.map((bytes) => field(1, bytes)),
    field(2, "tiny"),
    ...initializers.map((bytes) => field(5, bytes)),
    ...inputs.map((name) => field(11, valueInfo(name, INT64, ["batch", "tokens"]))),
    field(12, output),
  ]);
  return Buffer.concat([number(1, 8), field(7, graph), field(8, Buffer.concat([field(1, ""), number(2, 14)]))]);
}

/** @param {string} type @param {string[]} inputs @param {string} output @param {Buffer[]} attributes */
function node(type, inputs, output, attributes = []) {
  return Buffer.concat([
    ...inputs.map((name) => field(1, name)),
    field(2, output),
    field(3, output),
    field(4, type),
    ...attributes.map((bytes) => field(5, bytes)),
  ]);
}

/** @param {string} name @param {number} value */
function intAttribute(name, value) {
  return Buffer.concat([field(1, name), number(3, value), number(20, 2)]);
}

/** @param {string} name @param {number} type @param {number[]} dims @param {Float32Array | BigInt64Array} values */
function tensor(name, type, dims, values) {
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return Buffer.concat([...dims.map((dim) => number(1, dim)), number(2, type), field(8, name), field(9, bytes)]);
}

/** @param {string} name @param {number} type @param {(string | number)[]} dims */
function valueInfo(name, type, dims) {
  const shape = dims.map((dim) => field(1, typeof dim === "number" ? number(1, dim) : field(2, dim)));
  const tensorType = Buffer.concat([number(1, type), field(2, Buffer.concat(shape))]);
  return Buffer.concat([field(1, name), field(2, field(1, tensorType))]);
}

/** @param {number} id @param {Buffer | string} content */
function field(id, content) {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes]);
}

/** @param {number} id @param {number} value */
function number(id, value) {
  return Buffer.concat([varint(id << 3), varint(value)]);
}

/** @param {number} value */
function varint(value) {
  const bytes = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** @param {string} path @param {unknown} value */
function writeJson(path, value) {
  writeFileSync(path, JSON.stringify(value));
}
