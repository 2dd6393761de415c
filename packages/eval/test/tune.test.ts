import { expect, test } from "vitest";
import { type EvalQuery, formatTuning, tune } from "../src/index.js";
import { indexOf, petEmbedder, textDocument } from "./support.js";

const query = (text: string, path: string): EvalQuery => ({ id: text, query: text, relevant: [{ path }] });
const ROOMS = "abcdefghijkl".split("");

test("where the words mislead, the vectors get the weight, and queries left out say that it is worth it", async () => {
  // Each query's words all stand in the dog page; only the vectors know that a feline is a cat.
  const documents = ROOMS.flatMap((room) => [
    textDocument(`${room}-cat.txt`, `cat room${room}x`),
    textDocument(`${room}-dog.txt`, `dog feline purring basket whiskers pillow room${room}x`),
  ]);
  const docsearch = await indexOf(documents, { embedder: petEmbedder });
  const queries = ROOMS.map((room) => query(`feline purring basket whiskers pillow room${room}x`, `${room}-cat.txt`));
  const tuning = await tune(docsearch, queries);
  expect(tuning).toMatchObject({ metric: "mrr@10", queries: 12, isWorthIt: true });
  expect(tuning.weights).toHaveLength(21);
  expect(tuning.weights[0]).toEqual({ vector: 0, value: 0 });
  expect(tuning.best).toBeGreaterThan(0.3);
  expect(tuning.weights.find(({ vector }) => vector === tuning.best)?.value).toBe(1);
  expect(tuning.gain.difference).toBe(1 - tuning.byDefault);
  expect(await tune(docsearch, queries)).toEqual(tuning);
  await docsearch.close();
});

test("where every weight finds the same, the smallest is the best and the defaults are kept", async () => {
  const documents = ROOMS.map((room) => textDocument(`${room}.txt`, `cat room${room}`));
  const docsearch = await indexOf(documents, { embedder: petEmbedder });
  const tuning = await tune(
    docsearch,
    ROOMS.map((room) => query(`room${room}`, `${room}.txt`)),
  );
  expect(tuning).toMatchObject({ byDefault: 1, best: 0, gain: { difference: 0, low: 0, high: 0 }, isWorthIt: false });
  expect(formatTuning(tuning)).toMatch(/Keep the defaults: the gain is within what the choice of queries explains\.$/);
  await docsearch.close();
});

test("what to set is said in the words of the settings", () => {
  const tuning = {
    metric: "mrr@10",
    queries: 40,
    byDefault: 0.5,
    weights: [
      { vector: 0.3, value: 0.5 },
      { vector: 0.35, value: 0.61 },
    ],
    best: 0.35,
    gain: { difference: 0.1, low: 0.02, high: 0.18 },
    isWorthIt: true,
  };
  expect(formatTuning(tuning)).toBe(
    [
      "| weight of vectors | mrr@10 |  |",
      "| --- | --- | --- |",
      "| 0.30 | 0.500 |  |",
      "| 0.35 | 0.610 | best |",
      "",
      "Chosen by cross-validation over 40 queries, against 0.500 of the defaults: +0.100 [+0.020, +0.180]",
      "",
      "Set DOCS_WEIGHT_LEXICAL=0.65 DOCS_WEIGHT_VECTOR=0.35",
    ].join("\n"),
  );
});

test("too few queries and an index of words are refused", async () => {
  const words = await indexOf([textDocument("a.txt", "cat")]);
  await expect(tune(words, [query("cat", "a.txt")])).rejects.toMatchObject({ code: "UNSUPPORTED" });
  await words.close();
  const docsearch = await indexOf([textDocument("a.txt", "cat")], { embedder: petEmbedder });
  await expect(tune(docsearch, [query("cat", "a.txt")])).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: "weights cannot be tuned with 1 query; expected at least 10 queries that have mrr@10",
  });
  await docsearch.close();
});
