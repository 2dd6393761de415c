import { expect, test } from "vitest";
import { staticEmbedder } from "../src/index.js";
import { isMostlyLatin } from "../src/writing.js";

test.each([
  ["plain words", true],
  ["", true],
  ["12 + 3 = ?", true],
  ["naïve Café, Straße", true],
  ["что такое BM25", false],
  ["什么是 BM25", false],
  ["BM25 是 ranking function 吗", true],
  ["hybrid поиск", true],
  ["поиск по API", false],
])("%s", (text, expected) => {
  expect(isMostlyLatin(text)).toBe(expected);
});

test("a text mostly in another script has no vector, as query and as document", async () => {
  const embedder = await staticEmbedder().load();
  const texts = ["什么是 BM25", "what is BM25"];
  const { vectors } = await embedder.embedDocuments(texts);
  expect(vectors.map((vector) => vector?.length)).toEqual([undefined, 256]);
  expect((await embedder.embedQuery(texts[0] ?? "")).vectors).toEqual([undefined]);
  await embedder.close();
});
