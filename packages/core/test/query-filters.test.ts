import { describe, expect, test } from "vitest";
import { createDocsearch } from "../src/docsearch.js";
import { memoryStore } from "../src/memory-store.js";
import { splitFilters } from "../src/query-filters.js";
import { textDocument, topicEmbedder } from "./support.js";

const path = (value: string): object => ({ op: "contains", field: "path", value });

describe("field filters in a query", () => {
  test("are taken out of the text", () => {
    expect(splitFilters('retry path:src/jobs in:"my notes" a job')).toEqual({
      text: "retry a job",
      typed: ["path:src/jobs", 'in:"my notes"'],
      filter: {
        op: "and",
        clauses: [
          { op: "or", clauses: [path("src/jobs")] },
          { op: "or", clauses: [{ op: "in", field: "collection", values: ["my notes"] }] },
        ],
      },
    });
  });

  test("several of one field are alternatives; with a dash they exclude", () => {
    expect(splitFilters("x path:a path:b -path:c").filter).toEqual({
      op: "and",
      clauses: [
        { op: "not", clause: path("c") },
        { op: "or", clauses: [path("a"), path("b")] },
      ],
    });
  });

  test("a language is the media types that are named after it", () => {
    const values = ["text/x-c++", "text/c++", "application/c++"];
    expect(splitFilters("sort lang:cpp").filter).toEqual({
      op: "and",
      clauses: [{ op: "or", clauses: [{ op: "in", field: "mediaType", values }] }],
    });
  });

  test.each(["std::path::join", "a.path:b", "margin: 0", "C:path", "in: a list", "path:", "xpath:a", "path://x"])(
    "%s has none",
    (query) => {
      expect(splitFilters(query)).toEqual({ text: query, typed: [] });
    },
  );
});

describe("where nothing is found", () => {
  const open = async (): Promise<Awaited<ReturnType<typeof createDocsearch>>> => {
    const docsearch = await createDocsearch({ store: memoryStore(), embedder: topicEmbedder().factory });
    await docsearch.index({
      documents: [
        textDocument("docs/a.md", "the old hound barks"),
        textDocument("src/b.py", "a salmon swims", { mediaType: "text/x-python" }),
      ],
    });
    return docsearch;
  };

  test("the filter of the query limits the search", async () => {
    const docsearch = await open();
    const found = async (query: string): Promise<string[]> =>
      (await docsearch.search({ query, mode: "keyword" })).results.map(({ document }) => document.id).sort();
    expect(await found("hound salmon")).toEqual(["docs/a.md", "src/b.py"]);
    expect(await found("hound salmon lang:py")).toEqual(["src/b.py"]);
    expect(await found("hound salmon -path:src")).toEqual(["docs/a.md"]);
  });

  test.each([
    [{ query: "hound path:src", mode: "keyword" }, "filter", "without path:src there are results"],
    [{ query: '"hound old"', mode: "keyword" }, "phrase", "the quoted words do not stand together, but apart"],
    [{ query: "dog", mode: "keyword" }, "mode", "no text has these words; by meaning there are results: mode hybrid"],
  ] as const)("%j: %s", async (request, kind, message) => {
    const response = await (await open()).search(request);
    expect(response.results).toEqual([]);
    expect(response.suggestions).toEqual([{ kind, message }]);
  });

  test("nothing is suggested that finds nothing", async () => {
    const response = await (await open()).search({ query: "zebra", mode: "keyword" });
    expect(response).not.toHaveProperty("suggestions");
  });
});
