import { describe, expect, it } from "vitest";
import { type OpenaiEmbedderOptions, openaiEmbedder } from "../src/index.js";
import { type Answer, embeddings, fakeServer, inputs, sendJson, unit, vectorOf } from "./fake-server.js";

async function setUp(answer: Answer, options: OpenaiEmbedderOptions = {}) {
  const server = await fakeServer(answer);
  const warnings: string[] = [];
  const onWarning = (message: string): unknown => warnings.push(message);
  const base = { url: server.origin, model: "m", dimensions: 8, maxRetries: 0, onWarning };
  return { server, warnings, embedder: await openaiEmbedder({ ...base, ...options }).load() };
}

/** Answers unless one of the texts is refused; `refuse` says how. */
function unless(isBad: (text: string) => boolean, refuse: Answer): Answer {
  return (request, response) =>
    inputs(request).some(isBad) ? refuse(request, response) : sendJson(response, 200, embeddings(inputs(request)));
}

const NO_VECTOR = /^a text has no vector and will be found by words alone: 127\.0\.0\.1:\d+ sent /;

const TEXTS = Array.from({ length: 16 }, (_, index) => `text ${index}`);

describe("a text that the server refuses", () => {
  const bad = unless(
    (text) => text === "text 5",
    (_, response) => sendJson(response, 400, { error: { message: "invalid unicode" } }),
  );

  it("has no vector, is warned of, and leaves its neighbours alone", async () => {
    const { server, warnings, embedder } = await setUp(bad);
    const { vectors, truncated } = await embedder.embedDocuments(TEXTS);
    expect(vectors).toEqual(TEXTS.map((text, index) => (index === 5 ? undefined : unit(vectorOf(text, 8)))));
    expect(truncated).toEqual([]);
    expect(warnings).toEqual([
      `a text has no vector and will be found by words alone: ${server.host} answered 400: invalid unicode`,
    ]);
    // The batch, one word to see whether the server takes anything, then halves of 16, 8, 4 and 2.
    expect(server.received.map((request) => inputs(request).length)).toEqual([16, 1, 8, 4, 4, 2, 1, 1, 2, 8]);
  });

  it("is an error when it is alone", async () => {
    const { embedder } = await setUp(bad);
    await expect(embedder.embedQuery("text 5")).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringContaining("answered 400: invalid unicode"),
    });
  });
});

it("a server that refuses everything is found out with one word", async () => {
  const { server, embedder } = await setUp((_, response) => sendJson(response, 400, { error: "no such model" }));
  await expect(embedder.embedDocuments(TEXTS)).rejects.toMatchObject({
    code: "EMBEDDER_FAILED",
    message: expect.stringContaining("answered 400: no such model"),
  });
  expect(server.received.map(inputs)).toEqual([TEXTS, ["docsearch"]]);
});

describe("a text that is too long for the server", () => {
  it.each([
    [400, { error: { message: "This model's maximum context length is 20 tokens" } }],
    [413, { error: "Payload Too Large" }],
    [422, { error: "`inputs` must have less than 20 tokens. Given: 64" }],
    [500, { error: "the input length exceeds the context length" }],
    [500, { error: { message: "input is too large to process. increase the physical batch size" } }],
  ])("is cut and reported: %d %j", async (status, body) => {
    const { server, embedder, warnings } = await setUp(
      unless(
        (text) => text.length > 20,
        (_, response) => sendJson(response, status, body),
      ),
      { maxRetries: 3 },
    );
    const texts = ["one", "0123456789".repeat(7), "two"];
    const { vectors, truncated } = await embedder.embedDocuments(texts);
    expect(vectors).toEqual(["one", texts[1]!.slice(0, 17), "two"].map((text) => unit(vectorOf(text, 8))));
    expect(truncated).toEqual([1]);
    expect(warnings).toEqual([]);
    // The batch, one word, one and two texts, one and one; the long one cut twice. Nothing is sent twice.
    expect(server.received.length).toBe(8);
    expect((await embedder.embedQuery(texts[1]!)).truncated).toEqual([0]);
  });

  it("is not what a limit of tokens for each minute means", async () => {
    const { server, embedder } = await setUp((_, response) => {
      sendJson(response, 429, { error: { message: "token limit reached: too many tokens per minute" } });
    });
    await expect(embedder.embedDocuments(["a", "b"])).rejects.toMatchObject({ details: { retryable: true } });
    expect(server.received.length).toBe(1);
  });

  it("keeps whole characters", async () => {
    const { server, embedder } = await setUp(
      unless(
        (text) => text.length > 4,
        (_, response) => sendJson(response, 413, {}),
      ),
    );
    expect((await embedder.embedDocuments(["x😀😀"])).truncated).toEqual([0]);
    expect(server.received.map(inputs)).toEqual([["x😀😀"], ["x"]]);
  });
});

