import { expect, test } from "vitest";
import { trustOf, trustOfName } from "../src/trust.js";

test.each([
  ["docs", "project"],
  [".", "project"],
  ["src/vendors/a.ts", "project"],
  ["README.md", "project"],
  ["node_modules/bun-types", "third-party"],
  ["docs/vendor/a.md", "third-party"],
  ["lib/python3/site-packages/x.py", "third-party"],
  ["/elsewhere/docs", "third-party"],
  ["C:/elsewhere", "third-party"],
  ["../other", "third-party"],
  ["https://example.com/docs", "third-party"],
] as const)("%s is %s", (name, trust) => {
  expect(trustOfName(name)).toBe(trust);
});

test("a document is the project's own when its collection and path are, and it has no address", () => {
  const record = { id: "docs/a.md", collection: ".", contentHash: "", mediaType: "text/markdown", metadata: {} };
  expect(trustOf(record)).toBe("project");
  expect(trustOf({ ...record, path: "vendor/a.md" })).toBe("third-party");
  expect(trustOf({ ...record, collection: "node_modules/a" })).toBe("third-party");
  expect(trustOf({ ...record, url: "https://example.com/a" })).toBe("third-party");
});
