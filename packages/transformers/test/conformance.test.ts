import { embedderConformance, rerankerConformance } from "@docsearch/conformance";
import { describe, test } from "vitest";
import { transformersEmbedder } from "../src/index.js";
import { transformersReranker } from "../src/reranker.js";
import { setUp } from "./model-folder.js";

/** The fake keeps no state, so one folder does for two loads of one test. */
describe.each(["q8", "fp32"])("embedder in %s", (dtype) => {
  let setting: ReturnType<typeof setUp> | undefined;
  embedderConformance({
    test: (name, body) =>
      test(name, async () => {
        setting = setUp();
        await body();
      }),
    load: () => transformersEmbedder({ ...setting!.options, dtype }).load(),
    longText: "boats keep right ".repeat(400),
  });
});

describe("reranker", () => {
  rerankerConformance({ test, load: () => transformersReranker(setUp().options).load() });
});