it("a server that takes fewer texts at a time is asked for fewer from then on", async () => {
  const { server, embedder } = await setUp((request, response) => {
    const { length } = inputs(request);
    if (length > 4) return sendJson(response, 422, { error: `batch size ${length} > maximum allowed batch size 4` });
    return sendJson(response, 200, embeddings(inputs(request)));
  });
  const expected = TEXTS.map((text) => unit(vectorOf(text, 8)));
  expect((await embedder.embedDocuments(TEXTS)).vectors).toEqual(expected);
  expect(server.received.map((request) => inputs(request).length)).toEqual([16, 8, 4, 4, 8, 4, 4]);
  expect((await embedder.embedDocuments(TEXTS)).vectors).toEqual(expected);
  expect(server.received.slice(7).map((request) => inputs(request).length)).toEqual([4, 4, 4, 4]);
});

describe("a vector that cannot be used", () => {
  const bads: [string, unknown][] = [
    ["null values", [null, 1, 1, 1, 1, 1, 1, 1]],
    ["words", ["NaN", 1, 1, 1, 1, 1, 1, 1]],
    ["zeros", [0, 0, 0, 0, 0, 0, 0, 0]],
    ["nothing", null],
    ["no values", []],
    ["too few values", [1, 1, 1]],
    ["too many values", new Array(9).fill(1)],
    ["an object", {}],
    ["base64 of no floats", "AAA="],
  ];
  const spoil =
    (embedding: unknown, isBad: (texts: readonly string[]) => boolean): Answer =>
    (request, response) => {
      const texts = inputs(request);
      const data: { index: number; embedding: unknown }[] = embeddings(texts).data;
      if (isBad(texts)) data[texts.indexOf("b")]!.embedding = embedding;
      sendJson(response, 200, { data });
    };

  it.each(bads)("(%s) is asked for alone, and given up", async (_, embedding) => {
    const { server, warnings, embedder } = await setUp(spoil(embedding, (texts) => texts.includes("b")));
    const { vectors } = await embedder.embedDocuments(["a", "b", "c"]);
    expect(vectors).toEqual([unit(vectorOf("a", 8)), undefined, unit(vectorOf("c", 8))]);
    expect(server.received.map(inputs)).toEqual([["a", "b", "c"], ["b"]]);
    expect(warnings.length).toBe(1);
    await expect(embedder.embedQuery("b")).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
  });

  it.each(bads.slice(0, 3))(
    "(%s) is that of its text where the server does better for a word",
    async (_, embedding) => {
      const { server, warnings, embedder } = await setUp(spoil(embedding, (texts) => texts.includes("b")));
      expect(await embedder.embedDocuments(["b"])).toEqual({ vectors: [undefined], truncated: [] });
      expect(server.received.map(inputs)).toEqual([["b"], ["docsearch"]]);
      expect(await embedder.embedDocuments(["b"])).toEqual({ vectors: [undefined], truncated: [] });
      expect(server.received.map(inputs)).toEqual([["b"], ["docsearch"], ["b"]]);
      expect(warnings).toEqual([expect.stringMatching(NO_VECTOR), expect.stringMatching(NO_VECTOR)]);
    },
  );

  it("is that of the model where the server does no better for a word", async () => {
    const { server, embedder } = await setUp((request, response) => {
      sendJson(response, 200, {
        data: inputs(request).map((_, index) => ({ index, embedding: new Array(8).fill(0) })),
      });
    });
    await expect(embedder.embedDocuments(["a", "b"])).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringContaining("sent a vector without a direction"),
      details: { retryable: false },
    });
    expect(server.received.map(inputs)).toEqual([["a", "b"], ["a"], ["b"], ["docsearch"]]);
  });

  it("is taken when it is right alone", async () => {
    for (const embedding of [[null], [], new Array(8).fill(null)]) {
      const { warnings, embedder } = await setUp(spoil(embedding, (texts) => texts.length > 1 && texts.includes("b")));
      const { vectors } = await embedder.embedDocuments(["a", "b"]);
      expect(vectors).toEqual(["a", "b"].map((text) => unit(vectorOf(text, 8))));
      expect(warnings).toEqual([]);
    }
  });

  it("is that of the model where all are of another length, also behind good ones", async () => {
    let length = 8;
    const { server, embedder } = await setUp((request, response) => {
      sendJson(response, 200, embeddings(inputs(request), length));
    });
    await embedder.embedDocuments(["a"]);
    length = 4;
    await expect(embedder.embedDocuments(["a", "b"])).rejects.toMatchObject({
      message: expect.stringContaining("set DOCS_EMBEDDER_DIMENSIONS to 4 and index again"),
    });
    expect(server.received.length).toBe(2);
  });
});
