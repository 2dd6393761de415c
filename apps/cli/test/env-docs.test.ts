import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ENV_DOCS, envDocs } from "../../../tools/write-env-docs.mjs";

test("docs/env.md is what the table of settings says; else run: node tools/write-env-docs.mjs", () => {
  expect(readFileSync(ENV_DOCS, "utf8")).toBe(envDocs());
});
