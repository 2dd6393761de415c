import { loadFailed } from "./load-error.js";

/** What an embedder needs of a model's `config.json`. */
export interface ModelConfig {
  /** Layout and meaning of the files. */
  readonly format: 1;
  /** Which table this is; a better one has a higher number. 1 when the file does not say. */
  readonly version: number;
  /** Number of pieces in the vocabulary. */
  readonly tokens: number;
  /** Numbers in a vector. */
  readonly dimensions: number;
  /** Natural logarithm of the weight that byte 0 of `qratio.u8` stands for. */
  readonly queryLogLow: number;
  /** The same for byte 255. */
  readonly queryLogHigh: number;
}

const MOST_TOKENS = 1_000_000;
const MOST_DIMENSIONS = 1024;
/** The kernel takes so many columns at a time. */
const COLUMNS = 16;
/** Keeps weights, and sums of a million of them, far inside single precision. */
const LARGEST_LOG = 40;

/** Reads `config.json`. Throws `BACKEND_LOAD_FAILED`, which names the field and what was expected of it. */
export function parseModelConfig(json: string, file: string): ModelConfig {
  const config = parseObject(json, file);
  const { format, version = 1, vocab, dim, tf, normaliser, qratio } = config;
  const wrong = (field: string, expected: string): Error =>
    loadFailed(`${file} has ${field} = ${JSON.stringify(config[field])} where ${expected} was expected`);

  if (format !== 1) throw wrong("format", "1");
  if (normaliser !== "docsearch-1") throw wrong("normaliser", '"docsearch-1"');
  if (tf !== "sqrt") throw wrong("tf", '"sqrt"');
  if (!isCount(version, Number.MAX_SAFE_INTEGER)) throw wrong("version", "a whole number from 1");
  if (!isCount(vocab, MOST_TOKENS)) throw wrong("vocab", `a whole number from 1 to ${MOST_TOKENS}`);
  if (!isCount(dim, MOST_DIMENSIONS) || dim % COLUMNS !== 0) {
    throw wrong("dim", `a multiple of ${COLUMNS} up to ${MOST_DIMENSIONS}`);
  }
  if (!isObject(qratio) || !isLog(qratio.log_lo) || !isLog(qratio.log_hi)) {
    throw wrong("qratio", `log_lo and log_hi from -${LARGEST_LOG} to ${LARGEST_LOG}`);
  }
  return { format, version, tokens: vocab, dimensions: dim, queryLogLow: qratio.log_lo, queryLogHigh: qratio.log_hi };
}

function parseObject(json: string, file: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw loadFailed(`${file} is not JSON`, error);
  }
  if (!isObject(value)) throw loadFailed(`${file} holds no JSON object`);
  return value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown, most: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most;
}

function isLog(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= LARGEST_LOG;
}
