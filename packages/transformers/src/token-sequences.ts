import type { Tokenizer } from "./transformers-module.js";

/** The tokens of one text, or of a query and a document. */
export interface TokenSequence {
  readonly ids: readonly number[];
  /** 0 in a text or query, 1 in a document beside a query. */
  readonly types: readonly number[];
  readonly isCut: boolean;
}

/** More characters than this for each token are not looked at: tokenising a megabyte takes a second. */
const CHARACTERS_PER_TOKEN = 40;
/** Where neither the caller nor the tokenizer knows a limit. Tokenizers without one say a huge number. */
const DEFAULT_MAX_TOKENS = 512;
const LARGEST_BELIEVED_LIMIT = 100_000;

/** Tokenises texts and cuts them to what the model takes, with the tokens that close a text kept in their place. */
export class TokenSequences {
  readonly maxTokens: number;
  readonly #tokenizer: Tokenizer;
  /** Tokens that the model wants behind a text. */
  readonly #closing: readonly number[];

  constructor(tokenizer: Tokenizer, maxTokens: number | undefined) {
    const own = tokenizer.model_max_length;
    this.maxTokens = maxTokens ?? (own <= LARGEST_BELIEVED_LIMIT ? own : DEFAULT_MAX_TOKENS);
    this.#tokenizer = tokenizer;
    this.#closing = closingTokens(tokenizer);
  }

  text(text: string): TokenSequence {
    return this.#encode(text);
  }

  /** The query is cut to half of the room, the document to the rest. */
  pair(query: string, document: string): TokenSequence {
    let short = query.slice(0, this.maxTokens * CHARACTERS_PER_TOKEN);
    while (
      short.length > 1 &&
      this.#encode(short, undefined, Number.POSITIVE_INFINITY).ids.length > this.maxTokens / 2
    ) {
      short = short.slice(0, short.length >> 1);
    }
    return this.#encode(short.toWellFormed(), document);
  }

  #encode(text: string, pair?: string, limit: number = this.maxTokens): TokenSequence {
    const characters = this.maxTokens * CHARACTERS_PER_TOKEN;
    const last = pair ?? text;
    const shortened = last.length > characters ? last.slice(0, characters).toWellFormed() : last;
    const { input_ids: ids, token_type_ids: types = ids.map(() => 0) } = this.#tokenizer(
      pair === undefined ? shortened : text,
      {
        add_special_tokens: true,
        return_token_type_ids: true,
        return_tensor: false,
        ...(pair !== undefined && { text_pair: shortened }),
      },
    );
    const isCut = ids.length > limit || shortened !== last;
    if (ids.length <= limit) return { ids, types, isCut };
    const room = limit - this.#closing.length;
    const lastType = types.at(-1) ?? 0;
    return {
      ids: [...ids.slice(0, room), ...this.#closing],
      types: [...types.slice(0, room), ...this.#closing.map(() => lastType)],
      isCut,
    };
  }
}

function closingTokens(tokenizer: Tokenizer): readonly number[] {
  const idsOf = (isWhole: boolean): readonly number[] =>
    tokenizer("a", { add_special_tokens: isWhole, return_token_type_ids: false, return_tensor: false }).input_ids;
  const bare = idsOf(false);
  const whole = idsOf(true);
  const start = whole.findIndex((_, index) => bare.every((id, at) => whole[index + at] === id));
  return start < 0 ? [] : whole.slice(start + bare.length);
}
