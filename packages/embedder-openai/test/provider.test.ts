import { afterEach, describe, expect, it } from "vitest";
import { openaiEmbedder, provider } from "../src/index.js";
import { answerEmbeddings, fakeServer, inputs } from "./fake-server.js";

describe("the environment", () => {
  it("says what the embedder is", async () => {
    const embedder = await provider
      .fromEnv({
        DOCS_EMBEDDER_URL: " http://10.0.0.5:8000/v1 ",
        DOCS_EMBEDDER_MODEL: "intfloat/e5-base-v2",
        DOCS_EMBEDDER_DIMENSIONS: "768",
        DOCS_EMBEDDER_QUERY_PREFIX: "ask: ",
        DOCS_EMBEDDER_DOCUMENT_PREFIX: "none",
        DOCS_EMBEDDER_MAX_TOKENS: "400",
        DOCS_EMBEDDER_BATCH_SIZE: "8",
        DOCS_EMBEDDER_CONCURRENCY: "4",
        DOCS_EMBEDDER_ALLOW_HTTP: "yes",
      })
      .load();
    expect({ ...embedder }).toEqual({
      specVersion: 1,
      id: 'openai/10.0.0.5:8000/intfloat/e5-base-v2/768/query="ask: "/tokens=400',
      dimensions: 768,
      maxBatchSize: 8,
      maxParallelCalls: 4,
    });
  });

  it("empty variables count as unset", async () => {
    const env = {
      DOCS_EMBEDDER_URL: "",
      DOCS_EMBEDDER_MODEL: " ",
      DOCS_EMBEDDER_QUERY_PREFIX: "",
      OPENAI_API_KEY: "k",
    };
    expect((await provider.fromEnv(env).load()).id).toBe(
      "openai/api.openai.com/text-embedding-3-small/1536/tokens=8191",
    );
  });

  it.each([
    [{ DOCS_EMBEDDER_DIMENSIONS: "many" }, "DOCS_EMBEDDER_DIMENSIONS is NaN; expected a whole number of at least 1"],
    [{ DOCS_EMBEDDER_BATCH_SIZE: "0" }, "DOCS_EMBEDDER_BATCH_SIZE is 0; expected a whole number of at least 1"],
    [{ DOCS_EMBEDDER_ALLOW_HTTP: "true" }, 'DOCS_EMBEDDER_ALLOW_HTTP is "true"; expected yes or no'],
    [{ DOCS_EMBEDDER_URL: "http://10.0.0.5/v1", DOCS_EMBEDDER_MODEL: "m" }, "expected https, or http on this machine"],
    [
      { DOCS_EMBEDDER_URL: "http://localhost:11434/v1" },
      "model is not set; localhost:11434 needs one, set DOCS_EMBEDDER_MODEL",
    ],
  ])("%j is refused", (env, message) => {
    expect(() => provider.fromEnv({ DOCS_EMBEDDER_API_KEY: "k", ...env })).toThrow(message);
  });
});

it.each([
  {},
  { DOCS_EMBEDDER_MODEL: "text-embedding-3-large" },
  { DOCS_EMBEDDER_URL: " ", DOCS_EMBEDDER_API_KEY: "", OPENAI_API_KEY: " " },
])("%j names no server: refused before anything is sent", (env) => {
  expect(() => provider.fromEnv(env)).toThrow(
    expect.objectContaining({
      code: "CONFIG_INVALID",
      message:
        'the embedder "openai" has neither an address nor a key; set DOCS_EMBEDDER_URL, or DOCS_EMBEDDER_API_KEY ' +
        "(or OPENAI_API_KEY) for the server of OpenAI",
    }),
  );
});

describe("the key", () => {
  const realFetch = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = realFetch;
  });

  /** The headers of the first request, which goes nowhere. */
  async function headersOf(env: Record<string, string>): Promise<Record<string, string>> {
    let headers: Record<string, string> = {};
    globalThis.fetch = async (_, init) => {
      headers = init?.headers as Record<string, string>;
      return new Response("{}", { status: 400 });
    };
    const embedder = await provider.fromEnv({ DOCS_EMBEDDER_DIMENSIONS: "8", ...env }).load();
    await embedder.embedQuery("a").catch(() => {});
    return headers;
  }

  it("of OpenAI goes to OpenAI alone", async () => {
    expect(await headersOf({ OPENAI_API_KEY: "sk-1" })).toMatchObject({ authorization: "Bearer sk-1" });
    const elsewhere = { OPENAI_API_KEY: "sk-1", DOCS_EMBEDDER_URL: "https://x.example/v1", DOCS_EMBEDDER_MODEL: "m" };
    expect(await headersOf(elsewhere)).not.toHaveProperty("authorization");
    expect(await headersOf({ ...elsewhere, DOCS_EMBEDDER_API_KEY: "k-2" })).toMatchObject({
      authorization: "Bearer k-2",
    });
  });

  it("goes to Azure in Azure's header", async () => {
    const azure = { DOCS_EMBEDDER_URL: "https://mine.openai.azure.com/openai/v1", DOCS_EMBEDDER_MODEL: "m" };
    const headers = await headersOf({ ...azure, DOCS_EMBEDDER_API_KEY: "k-3" });
    expect(headers).toMatchObject({ "api-key": "k-3" });
    expect(headers).not.toHaveProperty("authorization");
  });
});

it("a prefix counts in what a model takes", async () => {
  const server = await fakeServer(answerEmbeddings);
  const options = { url: server.origin, model: "m", dimensions: 8, documentPrefix: "text: ", maxTokens: 12 };
  const embedder = await openaiEmbedder({ ...options, countTokens: (text) => text.length }).load();
  expect((await embedder.embedDocuments(["abcdef", "abcd"])).truncated).toEqual([0]);
  expect(server.received.map(inputs)).toEqual([["text: abcd", "text: abcd"]]);
});
