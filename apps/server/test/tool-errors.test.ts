import { DocsearchError } from "@docsearch/spec";
import { expect, test } from "vitest";
import { readOptions } from "../src/options.js";
import { describeError } from "../src/tool-errors.js";

const options = { ...readOptions([], {}, "/"), projectRoot: "/projects/sea" };
const schema = { embedding: null, chunking: "c", analyzer: "a" };

test.each([
  [
    new DocsearchError("INDEX_MISSING", "none", { location: "/projects/sea/.docsearch/index.db", command: "x" }),
    'There is no index yet. Call index_path with a folder of the project, such as ".".',
  ],
  [
    new DocsearchError("INDEX_MISMATCH", "other", {
      stored: schema,
      requested: schema,
      command: "docsearch index --rebuild",
    }),
    "The index was made with other settings or by another version and cannot answer. Ask the user to run: docsearch index --rebuild",
  ],
  [
    new DocsearchError("INDEX_LOCKED", "/projects/sea/x is locked", {}),
    "Another process is writing the index. Try again in a few seconds.",
  ],
  [
    new DocsearchError("STORE_FAILED", "open failed on /projects/sea/.docsearch/index.db", { operation: "open" }),
    "open failed on .docsearch/index.db",
  ],
  [new Error("ENOENT: /projects/sea/docs, /projects/sea"), "The server failed: ENOENT: docs, ."],
  [new Error("not in /projects/sea. See /projects/sea"), "The server failed: not in .. See ."],
  [new Error("/projects/sea-2/a, /projects/sea.old/b"), "The server failed: /projects/sea-2/a, /projects/sea.old/b"],
  ["broken", "The server failed: broken"],
])("%s", (error, text) => {
  expect(describeError(error, options)).toBe(text);
});

test("a server that cannot index says how the user can", () => {
  const error = new DocsearchError("INDEX_MISSING", "none", { location: "x", command: "y" });
  expect(describeError(error, { ...options, readOnly: true })).toBe(
    "There is no index yet. It is made by the command: docsearch index <paths>, in the project's folder.",
  );
});
