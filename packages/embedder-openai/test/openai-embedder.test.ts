import { describe, expect, it } from "vitest";
import { openaiEmbedder } from "../src/index.js";
import { answerEmbeddings, embeddings, fakeServer, inputs, sendJson, unit, vectorOf } from "./fake-server.js";

describe("what it says of itself", () => {
  it("knows OpenAI's models without asking", async () => {
    const embedder = await openaiEmbedder({ apiKey: "k" }).load();
    expect({ ...embedder }).toEqual({
      specVersion: 1,
      id: "openai/api.openai.com/text-embedding-3-small/1536/tokens=8191",
      dimensions: 1536,
      maxBatchSize: 64,
      maxParallelCalls: 2,
    });
  });

  it.each([
    [{ dimensions: 256 }, "openai/api.openai.com/text-embedding-3-small/256/tokens=8191"],
    [{ model: "text-embedding-3-large" }, "openai/api.openai.com/text-embedding-3-large/3072/tokens=8191"],
    [{ queryPrefix: "q: " }, 'openai/api.openai.com/text-embedding-3-small/1536/query="q: "/tokens=8191'],
    [{ documentPrefix: "d: " }, 'openai/api.openai.com/text-embedding-3-small/1536/document="d: "/tokens=8191'],
    [{ maxTokens: 100 }, "openai/api.openai.com/text-embedding-3-small/1536/tokens=100"],
    [
      { url: "http://localhost:11434/v1", model: "nomic-embed-text" },
      'openai/localhost:11434/nomic-embed-text/768/query="search_query: "/document="search_document: "/tokens=2048',
    ],
  ])("the id of %j is %s", async (options, id) => {
    expect((await openaiEmbedder(options).load()).id).toBe(id);
  });

  it("asks for a vector once where the length is not known", async () => {
    const server = await fakeServer((request, response) => sendJson(response, 200, embeddings(inputs(request), 5)));
    const embedder = await openaiEmbedder({ url: `${server.origin}/v1`, model: "unknown" }).load();
    expect(embedder.dimensions).toBe(5);
    expect(embedder.id).toBe(`openai/${server.host}/unknown/5`);
    expect(server.received.map(inputs)).toEqual([["docsearch"]]);
  });
});

describe("requests", () => {
  it.each([
    ["", "/v1/embeddings"],
    ["/v1", "/v1/embeddings"],
    ["/v1/", "/v1/embeddings"],
    ["/proxy/v1/embeddings", "/proxy/v1/embeddings"],
    [
      "/openai/deployments/emb/embeddings?api-version=2024-10-21",
      "/openai/deployments/emb/embeddings?api-version=2024-10-21",
    ],
    ["/openai/deployments/emb?api-version=1", "/openai/deployments/emb/embeddings?api-version=1"],
    ["/api", "/api/embed"],
    ["/api/", "/api/embed"],
    ["/api/embed", "/api/embed"],
  ])("the URL %s is asked at %s", async (path, asked) => {
    const server = await fakeServer(answerEmbeddings);
    const embedder = await openaiEmbedder({ url: server.origin + path, model: "m", dimensions: 8 }).load();
    await embedder.embedQuery("tide");
    expect(server.received.map((request) => request.path)).toEqual([asked]);
  });

  it("hold floats, the model and the key, in OpenAI's protocol", async () => {
    const server = await fakeServer(answerEmbeddings);
    const embedder = await openaiEmbedder({ url: server.origin, model: "m", dimensions: 8, apiKey: " sk-1 " }).load();
    await embedder.embedDocuments(["a", "b"]);
    const [request] = server.received;
    expect(request?.body).toEqual({ model: "m", input: ["a", "b"], encoding_format: "float", dimensions: 8 });
    expect(request?.headers.authorization).toBe("Bearer sk-1");
  });

  it("ask Ollama not to cut, and carry no key where there is none", async () => {
    const server = await fakeServer(answerEmbeddings);
    const embedder = await openaiEmbedder({ url: `${server.origin}/api`, model: "all-minilm", maxTokens: 100 }).load();
    expect(embedder.dimensions).toBe(384);
    await embedder.embedDocuments(["a"]).catch(() => {});
    expect(server.received[0]?.body).toEqual({ model: "all-minilm", input: ["a"], truncate: false });
    expect(server.received[0]?.headers.authorization).toBeUndefined();
  });

  it("hold at most so many texts and so many tokens", async () => {
    const server = await fakeServer(answerEmbeddings);
    const options = { url: server.origin, model: "m", dimensions: 8, countTokens: (text: string) => text.length };
    const embedder = await openaiEmbedder({ ...options, batchSize: 3, batchTokens: 10 }).load();
    expect(embedder.maxBatchSize).toBe(3);
    const texts = ["aa", "bb", "cc", "dd", "eeeeeeee", "fff", "ggggggggggggggg", "h"];
    const { vectors } = await embedder.embedDocuments(texts);
    expect(server.received.map(inputs)).toEqual([["aa", "bb", "cc"], ["dd", "eeeeeeee"], ["fff"], [texts[6]], ["h"]]);
    expect(vectors).toEqual(texts.map((text) => unit(vectorOf(text, 8))));
  });

  it("hold well-formed text", async () => {
    const server = await fakeServer(answerEmbeddings);
    const embedder = await openaiEmbedder({ url: server.origin, model: "m", dimensions: 8 }).load();
    await embedder.embedDocuments(["a\ud800b"]);
    expect(inputs(server.received[0]!)).toEqual(["a\ufffdb"]);
  });
});

