import { expect, it } from "vitest";
import { TokenSequences } from "../src/token-sequences.js";
import type { Encoding, Tokenizer, TokenizerFlags } from "../src/transformers-module.js";

/** A token for each character: its code. `before` and `behind` stand around a text. */
function tokenizer(before: number[], behind: number[], limit = 1e30): Tokenizer {
  const ids = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));
  const encode = (text: string, options: TokenizerFlags & { text_pair?: string }): Encoding => {
    if (!options.add_special_tokens) return { input_ids: ids(text) };
    const first = [...before, ...ids(text), ...behind];
    if (options.text_pair === undefined) return { input_ids: first };
    const second = [...ids(options.text_pair), ...behind];
    return { input_ids: [...first, ...second], token_type_ids: [...first.map(() => 0), ...second.map(() => 1)] };
  };
  return Object.assign(encode, { model_max_length: limit, pad_token_id: 0, padding_side: "right" }) as Tokenizer;
}

it.each([
  [[1], [2], "abc", [1, 97, 98, 99, 2], false],
  [[1], [2], "abcd", [1, 97, 98, 99, 2], true],
  [[1], [], "abcde", [1, 97, 98, 99, 100], true],
  [[], [2, 3], "abcde", [97, 98, 99, 2, 3], true],
  [[], [], "abcde", [97, 98, 99, 100, 101], false],
])("with %j before and %j behind, %s has the tokens %j", (before, behind, text, ids, isCut) => {
  const sequence = new TokenSequences(tokenizer(before, behind), 5).text(text);
  expect(sequence.ids).toEqual(ids);
  expect(sequence.types).toEqual(ids.map(() => 0));
  expect(sequence.isCut).toBe(isCut);
});

it("a document is cut beside its query, and closed", () => {
  expect(new TokenSequences(tokenizer([1], [2]), 8).pair("ab", "cdefgh")).toEqual({
    ids: [1, 97, 98, 2, 99, 100, 101, 2],
    types: [0, 0, 0, 0, 1, 1, 1, 1],
    isCut: true,
  });
});

it("a long query leaves room for the document", () => {
  const { ids } = new TokenSequences(tokenizer([1], [2]), 10).pair("a".repeat(1000), "bcd");
  expect(ids).toEqual([1, 97, 97, 97, 2, 98, 99, 100, 2]);
});

it.each([
  [undefined, 1e30, 512],
  [undefined, Number.POSITIVE_INFINITY, 512],
  [undefined, 8192, 8192],
  [256, 512, 256],
])("asked for %s, with a tokenizer of %d, the limit is %d", (asked, own, limit) => {
  expect(new TokenSequences(tokenizer([1], [2], own), asked).maxTokens).toBe(limit);
});

it("a megabyte is not tokenised", () => {
  let longest = 0;
  const inner = tokenizer([1], [2]);
  const watched = Object.assign(
    ((text, options) => {
      longest = Math.max(longest, text.length);
      return inner(text, options);
    }) as Tokenizer,
    { model_max_length: 1e30, pad_token_id: 0, padding_side: "right" },
  );
  expect(new TokenSequences(watched, 10).text("a".repeat(1e6)).isCut).toBe(true);
  expect(longest).toBe(400);
});
