import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Job, JobResult, LoadRequest, WorkerFailure } from "./messages.js";
import { type BatchLimits, planBatches } from "./plan-batches.js";
import { pooled } from "./pooling.js";
import { type TokenSequence, TokenSequences } from "./token-sequences.js";
import type { FileProgress, Model, Tensor, Tokenizer, TransformersModule } from "./transformers-module.js";

/** A failure with the stage in which it came. */
export class StageError extends Error {
  override readonly name: string = "StageError";
  readonly failure: WorkerFailure;

  constructor(failure: WorkerFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** transformers.js logs to stdout and stderr below this. */
const LOG_ERRORS = 40;
const FULL_PRECISION = new Set(["fp32", "fp16"]);

/** A loaded model. Runs in the worker. */
export class ModelSession {
  readonly #request: LoadRequest;
  readonly #tensor: TransformersModule["Tensor"];
  readonly #model: Model;
  readonly #tokenizer: Tokenizer;
  readonly #sequences: TokenSequences;
  readonly #limits: BatchLimits;

  private constructor(request: LoadRequest, module: TransformersModule, tokenizer: Tokenizer, model: Model) {
    this.#request = request;
    this.#tensor = module.Tensor;
    this.#model = model;
    this.#tokenizer = tokenizer;
    this.#sequences = new TokenSequences(tokenizer, request.maxTokens);
    // A quantised model scales its numbers over the whole batch: in company a text has another vector than alone. On
    // a CPU one at a time is no slower either.
    const isAlone = request.device === "cpu" && !FULL_PRECISION.has(request.dtype);
    this.#limits = isAlone ? { texts: 1, paddedTokens: 1 } : { texts: 8, paddedTokens: 4096 };
  }

  /** Rejects with a `StageError`. */
  static async load(request: LoadRequest, onFile: (info: FileProgress) => void): Promise<ModelSession> {
    const module = await importTransformers(request.module);
    const { env } = module;
    env.cacheDir = request.cacheDir;
    env.remoteHost = request.remoteHost;
    const isRemote = request.localFolder === undefined && request.allowDownload;
    env.allowRemoteModels = isRemote;
    // transformers.js wants one of the two; what was downloaded is found in the cache either way.
    env.allowLocalModels = !isRemote;
    env.localModelPath = request.localFolder ?? join(request.cacheDir, "none");
    env.logLevel = LOG_ERRORS;
    const files = { revision: request.revision, progress_callback: onFile };
    const auto = request.task.kind === "embed" ? module.AutoModel : module.AutoModelForSequenceClassification;
    try {
      const tokenizer = await module.AutoTokenizer.from_pretrained(request.name, files);
      const model = await auto.from_pretrained(request.name, {
        ...files,
        dtype: request.dtype,
        device: request.device,
        session_options: {
          intraOpNumThreads: request.threads,
          // Threads that wait by spinning take the processor from all else on the machine.
          extra: { session: { intra_op: { allow_spinning: "0" } } },
        },
      });
      return new ModelSession(request, module, tokenizer, model);
    } catch (error) {
      throw new StageError({ stage: "model", message: messageOf(error) });
    }
  }

  /** Length of the vectors, by embedding a word; 0 for a reranker. Rejects when the model has no vector for it. */
  async dimensions(): Promise<number> {
    if (this.#request.task.kind === "rerank") return 0;
    const { numbers } = await this.run({ kind: "embed", texts: ["docsearch"] }, () => false);
    if (numbers.some((value) => value !== 0)) return numbers.length;
    const { dtype } = this.#request;
    const message = `in ${dtype} it gives no usable vector for a plain word; try another number format, DOCS_MODEL_DTYPE`;
    throw new StageError({ stage: "run", message });
  }

  /** `isCancelled` is asked between batches; a cancelled job has an empty result. */
  async run(job: Job, isCancelled: () => boolean): Promise<JobResult> {
    const sequences =
      job.kind === "embed"
        ? job.texts.map((text) => this.#sequences.text(text))
        : job.documents.map((document) => this.#sequences.pair(job.query, document));
    const lengths = sequences.map(({ ids }) => ids.length);
    const rows = new Array<Float32Array>(sequences.length);
    for (const batch of planBatches(lengths, this.#limits)) {
      // A cancellation is a message: it comes in only when this gives way.
      await setImmediate();
      if (isCancelled()) return { numbers: new Float32Array(), truncated: [] };
      const outputs = await this.#runBatch(batch.map((index) => sequences[index] as TokenSequence));
      batch.forEach((index, at) => {
        rows[index] = outputs[at] as Float32Array;
      });
    }
    const width = rows[0]?.length ?? 0;
    const numbers = new Float32Array(rows.length * width);
    rows.forEach((row, index) => {
      numbers.set(row, index * width);
    });
    return { numbers, truncated: sequences.flatMap(({ isCut }, index) => (isCut ? [index] : [])) };
  }

  async #runBatch(sequences: readonly TokenSequence[]): Promise<Float32Array[]> {
    const width = Math.max(...sequences.map(({ ids }) => ids.length));
    const isLeft = this.#tokenizer.padding_side === "left";
    const startOf = ({ ids }: TokenSequence): number => (isLeft ? width - ids.length : 0);
    const fill = (pad: number, valuesOf: (sequence: TokenSequence) => readonly number[]): Tensor => {
      const data = new BigInt64Array(sequences.length * width).fill(BigInt(pad));
      sequences.forEach((sequence, row) => {
        const offset = row * width + startOf(sequence);
        for (const [at, value] of valuesOf(sequence).entries()) data[offset + at] = BigInt(value);
      });
      return new this.#tensor("int64", data, [sequences.length, width]);
    };
    const inputs = {
      input_ids: fill(this.#tokenizer.pad_token_id ?? 0, ({ ids }) => ids),
      attention_mask: fill(0, ({ ids }) => ids.map(() => 1)),
      token_type_ids: fill(0, ({ types }) => types),
    };
    const outputs = await this.#model(inputs);
    try {
      const { task } = this.#request;
      if (task.kind === "rerank") return scores(required(outputs, "logits"));
      const output = required(outputs, task.pooling === "sentence_embedding" ? task.pooling : "last_hidden_state");
      return sequences.map((sequence, row) => {
        const start = startOf(sequence);
        return pooled(task.pooling, { output, row, start, end: start + sequence.ids.length });
      });
    } finally {
      for (const tensor of [...Object.values(inputs), ...Object.values(outputs)]) tensor?.dispose();
    }
  }
}

async function importTransformers(specifier: string): Promise<TransformersModule> {
  try {
    return (await import(specifier)) as TransformersModule;
  } catch (error) {
    const isMissing = (error as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND";
    // A dependency of transformers.js may be what is missing.
    const name = specifier.startsWith("file:") ? fileURLToPath(specifier) : specifier;
    const stage = isMissing && messageOf(error).includes(`'${name}'`) ? "missing" : "module";
    throw new StageError({ stage, message: messageOf(error) });
  }
}

function required(outputs: Readonly<Record<string, Tensor | undefined>>, name: string): Tensor {
  const output = outputs[name];
  if (output !== undefined) return output;
  const names = Object.keys(outputs).join(", ");
  throw new StageError({ stage: "run", message: `it has no output "${name}" (it has ${names})` });
}

/** Probability of the last class: of the only one by the logistic function, of several by softmax. */
function scores({ data, dims }: Tensor): Float32Array[] {
  const [rows, classes] = dims as readonly [number, number];
  return Array.from({ length: rows }, (_, row) => {
    const logits = Array.from({ length: classes }, (_unused, at) => data[row * classes + at] as number);
    const last = logits.at(-1) as number;
    const others = logits.slice(0, -1);
    const rest = others.length === 0 ? Math.exp(-last) : others.reduce((sum, logit) => sum + Math.exp(logit - last), 0);
    return Float32Array.of(1 / (1 + rest));
  });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