describe("replies", () => {
  const embedderFor = async (answer: Parameters<typeof fakeServer>[0], options = {}) => {
    const server = await fakeServer(answer);
    return openaiEmbedder({ url: server.origin, model: "m", dimensions: 8, maxRetries: 0, ...options }).load();
  };

  it("are put in order by index", async () => {
    const embedder = await embedderFor((request, response) => {
      sendJson(response, 200, { data: embeddings(inputs(request)).data.reverse() });
    });
    const { vectors } = await embedder.embedDocuments(["a", "b", "c"]);
    expect(vectors).toEqual(["a", "b", "c"].map((text) => unit(vectorOf(text, 8))));
  });

  it("stay in order where there is no index", async () => {
    const embedder = await embedderFor((request, response) => {
      sendJson(response, 200, { data: embeddings(inputs(request)).data.map(({ embedding }) => ({ embedding })) });
    });
    const { vectors } = await embedder.embedDocuments(["a", "b"]);
    expect(vectors).toEqual(["a", "b"].map((text) => unit(vectorOf(text, 8))));
  });

  it("may be base64 although floats were asked for", async () => {
    const embedder = await embedderFor((request, response) => {
      const data = embeddings(inputs(request)).data.map(({ index, embedding }) => ({
        index,
        embedding: Buffer.from(Float32Array.from(embedding).buffer).toString("base64"),
      }));
      sendJson(response, 200, { data });
    });
    const { vectors } = await embedder.embedDocuments(["a"]);
    expect(vectors).toEqual([unit(vectorOf("a", 8))]);
  });

  it.each([
    ["two of one index", [0, 0], "sent two vectors with index 0"],
    ["an index out of range", [0, 2], "sent a vector with index 2 for 2 texts"],
    ["an index that is no number", [0, null], "sent a vector with index null for 2 texts"],
  ])("with %s are refused", async (_, indices, message) => {
    const embedder = await embedderFor((request, response) => {
      const { data } = embeddings(inputs(request));
      sendJson(response, 200, { data: data.map((item, at) => ({ ...item, index: indices[at] })) });
    });
    await expect(embedder.embedDocuments(["a", "b"])).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringContaining(message),
      details: { model: "m", retryable: false },
    });
  });

  it.each([
    [{}, 'sent no array "data"'],
    [null, 'sent no array "data"'],
    [[], 'sent no array "data"'],
    [{ data: [] }, "sent 0 vectors for 2 texts"],
    [embeddings(["a"]), "sent 1 vectors for 2 texts"],
    [embeddings(["a", "b", "c"]), "sent 3 vectors for 2 texts"],
  ])("of the shape %j are refused", async (reply, message) => {
    const embedder = await embedderFor((_, response) => sendJson(response, 200, reply));
    await expect(embedder.embedDocuments(["a", "b"])).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringContaining(message),
    });
  });

  it("of another length are refused with the setting that mends it", async () => {
    const embedder = await embedderFor((request, response) => sendJson(response, 200, embeddings(inputs(request), 4)));
    await expect(embedder.embedQuery("a")).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringContaining(
        "sent a vector of 4 numbers where 8 were expected; set DOCS_EMBEDDER_DIMENSIONS to 4 and index again",
      ),
    });
  });

  it("that are longer than asked for are cut where the model allows it", async () => {
    const answer = (request: Parameters<typeof inputs>[0], response: Parameters<typeof sendJson>[0]) =>
      sendJson(response, 200, embeddings(inputs(request), 16));
    const cut = await embedderFor(answer, { model: "text-embedding-3-small" });
    expect((await cut.embedQuery("a")).vectors).toEqual([unit(vectorOf("a", 8))]);
    const refused = await embedderFor(answer, { model: "all-minilm" });
    await expect(refused.embedQuery("a")).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
  });

  it("that refuse `dimensions` are asked again without, once", async () => {
    const server = await fakeServer((request, response) => {
      if ("dimensions" in request.body) {
        return sendJson(response, 400, { error: { message: "model does not support matryoshka, dimensions given" } });
      }
      return sendJson(response, 200, embeddings(inputs(request)));
    });
    const embedder = await openaiEmbedder({ url: server.origin, model: "m", dimensions: 8 }).load();
    await embedder.embedDocuments(["a"]);
    await embedder.embedDocuments(["b"]);
    expect(server.received.map(({ body }) => body.dimensions)).toEqual([8, undefined, undefined]);
  });
});
