import { rerankerConformance } from "@docsearch/conformance";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { httpReranker, provider, type RerankDialectName } from "../src/reranker.js";
import { type Answer, fakeServer, sendJson, startServer } from "./fake-server.js";

/** Share of the query's words that a text has. */
function overlap(query: string, text: string): number {
  const words = new Set(query.toLowerCase().match(/\w+/g));
  const found = new Set((text.toLowerCase().match(/\w+/g) ?? []).filter((word) => words.has(word)));
  return found.size / Math.max(1, words.size);
}

/** Answers in the protocol of its path, best first as the real ones do. */
const answer: Answer = (request, response) => {
  const { query } = request.body as { query: string };
  const texts = (request.body.documents ?? request.body.texts) as string[];
  const scored = texts.map((text, index) => ({ index, score: overlap(query, text) })).sort((a, b) => b.score - a.score);
  if (request.path === "/rerank") return sendJson(response, 200, scored);
  const list = scored.map(({ index, score }) => ({ index, relevance_score: score }));
  return sendJson(response, 200, request.path === "/voyage/rerank" ? { data: list } : { results: list });
};

describe("conformance", () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer(answer);
  });
  afterAll(() => server.close());

  describe.each([
    ["cohere", ""],
    ["jina", ""],
    ["voyage", "/voyage"],
    ["tei", ""],
  ] as const)("%s", (dialect, path) => {
    rerankerConformance({ test, load: () => httpReranker({ dialect, url: server.origin + path }).load() });
  });
});

describe("requests", () => {
  it.each([
    ["cohere", "/v2/rerank", { model: "rerank-v3.5", query: "q", documents: ["a"] }],
    [
      "jina",
      "/v1/rerank",
      { model: "jina-reranker-v2-base-multilingual", query: "q", documents: ["a"], return_documents: false },
    ],
    [
      "voyage",
      "/v1/rerank",
      { model: "rerank-2.5-lite", query: "q", documents: ["a"], return_documents: false, truncation: true },
    ],
    ["tei", "/rerank", { query: "q", texts: ["a"], raw_scores: false, return_text: false, truncate: true }],
  ] as const)("of %s", async (dialect, path, body) => {
    const server = await fakeServer((_, response) => sendJson(response, 500, {}));
    const reranker = await httpReranker({ dialect, url: server.origin, apiKey: "k-1", maxRetries: 0 }).load();
    await reranker.rerank({ query: "q", documents: ["a"] }).catch(() => {});
    expect(server.received[0]?.path).toBe(path);
    expect(server.received[0]?.body).toEqual(body);
    expect(server.received[0]?.headers.authorization).toBe("Bearer k-1");
  });

  it("hold at most so many documents, and their scores are put together", async () => {
    const server = await fakeServer(answer);
    const reranker = await httpReranker({ dialect: "tei", url: server.origin, batchSize: 2 }).load();
    const documents = ["no", "some tide", "", "high tide here", "no", "tide"];
    const { ranking } = await reranker.rerank({ query: "high tide", documents, topN: 4 });
    expect(ranking).toEqual([
      { index: 3, score: 1 },
      { index: 1, score: 0.5 },
      { index: 5, score: 0.5 },
      { index: 0, score: 0 },
    ]);
    expect(server.received.map(({ body }) => body.texts)).toEqual([
      ["no", "some tide"],
      ["high tide here", "no"],
      ["tide"],
    ]);
  });

  it("leave blank documents out, which rank behind those that score nothing", async () => {
    const server = await fakeServer(answer);
    const reranker = await httpReranker({ url: server.origin }).load();
    const { ranking } = await reranker.rerank({ query: "tide", documents: [" ", "harbour", "", "pier"] });
    expect(ranking).toEqual([1, 3, 0, 2].map((index) => ({ index, score: 0 })));
    expect(server.received.map(({ body }) => body.documents)).toEqual([["harbour", "pier"]]);
  });

  it("are not made for a blank query: the order stays", async () => {
    const server = await fakeServer(answer);
    const reranker = await httpReranker({ url: server.origin }).load();
    const { ranking } = await reranker.rerank({ query: " ", documents: ["a", "b"] });
    expect(ranking.map(({ index }) => index)).toEqual([0, 1]);
    expect(server.received).toEqual([]);
  });
});

