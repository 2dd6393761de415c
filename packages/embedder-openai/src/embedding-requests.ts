import type { EmbeddingDialect } from "./embedding-dialect.js";
import { HttpFailure, isInputRefused, isTooLong, isTooManyTexts } from "./http-failure.js";
import type { JsonClient, PostOptions } from "./json-client.js";
import { type PreparedText, planRequests } from "./prepare-texts.js";
import { headOf } from "./token-estimate.js";
import { type CheckedVector, decodeEmbedding, unitVector } from "./vectors.js";

/** A text that has no vector: the server refused it, or took it and sent no vector that can be used. */
export interface NoVector {
  readonly index: number;
  readonly failure: HttpFailure;
  readonly isRefused: boolean;
}

/** What became of one text. */
export type Outcome = { readonly index: number; readonly vector: Float32Array; readonly isCut: boolean } | NoVector;

/** What a server sent for one text. */
type Checked = CheckedVector | { readonly fault: string; readonly wrongLength: number };

export interface EmbeddingRequestsOptions {
  readonly client: JsonClient;
  readonly dialect: EmbeddingDialect;
  readonly model: string;
  /** Length of vector to ask the server for; absent: its own. */
  readonly askedDimensions: number | undefined;
  /** Whether a longer vector than asked for may be cut. */
  readonly isMatryoshka: boolean;
  readonly maxTexts: number;
  readonly maxTokens: number;
}

/** How often a text that the server calls too long is cut in half before it is given up. */
const MOST_HALVINGS = 6;

/**
 * Sends texts and finds the one that a server refuses. A refused request is halved until the text stands alone, so
 * that one bad text does not cost its neighbours their vectors.
 */
export class EmbeddingRequests {
  readonly #options: EmbeddingRequestsOptions;
  #maxTexts: number;
  #askedDimensions: number | undefined;
  /** Once the server has answered, a refusal is about texts; before, it may be about key, model or URL. */
  #hasAnswered = false;
  /** Once it has sent a vector, one that cannot be used is about its text; before, it may be about the model. */
  #hasSentVector = false;

  constructor(options: EmbeddingRequestsOptions) {
    this.#options = options;
    this.#maxTexts = options.maxTexts;
    this.#askedDimensions = options.askedDimensions;
  }

  /** Length of the vectors, by asking for one. Throws `HttpFailure`. */
  async askDimensions(call: PostOptions): Promise<number> {
    const [raw] = await this.#post(["docsearch"], call);
    const numbers = decodeEmbedding(raw);
    if (numbers === undefined || numbers.length === 0) throw new HttpFailure("sent no vector", { retryable: false });
    return numbers.length;
  }

