import { expect, test } from "vitest";
import { linkResolver } from "../src/ranking/link-target.js";
import { textDocument } from "./support.js";

const paths = ["docs/index.md", "docs/guide/jobs.md", "docs/guide/README.md", "docs/api/jobs.mdx", "docs/a b.md"];
const documents = paths.map((path) => textDocument(path, ""));
const other = textDocument("other/guide/jobs.md", "", { collection: "other" });
const resolver = linkResolver([...documents, other]);

test.each([
  ["./guide/jobs.md", "docs/guide/jobs.md"],
  ["guide/jobs", "docs/guide/jobs.md"],
  ["guide/jobs.html?x=1", "docs/guide/jobs.md"],
  ["guide/", "docs/guide/README.md"],
  ["guide", "docs/guide/README.md"],
  ["a%20b.md", "docs/a b.md"],
  ["/guide/jobs", "docs/guide/jobs.md"],
  ["/docs/guide/jobs", "docs/guide/jobs.md"],
  // Two documents end so.
  ["/jobs", undefined],
  ["/uide/jobs", undefined],
  ["#here", "docs/index.md"],
  ["#", undefined],
  ["gone.md", undefined],
  ["../../etc/passwd", undefined],
  ["https://example.com/guide/jobs.md", undefined],
  ["//example.com/guide/jobs", undefined],
  ["mailto:a@b.example", undefined],
  ["%E0%A4%A", undefined],
])("%s from docs/index.md", (target, path) => {
  expect(resolver.resolve(documents[0] as (typeof documents)[0], target)?.document.path).toBe(path);
});

test("the fragment is decoded", () => {
  const link = resolver.resolve(documents[0] as (typeof documents)[0], "guide/jobs.md#caf%C3%A9");
  expect(link?.anchor).toBe("café");
  expect(resolver.resolve(documents[0] as (typeof documents)[0], "#caf%C3%A9")?.anchor).toBe("café");
});
