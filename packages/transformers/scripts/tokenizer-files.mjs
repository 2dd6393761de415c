// The files that stand beside the weights of a model on the hub: its configuration and a WordPiece tokenizer.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
const MARKS = [...".,:;!?'\"()-/"];

/** What the models of the tests know as whole words; all else is cut into letters. */
export const WORDS =
  "how do i change the port of development server to set pass or on command line boats keep right".split(" ");

/**
 * Special tokens, whole words, letters, and letters inside a word.
 *
 * @param {readonly string[]} words @returns {readonly string[]}
 */
export function vocabularyOf(words) {
  // Words may be letters too.
  return [...new Set([...SPECIAL, ...words, ...LETTERS, ...MARKS, ...LETTERS.map((letter) => `##${letter}`)])];
}

/**
 * @param {string} folder @param {readonly string[]} vocabulary
 * @param {Readonly<Record<string, unknown>>} config what config.json says beside the model's family
 */
export function writeModelFolder(folder, vocabulary, config) {
  mkdirSync(join(folder, "onnx"), { recursive: true });
  const ids = Object.fromEntries(vocabulary.map((token, id) => [token, id]));
  /** @param {string} id @param {number} type */
  const special = (id, type) => ({ SpecialToken: { id, type_id: type } });
  /** @param {string} id @param {number} type */
  const sequence = (id, type) => ({ Sequence: { id, type_id: type } });
  const single = [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)];
  writeJson(join(folder, "config.json"), { model_type: "bert", vocab_size: vocabulary.length, ...config });
  writeJson(join(folder, "tokenizer.json"), {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content) => ({
      ...{ id: ids[content], content, special: true, single_word: false, lstrip: false, rstrip: false },
      normalized: false,
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

/** @param {string} folder @param {"fp32" | "q8"} dtype @param {Buffer} file */
export function writeWeights(folder, dtype, file) {
  writeFileSync(join(folder, "onnx", dtype === "fp32" ? "model.onnx" : "model_quantized.onnx"), file);
}

/** @param {string} path @param {unknown} value */
function writeJson(path, value) {
  writeFileSync(path, JSON.stringify(value));
}
