import { isDocsearchError } from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { readSettings, unknownVariables } from "../src/env.js";
import { indexName, SETTINGS } from "../src/settings.js";

describe("settings from the environment", () => {
  test("defaults are pinned", () => {
    expect(readSettings({})).toEqual({
      DOCS_STORE_BACKEND: "sqlite",
      DOCS_STORE_URL: undefined,
      DOCS_EMBEDDER_BACKEND: "static",
      DOCS_EMBEDDER_MODEL: undefined,
      DOCS_EMBEDDER_URL: undefined,
      DOCS_EMBEDDER_API_KEY: undefined,
      DOCS_EMBEDDER_DIMENSIONS: undefined,
      DOCS_EMBEDDER_QUERY_PREFIX: undefined,
      DOCS_EMBEDDER_DOCUMENT_PREFIX: undefined,
      DOCS_EMBEDDER_MAX_TOKENS: undefined,
      DOCS_EMBEDDER_BATCH_SIZE: undefined,
      DOCS_EMBEDDER_CONCURRENCY: undefined,
      DOCS_EMBEDDER_TIMEOUT_MS: undefined,
      DOCS_EMBEDDER_ALLOW_HTTP: "no",
      DOCS_EMBEDDER_POOLING: undefined,
      DOCS_MODEL_DTYPE: undefined,
      DOCS_MODEL_DEVICE: undefined,
      DOCS_MODEL_THREADS: undefined,
      DOCS_MODEL_CACHE: undefined,
      DOCS_MODEL_DOWNLOAD: "yes",
      DOCS_EMBEDDING_CACHE: undefined,
      DOCS_RERANKER_BACKEND: "none",
      DOCS_RERANKER_TOP_N: "30",
      DOCS_RERANKER_BUDGET_MS: "3000",
      DOCS_RERANKER_MODEL: undefined,
      DOCS_RERANKER_DIALECT: undefined,
      DOCS_RERANKER_URL: undefined,
      DOCS_RERANKER_API_KEY: undefined,
      DOCS_RERANKER_MAX_TOKENS: undefined,
      DOCS_RERANKER_TIMEOUT_MS: undefined,
      DOCS_RERANKER_ALLOW_HTTP: "no",
      DOCS_CHUNK_SIZE: "1500",
      DOCS_CHUNK_OVERLAP: "0",
      DOCS_FUSION: "convex",
      DOCS_FUSION_K: "60",
      DOCS_WEIGHT_LEXICAL: undefined,
      DOCS_WEIGHT_VECTOR: undefined,
      DOCS_CANDIDATES: "200",
      DOCS_PGVECTOR_SCHEMA: "docsearch",
      DOCS_PGVECTOR_POOL_SIZE: "4",
      DOCS_PGVECTOR_INDEX: "hnsw",
      DOCS_LANCEDB_VECTOR_INDEX: "ivf_rq",
      DOCS_LANCEDB_STORAGE_OPTIONS: undefined,
      DOCS_SQLITE_LEXICAL_INDEX: "postings",
      DOCS_SQLITE_VECTOR_INDEX: "int8",
      DOCS_QUERY_LOG: undefined,
      DOCS_QUERY_LOG_TEXT: "no",
      DOCS_SERVER_HOST: "127.0.0.1",
      DOCS_SERVER_PORT: "8765",
      DOCS_SERVER_TOKEN: undefined,
      DOCS_SERVER_ALLOWED_HOSTS: undefined,
      DOCS_SERVER_ROOTS: undefined,
      DOCS_SERVER_WATCH: undefined,
      DOCS_SERVER_WATCH_DEBOUNCE: "2",
      DOCS_SERVER_WATCH_POLL: "no",
      DOCS_SERVER_INCLUDE: undefined,
      DOCS_SERVER_EXCLUDE: undefined,
      DOCS_SERVER_TELEMETRY_CONTENT: "no",
      DOCS_SERVER_PUBLIC_URL: undefined,
    });
  });

  test("an empty or blank variable counts as unset", () => {
    expect(readSettings({ DOCS_FUSION: "", DOCS_CHUNK_SIZE: "  " })).toEqual(readSettings({}));
  });

  test.each([
    ["DOCS_CHUNK_SIZE", "12.5", 'DOCS_CHUNK_SIZE is "12.5"; expected a whole number of at least 100'],
    ["DOCS_CHUNK_SIZE", "99", 'DOCS_CHUNK_SIZE is "99"; expected a whole number of at least 100'],
    ["DOCS_WEIGHT_VECTOR", "-1", 'DOCS_WEIGHT_VECTOR is "-1"; expected a number of at least 0'],
    ["DOCS_WEIGHT_VECTOR", "heavy", 'DOCS_WEIGHT_VECTOR is "heavy"; expected a number of at least 0'],
    ["DOCS_FUSION", "sum", 'DOCS_FUSION is "sum"; expected one of convex, rrf'],
  ])("%s=%s is refused with what was expected", (variable, value, message) => {
    try {
      readSettings({ [variable]: value });
      expect.unreachable();
    } catch (error) {
      expect(isDocsearchError(error, "CONFIG_INVALID")).toBe(true);
      expect((error as Error).message).toBe(message);
    }
  });

  test("a weight of zero is a weight", () => {
    expect(readSettings({ DOCS_WEIGHT_LEXICAL: "0" }).DOCS_WEIGHT_LEXICAL).toBe("0");
  });

  test("a misspelt variable is named with the nearest one", () => {
    expect(unknownVariables({ DOCS_STORE_BACKND: "x", HOME: "/", DOCS_FUSION: "rrf" })).toEqual([
      { variable: "DOCS_STORE_BACKND", nearest: "DOCS_STORE_BACKEND" },
    ]);
  });

  test("variables and flags of the table are unique", () => {
    const variables = SETTINGS.map(({ variable }) => variable);
    const flags = SETTINGS.flatMap(({ flag }) => (flag === undefined ? [] : [flag]));
    expect(new Set(variables).size).toBe(variables.length);
    expect(new Set(flags).size).toBe(flags.length);
  });
});

test.each([
  [{}, "index.db"],
  [{ DOCS_STORE_BACKEND: "sqlite" }, "index.db"],
  [{ DOCS_STORE_BACKEND: " lancedb " }, "lancedb"],
  [{ DOCS_STORE_BACKEND: "pgvector" }, "pgdata"],
  [{ DOCS_STORE_BACKEND: "./my-store.js" }, "index.db"],
])("indexes of different kinds have different names: %j", (env, name) => {
  expect(indexName(env)).toBe(name);
});