describe("faults", () => {
  it.each([
    [{}, 'sent no array "results"'],
    [{ results: [] }, "sent 0 scores for 2 documents"],
    [{ results: [null, null] }, "sent a score with index undefined for 2 documents"],
    [
      {
        results: [
          { index: 0, relevance_score: 1 },
          { index: 0, relevance_score: 1 },
        ],
      },
      "sent two scores with index 0",
    ],
    [
      {
        results: [
          { index: 0, relevance_score: null },
          { index: 1, relevance_score: 1 },
        ],
      },
      "sent the score null",
    ],
    [
      {
        results: [
          { index: 0, relevance_score: 1 },
          { index: 2, relevance_score: 1 },
        ],
      },
      "sent a score with index 2 for 2 documents",
    ],
  ])("%j is refused", async (reply, message) => {
    const server = await fakeServer((_, response) => sendJson(response, 200, reply));
    const reranker = await httpReranker({ url: server.origin, model: "m" }).load();
    await expect(reranker.rerank({ query: "q", documents: ["a", "b"] })).rejects.toMatchObject({
      code: "RERANKER_FAILED",
      message: `The reranker "m": ${server.host} ${message}`,
      details: { model: "m", retryable: false },
    });
  });

  it("one answer that may be better later is asked for again", async () => {
    const server = await fakeServer((request, response) =>
      request.nth === 0 ? sendJson(response, 429, {}, { "retry-after": "0" }) : answer(request, response),
    );
    const reranker = await httpReranker({ url: server.origin }).load();
    expect((await reranker.rerank({ query: "q", documents: ["a"] })).ranking).toEqual([{ index: 0, score: 0 }]);
  });

  it("a server that hangs fails when the time is over", async () => {
    const server = await fakeServer(() => {});
    const reranker = await httpReranker({ url: server.origin, timeoutMs: 100 }).load();
    await expect(reranker.rerank({ query: "q", documents: ["a"] })).rejects.toMatchObject({
      code: "RERANKER_FAILED",
      message: expect.stringContaining("gave no whole answer in"),
      details: { retryable: true },
    });
    expect(server.received.length).toBe(1);
  });

  it("a wrong key names the setting", async () => {
    const server = await fakeServer((_, response) => sendJson(response, 401, { message: "invalid api token" }));
    const reranker = await httpReranker({ url: server.origin, apiKey: "k" }).load();
    await expect(reranker.rerank({ query: "q", documents: ["a"] })).rejects.toMatchObject({
      message: expect.stringContaining("answered 401: invalid api token. Set DOCS_RERANKER_API_KEY"),
    });
  });
});

describe("options and environment", () => {
  it("the id names dialect, host and model", async () => {
    const id = async (env: Record<string, string>): Promise<string> => (await provider.fromEnv(env).load()).id;
    expect(await id({ DOCS_RERANKER_API_KEY: "k" })).toBe("cohere/api.cohere.com/rerank-v3.5");
    expect(
      await id({ DOCS_RERANKER_API_KEY: "k", DOCS_RERANKER_DIALECT: "voyage", DOCS_RERANKER_MODEL: "rerank-2.5" }),
    ).toBe("voyage/api.voyageai.com/rerank-2.5");
    expect(await id({ DOCS_RERANKER_DIALECT: "tei", DOCS_RERANKER_URL: "http://localhost:8080" })).toBe(
      "tei/localhost:8080/tei",
    );
  });

  it.each([{}, { DOCS_RERANKER_DIALECT: "voyage" }, { DOCS_RERANKER_URL: " ", DOCS_RERANKER_API_KEY: "" }])(
    "%j names no server: refused before anything is sent",
    (env) => {
      expect(() => provider.fromEnv(env)).toThrow(
        expect.objectContaining({
          code: "CONFIG_INVALID",
          message:
            'the reranker "http" has neither an address nor a key; set DOCS_RERANKER_URL, or DOCS_RERANKER_API_KEY for the server of the dialect\'s maker',
        }),
      );
    },
  );

  it.each([
    [{ dialect: "other" as RerankDialectName }, 'dialect is "other"; expected one of cohere, jina, voyage, tei'],
    [{ dialect: "tei" as const }, 'url is ""; expected the URL of the server, such as http://localhost:8080'],
    [{ maxTokens: 0 }, "maxTokens is 0; expected a whole number of at least 1"],
  ])("%j is refused", (options, message) => {
    expect(() => httpReranker(options)).toThrow(message);
  });
});
