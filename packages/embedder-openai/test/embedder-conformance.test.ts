import { embedderConformance } from "@docsearch/conformance";
import { afterAll, beforeAll, describe, test } from "vitest";
import { openaiEmbedder } from "../src/index.js";
import { answerEmbeddings, startServer } from "./fake-server.js";

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
