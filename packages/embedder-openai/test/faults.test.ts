import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { type OpenaiEmbedderOptions, openaiEmbedder } from "../src/index.js";
import { type Answer, embeddings, fakeServer, inputs, sendJson, unit, vectorOf } from "./fake-server.js";

async function setUp(answer: Answer, options: OpenaiEmbedderOptions = {}) {
  const server = await fakeServer(answer);
  const embedder = await openaiEmbedder({ url: server.origin, model: "m", dimensions: 8, ...options }).load();
  return { server, embedder };
}

/** Fails the first `times` requests by `fault`, then answers as it should. */
function first(times: number, fault: Answer): Answer {
  return (request, response) =>
    request.nth < times ? fault(request, response) : sendJson(response, 200, embeddings(inputs(request)));
}

describe("what may succeed later is tried again", () => {
  it.each([
    ["429 with Retry-After", (_, response) => sendJson(response, 429, {}, { "retry-after": "0" })],
    ["429 without", (_, response) => sendJson(response, 429, {})],
    ["408", (_, response) => sendJson(response, 408, {})],
    ["500", (_, response) => sendJson(response, 500, {})],
    ["503", (_, response) => sendJson(response, 503, { detail: "loading" })],
    ["529", (_, response) => sendJson(response, 529, {})],
    ["a closed connection", (request, response) => response.destroy(new Error(request.path))],
    [
      "JSON that ends too early",
      (_, response) => {
        response.writeHead(200);
        response.end('{"data":[{"index":0,"embedding":[0.1,');
      },
    ],
    [
      "an answer that breaks off",
      (_, response) => {
        response.writeHead(200, { "content-length": "1000" });
        response.write('{"data":[');
        setTimeout(() => response.destroy(), 20);
      },
    ],
  ] satisfies [string, Answer][])("%s", async (_, fault) => {
    const { server, embedder } = await setUp(first(1, fault));
    expect((await embedder.embedDocuments(["a"])).vectors).toEqual([unit(vectorOf("a", 8))]);
    expect(server.received.length).toBe(2);
  });

  it("a hanging server, after the timeout", async () => {
    const { server, embedder } = await setUp(
      first(1, () => {}),
      { timeoutMs: 100 },
    );
    expect((await embedder.embedDocuments(["a"])).vectors).toEqual([unit(vectorOf("a", 8))]);
    expect(server.received.length).toBe(2);
  });

  it("an answer that stops in its middle, after the timeout", async () => {
    const stall: Answer = (_, response) => {
      response.writeHead(200);
      response.write('{"data":[');
    };
    const { embedder } = await setUp(stall, { timeoutMs: 100, maxRetries: 0 });
    await expect(embedder.embedDocuments(["a"])).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringContaining("gave no whole answer in 100 ms"),
      details: { retryable: true },
    });
  });

  it("as often as `maxRetries` says", async () => {
    const { server, embedder } = await setUp((_, response) => sendJson(response, 500, { error: "worn out" }), {
      maxRetries: 1,
    });
    await expect(embedder.embedDocuments(["a"])).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: `The embedding model "m": ${server.host} answered 500: worn out`,
      details: { model: "m", retryable: true },
    });
    expect(server.received.length).toBe(2);
  });

  it("a query once, since somebody waits", async () => {
    const { server, embedder } = await setUp((_, response) => sendJson(response, 500, {}));
    await expect(embedder.embedQuery("a")).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
    expect(server.received.length).toBe(2);
  });

  it("a query at a hanging server, as long as its time lasts", async () => {
    const { server, embedder } = await setUp(() => {}, { queryTimeoutMs: 100 });
    await expect(embedder.embedQuery("a")).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringMatching(/gave no whole answer in \d+ ms/),
    });
    expect(server.received.length).toBe(1);
  });

  it("a query only as long as its time lasts", async () => {
    const busy: Answer = (_, response) => sendJson(response, 429, {}, { "retry-after": "20" });
    const { server, embedder } = await setUp(busy, { queryTimeoutMs: 500 });
    await expect(embedder.embedQuery("a")).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringContaining("answered 429"),
    });
    expect(server.received.length).toBe(1);
  });
});

