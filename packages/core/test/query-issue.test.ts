import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAnalyzer } from "../src/analyzer/analyze.js";
import { issueTerms, tellingTerms } from "../src/analyzer/issue.js";
import { analyzeQuery } from "../src/analyzer/query.js";
import { createDocsearch, type Docsearch, memoryStore } from "../src/index.js";
import { textDocument } from "./support.js";

const ISSUE = `Columns are lost when tables are joined

When I call \`join_tables\` with "outer" I expect all columns. <!-- say what you expected -->
See https://example.org/docs/joining for what it should do. It worked in 1.2, not in 1.3.

\`\`\`python
table.join_tables(other, how="outer")
\`\`\`

Traceback (most recent call last):
  File "/srv/project/main.py", line 7, in <module>
    table.join_tables(other, how="outer")
  File "/usr/lib/python3/site-packages/frames/core/table.py", line 301, in join_tables
    raise KeyError("missing column")
KeyError: "missing column"
`;

const terms = (text: string) => new Map(issueTerms(createAnalyzer(), text).map((term) => [term.term, term]));

test("words of the title weigh 2, of the body by how often they come, and names between backticks 1.5 times that", () => {
  const found = terms(ISSUE);
  expect(found.get("lost")?.weight).toBe(2);
  expect(found.get("expect")?.weight).toBe(1);
  expect(found.get("outer")?.weight).toBeCloseTo(1 + Math.log(3), 12);
  expect(found.get("jointabl")?.weight).toBeCloseTo(1.5 * (1 + Math.log(3)), 12);
});

test("links, comments, frames and stop words are left out", () => {
  const found = terms(ISSUE);
  for (const term of ["exampl", "say", "srv", "site", "lib", "when", "with"]) expect(found.has(term)).toBe(false);
});

test("quotes in pasted text ask for no phrase; in a short query they do", () => {
  const analyzer = createAnalyzer();
  expect(analyzeQuery(analyzer, ISSUE)).toMatchObject({ isIssue: true, phrases: [], requiredTerms: [] });
  expect(analyzeQuery(analyzer, 'join "missing column"')).toMatchObject({
    isIssue: false,
    phrases: ["missing column"],
  });
});

test("of the terms that the index has, the 60 with the most weight times idf are searched", async () => {
  const all = Array.from({ length: 100 }, (_, i) => ({
    term: `t${i}`,
    class: "word" as const,
    surface: `t${i}`,
    weight: 1,
    isStopWord: false,
  }));
  // t0 to t79 are in as many chunks as their number says and one more; the others are unknown.
  const lookup = async (prefix: string) => {
    const number = Number(prefix.slice(1));
    return number < 80 ? [{ term: prefix, chunks: number + 1 }] : [{ term: `${prefix}x`, chunks: 1 }];
  };
  const kept = await tellingTerms(all, 1000, lookup);
  expect(kept.map(({ term }) => term)).toEqual(all.slice(0, 60).map(({ term }) => term));
});

let docsearch: Docsearch;
beforeAll(async () => {
  docsearch = await createDocsearch({ store: memoryStore() });
  await docsearch.index({
    documents: [
      textDocument("frames/core/table.py", "def join_tables(left, right, how):\n    columns = left.columns\n", {
        mediaType: "text/x-python",
      }),
      textDocument("frames/core/view.py", "def show(table):\n    print(table)\n", { mediaType: "text/x-python" }),
      textDocument("frames/io/main.py", "def main():\n    run()\n", { mediaType: "text/x-python" }),
    ],
  });
});
afterAll(() => docsearch.close());

test("an issue with a stack trace finds the file of its last frame", async () => {
  const { results, warnings } = await docsearch.search({ query: ISSUE, mode: "keyword", groupBy: "document" });
  expect(results[0]?.document.path).toBe("frames/core/table.py");
  expect(results[0]?.breakdown.rules.map(({ rule }) => rule)).toContain("path");
  expect(warnings.filter(({ code }) => code === "WORD_REPLACED")).toEqual([]);
});

test("what looks like a filter inside pasted text is text; in front of it, it is a filter", async () => {
  const pasted = `${ISSUE}\npath:nowhere/at/all in:nothing\n`;
  const found = await docsearch.search({ query: pasted, mode: "keyword" });
  expect(found.results.length).toBeGreaterThan(0);
  const filtered = await docsearch.search({ query: `path:core/view ${ISSUE}`, mode: "keyword" });
  expect([...new Set(filtered.results.map(({ document }) => document.path))]).toEqual(["frames/core/view.py"]);
});

test("a report that is nothing but a comment or a trace is searched as it is", async () => {
  const frame = 'File "core/table.py", line 1, in join_tables\n';
  const { results } = await docsearch.search({ query: frame.repeat(3), mode: "keyword" });
  expect(results[0]?.document.path).toBe("frames/core/table.py");
  const commented = await docsearch.search({
    query: `<!-- ${"the columns of tables ".repeat(30)} -->`,
    mode: "keyword",
  });
  expect(commented.results[0]?.document.path).toBe("frames/core/table.py");
});

test("any long text with a known word is searched, without an error", async () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("```", '"', "`", "->", 'File "a.py", line 1, in f\n', "    at f (a.js:1:2)\n", "http://", "\n"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 20 }), async (pieces) => {
      const text = `${pieces.join(" ")} table `;
      const query = text.repeat(Math.ceil(401 / text.length));
      const { results } = await docsearch.search({ query, mode: "keyword" });
      expect(results.length).toBeGreaterThan(0);
    }),
    { numRuns: 40 },
  );
});
