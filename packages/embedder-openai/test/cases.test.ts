import { describe, expect, it, test } from "vitest";
import { openaiEmbedder } from "../src/index.js";
import { httpReranker } from "../src/reranker.js";
import { answerEmbeddings, embeddings, fakeServer, inputs, sendJson } from "./fake-server.js";

test("em-blank-texts: blank texts are not sent and have no vector", async () => {
  const server = await fakeServer(answerEmbeddings);
  const embedder = await openaiEmbedder({ url: server.origin, model: "m", dimensions: 8 }).load();
  const { vectors } = await embedder.embedDocuments(["a", "", " \n ", "b"]);
  expect(vectors.map((vector) => vector?.length)).toEqual([8, undefined, undefined, 8]);
  expect(server.received.map(inputs)).toEqual([["a", "b"]]);
  expect(await embedder.embedQuery("  ")).toEqual({ vectors: [undefined], truncated: [] });
  expect(server.received.length).toBe(1);
});

test.each(["\u00a0\u3000", "\u200b", "\ufeff\u2060", "\u00ad", "\u0000", "\u202e\u200f", "\u{E0020}"])(
  "em-blank-texts: %j has nothing that can be seen, and is not sent",
  async (text) => {
    const server = await fakeServer(answerEmbeddings);
    const embedder = await openaiEmbedder({ url: server.origin, model: "m", dimensions: 8 }).load();
    expect((await embedder.embedDocuments([text])).vectors).toEqual([undefined]);
    expect((await embedder.embedQuery(text)).vectors).toEqual([undefined]);
    expect(server.received.length).toBe(0);
    const { vectors } = await embedder.embedDocuments([`${text}🚢`, `a${text}`]);
    expect(vectors.map((vector) => vector?.length)).toEqual([8, 8]);
  },
);

describe("em-too-long-text", () => {
  const texts = ["Zm9vYmFy".repeat(625), ...Array.from({ length: 31 }, (_, index) => `short text ${index + 1}`)];
  const MAX_TOKENS = 512;
  /** A token for each character, and two around them. */
  const server = () =>
    fakeServer((request, response) => {
      if (inputs(request).some((text) => text.length + 2 > MAX_TOKENS)) {
        return sendJson(response, 400, { error: { message: "maximum context length is 512 tokens" } });
      }
      return sendJson(response, 200, embeddings(inputs(request)));
    });

  it("one request when the tokens can be counted", async () => {
    const { origin, received } = await server();
    const countTokens = (text: string): number => text.length;
    const options = { url: origin, model: "m", dimensions: 8, maxTokens: MAX_TOKENS, countTokens };
    const embedder = await openaiEmbedder({ ...options, documentPrefix: "passage: " }).load();
    const { vectors, truncated } = await embedder.embedDocuments(texts);
    expect(vectors.every((vector) => vector !== undefined)).toBe(true);
    expect(truncated).toEqual([0]);
    expect(received.length).toBe(1);
    expect(Math.max(...inputs(received[0]!).map((text) => text.length + 2))).toBe(512);
  });

  it("when they cannot, the text is found by halving and cut", async () => {
    const { origin, received } = await server();
    const embedder = await openaiEmbedder({ url: origin, model: "m", dimensions: 8 }).load();
    const { vectors, truncated } = await embedder.embedDocuments(texts);
    expect(vectors.every((vector) => vector !== undefined)).toBe(true);
    expect(truncated).toEqual([0]);
    // The batch, one word, halves of 16 to 1 with the text in the first and the other answered, then four cuts.
    expect(received.length).toBe(2 + 2 * 5 + 4);
  });
});

describe("em-query-and-document-roles", () => {
  test.each([
    ["nomic-embed-text-v1.5", "search_query: tide", "search_document: tide"],
    ["nomic-embed-text:latest", "search_query: tide", "search_document: tide"],
    ["multilingual-e5-small", "query: tide", "passage: tide"],
    ["intfloat/e5-base-v2", "query: tide", "passage: tide"],
    ["bge-small-en-v1.5", "Represent this sentence for searching relevant passages: tide", "tide"],
    ["BAAI/bge-large-en-v1.5", "Represent this sentence for searching relevant passages: tide", "tide"],
    ["mxbai-embed-large", "Represent this sentence for searching relevant passages: tide", "tide"],
    ["all-MiniLM-L6-v2", "tide", "tide"],
    ["text-embedding-3-small", "tide", "tide"],
    ["bge-m3", "tide", "tide"],
    ["embeddinggemma:300m", "task: search result | query: tide", "title: none | text: tide"],
  ])("%s", async (model, query, document) => {
    const server = await fakeServer(answerEmbeddings);
    const embedder = await openaiEmbedder({ url: server.origin, model, dimensions: 8 }).load();
    await embedder.embedQuery("tide");
    await embedder.embedDocuments(["tide"]);
    expect(server.received.map(inputs)).toEqual([[query], [document]]);
  });
});

test("ve-zero-and-nan: such a vector never leaves the embedder", async () => {
  const bad = new Map<string, unknown>([
    ["zero", [0, 0, 0]],
    ["nan", [null, 1, 0]],
  ]);
  const server = await fakeServer((request, response) => {
    const data = inputs(request).map((text, index) => ({ index, embedding: bad.get(text) ?? [0.9, 0.1, 0] }));
    sendJson(response, 200, { data });
  });
  const embedder = await openaiEmbedder({ url: server.origin, model: "m", dimensions: 3 }).load();
  const { vectors } = await embedder.embedDocuments(["ok1", "zero", "nan", "ok2"]);
  expect(vectors.map((vector) => vector !== undefined)).toEqual([true, false, false, true]);
  for (const text of bad.keys()) {
    await expect(embedder.embedQuery(text)).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
  }
});

test("ve-model-change: another model has another id", async () => {
  const id = async (model: string, dimensions: number): Promise<string> =>
    (await openaiEmbedder({ url: "http://localhost/v1", model, dimensions }).load()).id;
  expect(await id("unit-a", 3)).toBe("openai/localhost/unit-a/3");
  expect(await id("unit-b", 4)).toBe("openai/localhost/unit-b/4");
});

test("em-rerank-robust: a long text is cut, a blank one is not sent and ranks last", async () => {
  const server = await fakeServer((request, response) => {
    const { query, documents } = request.body as { query: string; documents: string[] };
    const tokens = Math.max(...documents.map((text) => query.length + text.length + 3));
    if (tokens > 512) return sendJson(response, 400, { message: `too many tokens: ${tokens}` });
    const results = documents.map((text, index) => ({ index, relevance_score: text.length / 1000 }));
    return sendJson(response, 200, { results });
  });
  const countTokens = (text: string): number => text.length;
  const reranker = await httpReranker({ url: server.origin, maxTokens: 512, countTokens }).load();
  const documents = ["k".repeat(5000), " ", ...Array.from({ length: 8 }, (_, index) => `kelp note ${index}`)];
  const { ranking } = await reranker.rerank({ query: "kelp", documents });
  expect(ranking.map(({ index }) => index)).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 9, 1]);
  expect(ranking[9]).toEqual({ index: 1, score: 0 });
  expect(server.received.length).toBe(1);
  expect(server.received[0]?.body.documents).toHaveLength(9);
});
