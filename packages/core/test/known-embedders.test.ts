import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  embedderSettings,
  knownEmbeddersFile,
  namesEmbedder,
  readKnownEmbedders,
  rememberEmbedder,
} from "../src/embedding/known-embedders.js";

const folder = mkdtempSync(join(tmpdir(), "docsearch-known-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the file is in the user's configuration", () => {
  expect(knownEmbeddersFile({ HOME: "/users/ada" })).toBe("/users/ada/.config/docsearch/embedders.json");
  expect(knownEmbeddersFile({ HOME: "/users/ada", XDG_CONFIG_HOME: "/etc/ada" })).toBe(
    "/etc/ada/docsearch/embedders.json",
  );
});

test("settings that make an embedder are kept, a key never", () => {
  const env = {
    DOCS_EMBEDDER_BACKEND: "openai",
    DOCS_EMBEDDER_URL: "http://localhost:11434/v1",
    DOCS_EMBEDDER_API_KEY: "sk-secret-123456",
    DOCS_EMBEDDER_MODEL: " ",
    DOCS_MODEL_DTYPE: "fp32",
    DOCS_MODEL_THREADS: "2",
    DOCS_STORE_URL: "index.db",
    OPENAI_API_KEY: "sk-other-123456",
  };
  expect(embedderSettings(env)).toEqual({
    DOCS_EMBEDDER_BACKEND: "openai",
    DOCS_EMBEDDER_URL: "http://localhost:11434/v1",
    DOCS_MODEL_DTYPE: "fp32",
  });
});

test.each([
  [{}, false],
  [{ DOCS_EMBEDDER_BACKEND: " " }, false],
  [{ DOCS_EMBEDDER_API_KEY: "key", DOCS_MODEL_DTYPE: "q8" }, false],
  [{ DOCS_EMBEDDER_BACKEND: "static" }, true],
  [{ DOCS_EMBEDDER_MODEL: "bge-small" }, true],
  [{ DOCS_EMBEDDER_URL: "http://localhost/v1" }, true],
])("%o names an embedder: %s", (env, names) => {
  expect(namesEmbedder(env)).toBe(names);
});

test("what is remembered is read again, the last one of an id counts, and others cannot read it", () => {
  const file = join(folder, "deep", "embedders.json");
  expect(readKnownEmbedders(file)).toEqual([]);
  const first = { id: "a", dimensions: 3, settings: { DOCS_EMBEDDER_MODEL: "a" } };
  const second = { id: "b", dimensions: 4, settings: {} };
  rememberEmbedder(file, first);
  rememberEmbedder(file, second);
  rememberEmbedder(file, { ...first, settings: { DOCS_EMBEDDER_MODEL: "./a" } });
  expect(readKnownEmbedders(file)).toEqual([second, { ...first, settings: { DOCS_EMBEDDER_MODEL: "./a" } }]);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(readFileSync(file, "utf8").endsWith("}\n")).toBe(true);
});

test.each(["", "[]", "{}", '{"embedders":[{}]}', '{"embedders":[{"id":"a","dimensions":1,"settings":{"A":1}}]}'])(
  "a file with %j is refused with what to do",
  (text) => {
    const file = join(folder, "broken.json");
    writeFileSync(file, text);
    expect(() => readKnownEmbedders(file)).toThrow("Delete it to begin anew.");
  },
);