describe("what will not succeed fails at once", () => {
  it.each([
    [401, { error: { message: "bad key" } }, "answered 401: bad key. Set DOCS_EMBEDDER_API_KEY to a key"],
    [403, { message: "no access" }, "answered 403: no access. Set DOCS_EMBEDDER_API_KEY to a key"],
    [404, { error: 'model "m" not found' }, 'answered 404: model "m" not found. Check DOCS_EMBEDDER_URL and'],
    [400, { error: { message: "bad request" } }, "answered 400: bad request"],
  ])("%d", async (status, body, message) => {
    const { server, embedder } = await setUp((_, response) => sendJson(response, status, body));
    await expect(embedder.embedDocuments(["a"])).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringContaining(message),
      details: { retryable: false },
    });
    expect(server.received.length).toBe(1);
  });

  it("with no command to a terminal, and not at length", async () => {
    const { server, embedder } = await setUp((_, response) => {
      sendJson(response, 400, { error: `a\u001b[2Jb\u202ec\n${"d".repeat(1000)}` });
    });
    await expect(embedder.embedDocuments(["a"])).rejects.toMatchObject({
      message: `The embedding model "m": ${server.host} answered 400: a [2Jb c ${"d".repeat(291)}…`,
    });
  });

  it("a page instead of an API", async () => {
    const { server, embedder } = await setUp((_, response) => response.end("<html>log in</html>"));
    await expect(embedder.embedDocuments(["a"])).rejects.toMatchObject({
      message: expect.stringContaining("sent no JSON: an HTML page: is the URL that of the API?"),
    });
    expect(server.received.length).toBe(1);
  });

  it("an answer without end", async () => {
    const { server, embedder } = await setUp((_, response) => {
      const block = Buffer.alloc(1_000_000, "[1,");
      const write = (): void => {
        while (!response.destroyed && response.write(block));
      };
      response.on("drain", write);
      response.on("error", () => {});
      write();
    });
    await expect(embedder.embedDocuments(["a"])).rejects.toMatchObject({
      message: expect.stringContaining("sent more than 64 MB"),
      details: { retryable: false },
    });
    expect(server.received.length).toBe(1);
  });

  it("a server that is not there, with the address of none", async () => {
    const options = { url: "http://127.0.0.1:9/v1", model: "m", dimensions: 8, maxRetries: 0 };
    const embedder = await openaiEmbedder(options).load();
    await expect(embedder.embedQuery("a")).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringMatching(/^The embedding model "m": 127\.0\.0\.1:9 cannot be reached .*DOCS_EMBEDDER_URL/),
      details: { retryable: true },
    });
  });
});

describe("redirects", () => {
  it("are followed on the same server, with the key", async () => {
    const { server, embedder } = await setUp(
      (request, response) => {
        if (request.path === "/moved") return sendJson(response, 200, embeddings(inputs(request)));
        response.writeHead(307, { location: "/moved" });
        return response.end();
      },
      { apiKey: "sk-1" },
    );
    expect((await embedder.embedQuery("a")).vectors).toEqual([unit(vectorOf("a", 8))]);
    expect(server.received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/v1/embeddings", "Bearer sk-1"],
      ["/moved", "Bearer sk-1"],
    ]);
  });

  it.each([301, 302, 303, 307, 308])("with %d to another server carry neither key nor text", async (status) => {
    const other = await fakeServer((request, response) => sendJson(response, 200, embeddings(inputs(request))));
    const { embedder } = await setUp(
      (_, response) => {
        response.writeHead(status, { location: `${other.origin}/v1/embeddings?token=1` });
        response.end();
      },
      { apiKey: "sk-1" },
    );
    await expect(embedder.embedQuery("a")).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringContaining(`redirects to ${other.origin}/v1/embeddings, which was not followed`),
    });
    expect(other.received).toEqual([]);
  });

  it("in a circle end", async () => {
    const { server, embedder } = await setUp((request, response) => {
      response.writeHead(307, { location: request.path });
      response.end();
    });
    await expect(embedder.embedQuery("a")).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
    expect(server.received.length).toBe(4);
  });
});

describe("cancelling", () => {
  it("ends a request that hangs, with the signal's reason", async () => {
    const { embedder } = await setUp(() => {});
    const abort = new AbortController();
    const call = embedder.embedDocuments(["a"], { signal: abort.signal });
    setTimeout(() => abort.abort(new Error("enough")), 50);
    await expect(call).rejects.toThrow("enough");
  });

  it("ends the wait before another try", async () => {
    const { server, embedder } = await setUp((_, response) => sendJson(response, 429, {}, { "retry-after": "30" }));
    const abort = new AbortController();
    const call = embedder.embedDocuments(["a"], { signal: abort.signal });
    setTimeout(() => abort.abort(), 200);
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    expect(server.received.length).toBe(1);
  });
});

describe("the key is in no message", () => {
  const KEY = "sk-very-secret-0123456789";

  it("although the server repeats it", async () => {
    const { embedder } = await setUp((_, response) => sendJson(response, 401, { error: `no such key ${KEY}` }), {
      apiKey: KEY,
    });
    const error = await embedder.embedQuery("a").catch((reason: unknown) => reason);
    expect((error as Error).message).toContain("no such key [key]");
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY);
    expect(inspect(embedder, { depth: 10, showHidden: true })).not.toContain(KEY);
    expect(JSON.stringify(embedder)).not.toContain(KEY);
    expect(embedder.id).not.toContain(KEY);
  });

  it("although it cannot stand in a header", () => {
    for (const apiKey of [`${KEY}\nx`, `${KEY} x`, `${KEY}ä`]) {
      try {
        openaiEmbedder({ apiKey });
        expect.unreachable();
      } catch (error) {
        expect(error).toMatchObject({ code: "CONFIG_INVALID", details: { setting: "apiKey", value: "(hidden)" } });
        expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY);
      }
    }
  });
});
