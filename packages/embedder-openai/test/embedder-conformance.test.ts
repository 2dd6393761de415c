import { embedderConformance } from "@docsearch/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openaiEmbedder } from "../src/index.js";
import { type Answer, answerEmbeddings, embeddings, inputs, sendJson, startServer } from "./fake-server.js";

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer(answerEmbeddings);
});
afterAll(() => server.close());

describe("OpenAI's protocol", () => {
  embedderConformance({
    test,
    load: () => openaiEmbedder({ url: `${server.origin}/v1`, model: "all-minilm", dimensions: 8 }).load(),
    longText: "boats keep right ".repeat(400),
  });
});

describe("Ollama's protocol", () => {
  embedderConformance({ test, load: () => openaiEmbedder({ url: `${server.origin}/api`, model: "other" }).load() });
});

/** What goes wrong at a server now and then, each the first time that it is asked for these texts. A wrong count is an error. */
const FAULTS: Readonly<Record<string, Answer>> = {
  429: (_, response) => sendJson(response, 429, { error: { message: "slow down" } }, { "retry-after": "0" }),
  500: (_, response) => sendJson(response, 500, { error: { message: "not now" } }, { "retry-after": "0" }),
  slow: (request, response) => setTimeout(() => sendJson(response, 200, embeddings(inputs(request))), 30),
  "cut stream": (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"data":[{"index":0,"embed', () => response.destroy());
  },
  "wrong order": (request, response) =>
    sendJson(response, 200, { data: embeddings(inputs(request)).data.toReversed() }),
  "base64 although floats were asked for": (request, response) => {
    const data = embeddings(inputs(request)).data.map(({ index, embedding }) => ({
      index,
      embedding: Buffer.from(Float32Array.from(embedding).buffer).toString("base64"),
    }));
    sendJson(response, 200, { data });
  },
  NaN: (request, response) => {
    const { data } = embeddings(inputs(request));
    sendJson(response, 200, {
      data: data.map((row, i) => (i === 0 ? { ...row, embedding: row.embedding.with(0, Number.NaN) } : row)),
    });
  },
};

describe("a server with faults", () => {
  const met = new Set<string>();
  const seen = new Set<string>();
  let faulty: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    const names = Object.keys(FAULTS);
    faulty = await startServer((request, response) => {
      const texts = inputs(request);
      const body = JSON.stringify(texts);
      const name = names[seen.size % names.length] as string;
      // A text that is refused alone has no vector, as it should be; here every text is to have one.
      const isFatal = texts.length === 1 && name === "NaN";
      const isNew = !seen.has(body);
      seen.add(body);
      if (!isNew || isFatal) return answerEmbeddings(request, response);
      met.add(name);
      return (FAULTS[name] as Answer)(request, response);
    });
  });
  afterAll(() => {
    faulty.close();
    expect([...met].sort()).toEqual(Object.keys(FAULTS).sort());
  });

  embedderConformance({
    test,
    load: () => openaiEmbedder({ url: `${faulty.origin}/v1`, model: "all-minilm", dimensions: 8 }).load(),
    longText: "boats keep right ".repeat(400),
  });
});
