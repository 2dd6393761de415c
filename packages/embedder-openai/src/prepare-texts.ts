import { isBlankText } from "@docsearch/spec";
import { type CountTokens, cutToTokens } from "./token-estimate.js";

/** A text as it is sent. */
export interface PreparedText {
  /** Place of the text in the call. */
  readonly index: number;
  /** Prefix and text, cut to what the model takes. */
  readonly text: string;
  readonly tokens: number;
  readonly isCut: boolean;
}

export interface Preparation {
  readonly prefix: string;
  /** Most tokens, those included that the model adds; absent: not known. */
  readonly maxTokens: number | undefined;
  readonly countTokens: CountTokens;
}

/** Models put a token before a text and one behind it. */
const SPECIAL_TOKENS = 2;

/** The texts that are worth sending: a blank one makes many servers refuse the whole request. */
export function prepareTexts(texts: readonly string[], preparation: Preparation): PreparedText[] {
  const { prefix, maxTokens, countTokens } = preparation;
  const added = SPECIAL_TOKENS + (prefix === "" ? 0 : countTokens(prefix));
  const limit = maxTokens === undefined ? undefined : Math.max(1, maxTokens - added);
  const prepared: PreparedText[] = [];
  for (const [index, raw] of texts.entries()) {
    if (isBlankText(raw)) continue;
    const whole = raw.toWellFormed();
    const part = limit === undefined ? whole : cutToTokens(whole, limit, countTokens);
    const text = prefix + part;
    prepared.push({ index, text, tokens: countTokens(text), isCut: part.length < whole.length });
  }
  return prepared;
}

/** The texts in requests of at most so many texts and tokens; a text alone may have more tokens. */
export function planRequests(
  texts: readonly PreparedText[],
  limits: { readonly texts: number; readonly tokens: number },
): PreparedText[][] {
  const requests: PreparedText[][] = [];
  let current: PreparedText[] = [];
  let tokens = 0;
  for (const text of texts) {
    if (current.length > 0 && (current.length >= limits.texts || tokens + text.tokens > limits.tokens)) {
      requests.push(current);
      current = [];
      tokens = 0;
    }
    current.push(text);
    tokens += text.tokens;
  }
  if (current.length > 0) requests.push(current);
  return requests;
}