  /** One outcome for each text. Throws `HttpFailure` when the server cannot be used. */
  async embed(texts: readonly PreparedText[], dimensions: number, call: PostOptions): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const plan = planRequests(texts, { texts: this.#maxTexts, tokens: this.#options.maxTokens });
    for (const request of plan) outcomes.push(...(await this.#embedRequest(request, dimensions, call)));
    const unusable = outcomes.filter((outcome) => "failure" in outcome).find(({ isRefused }) => !isRefused);
    if (unusable !== undefined && !this.#hasSentVector) await this.#requireVector(dimensions, call, unusable.failure);
    return outcomes;
  }

  /** Throws `fault` when the server sends no vector that can be used for a plain word either. */
  async #requireVector(dimensions: number, call: PostOptions, fault: HttpFailure): Promise<void> {
    const [raw] = await this.#post(["docsearch"], call);
    if (!("vector" in this.#check(raw, dimensions))) throw fault;
    this.#hasSentVector = true;
  }

  async #embedRequest(texts: readonly PreparedText[], dimensions: number, call: PostOptions): Promise<Outcome[]> {
    let raw: readonly unknown[];
    try {
      raw = await this.#post(
        texts.map(({ text }) => text),
        call,
      );
    } catch (error) {
      if (!(error instanceof HttpFailure) || !isInputRefused(error)) throw error;
      return this.#afterRefusal(texts, dimensions, call, error);
    }
    const checks = raw.map((one) => this.#check(one, dimensions));
    this.#hasSentVector ||= checks.some((checked) => "vector" in checked);
    this.#requireLength(checks);
    const outcomes: Outcome[] = [];
    for (const [at, item] of texts.entries()) {
      const { index, isCut } = item;
      const checked = checks[at]!;
      if ("vector" in checked) outcomes.push({ index, vector: checked.vector, isCut });
      // Some servers give a bad vector for a text only in the company of others.
      else if (texts.length > 1) outcomes.push(...(await this.#embedRequest([item], dimensions, call)));
      else outcomes.push(useless(index, checked.fault));
    }
    return outcomes;
  }

  async #afterRefusal(
    texts: readonly PreparedText[],
    dimensions: number,
    call: PostOptions,
    refusal: HttpFailure,
  ): Promise<Outcome[]> {
    if (texts.length === 1) return [await this.#alone(texts[0] as PreparedText, dimensions, call, refusal)];
    if (isTooManyTexts(refusal)) this.#maxTexts = Math.min(this.#maxTexts, texts.length >> 1);
    else if (!this.#hasAnswered) await this.#requireSoundness(call, refusal);
    const middle = texts.length >> 1;
    return [
      ...(await this.#embedRequest(texts.slice(0, middle), dimensions, call)),
      ...(await this.#embedRequest(texts.slice(middle), dimensions, call)),
    ];
  }

  /** Throws the refusal when the server refuses a plain word as well. */
  async #requireSoundness(call: PostOptions, refusal: HttpFailure): Promise<void> {
    try {
      await this.#post(["docsearch"], call);
    } catch (error) {
      throw error instanceof HttpFailure && isInputRefused(error) ? refusal : error;
    }
  }

  /** A text that was refused alone: cut in half while that is what the server complains of. */
  async #alone(item: PreparedText, dimensions: number, call: PostOptions, refusal: HttpFailure): Promise<Outcome> {
    const { index } = item;
    let text = item.text;
    let failure = refusal;
    for (let halvings = 0; halvings < MOST_HALVINGS && isTooLong(failure) && text.length > 1; halvings++) {
      text = headOf(text, text.length >> 1);
      try {
        const [raw] = await this.#post([text], call);
        const checked = this.#check(raw, dimensions);
        if ("vector" in checked) return { index, vector: checked.vector, isCut: true };
        return useless(index, checked.fault);
      } catch (error) {
        if (!(error instanceof HttpFailure) || !isInputRefused(error)) throw error;
        failure = error;
      }
    }
    return { index, failure, isRefused: true };
  }

  async #post(texts: readonly string[], call: PostOptions): Promise<readonly unknown[]> {
    const { client, dialect, model } = this.#options;
    const dimensions = this.#askedDimensions;
    const body = dialect.body({ model, texts, ...(dimensions !== undefined && { dimensions }) });
    try {
      const raw = await client.post(body, (reply) => dialect.read(reply, texts.length), call);
      this.#hasAnswered = true;
      return raw;
    } catch (error) {
      // A model of one size refuses to be asked for it; then its own size is checked like any other.
      const isAboutDimensions = error instanceof HttpFailure && /dimension|matryoshka/i.test(error.message);
      if (dimensions === undefined || !isAboutDimensions || !isInputRefused(error as HttpFailure)) throw error;
      this.#askedDimensions = undefined;
      return this.#post(texts, call);
    }
  }

  #check(raw: unknown, dimensions: number): Checked {
    const numbers = decodeEmbedding(raw);
    if (numbers === undefined || numbers.length === 0) return { fault: "something else than a vector" };
    const isLong = numbers.length > dimensions && this.#options.isMatryoshka;
    if (numbers.length === dimensions || isLong) return unitVector(numbers, dimensions);
    const wrongLength = numbers.length;
    return { fault: `a vector of ${wrongLength} numbers where ${dimensions} were expected`, wrongLength };
  }

  /**
   * Throws when a reply has vectors of another length and none of the right one: that is the model's. One among others
   * is a bad answer to its text.
   */
  #requireLength(checks: readonly Checked[]): void {
    if (this.#hasSentVector && (checks.length === 1 || checks.some((checked) => "vector" in checked))) return;
    const wrong = checks.find((checked) => "wrongLength" in checked);
    if (wrong === undefined) return;
    const advice = `set DOCS_EMBEDDER_DIMENSIONS to ${wrong.wrongLength} and index again`;
    throw new HttpFailure(`sent ${wrong.fault}; ${advice}`, { retryable: false });
  }
}

function useless(index: number, fault: string): NoVector {
  return { index, failure: new HttpFailure(`sent ${fault}`, { retryable: false }), isRefused: false };
}
