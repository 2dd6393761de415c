import type { ChunkDraft, ChunkerFactory, Document } from "@docsearch/spec";
import { describe, expect, test } from "vitest";
import { createAnalyzer } from "../src/analyzer/analyze.js";
import { analyzeQuery } from "../src/analyzer/query.js";
import { createDocsearch, memoryStore, type SearchResult } from "../src/index.js";
import { thinShare } from "../src/ranking/barrel.js";
import { codePlaces } from "../src/ranking/code-place.js";
import type { FusedHit } from "../src/ranking/fusion.js";
import { oldVersionFolders, oldVersions } from "../src/ranking/old-versions.js";
import { applyRules, coherence } from "../src/ranking/rules.js";
import { withoutNegatedClauses } from "../src/search/negated-clause.js";
import { isIdentifier, profileQuery } from "../src/search/query-profile.js";
import { fact, ruleContext } from "./rule-support.js";

/** Cuts Python and Go at definitions that begin a line, each with its symbol. */
const definitions: ChunkerFactory = {
  specVersion: 1,
  name: "definitions",
  id: "definitions@1",
  load: async () => ({
    specVersion: 1,
    id: "definitions@1",
    supports: () => true,
    chunk({ text }) {
      const starts = [...text.matchAll(/^(class|def|func) (\w+)/gm)];
      const cuts = [0, ...starts.map(({ index }) => index).filter((index) => index > 0), text.length];
      const chunks = cuts.slice(0, -1).map((start, i): ChunkDraft => {
        const end = cuts[i + 1] ?? text.length;
        const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;
        const [, keyword, name] = starts.find(({ index }) => index === start) ?? [];
        const span = { startOffset: start, endOffset: end, startLine: lineOf(start), endLine: lineOf(end - 1) };
        const kind = keyword === "class" ? "class" : "function";
        const symbols =
          name === undefined ? [] : [{ name, kind, qualifiedName: name, line: span.startLine, endLine: span.endLine }];
        const headingPath = symbols.map(({ name: heading }) => heading);
        return { text: text.slice(start, end), span, headingPath, language: "python", symbols, metadata: {} };
      });
      return { chunks, outline: [], diagnostics: [] };
    },
  }),
};

/** The best chunk of each file, by words alone. */
async function search(files: Readonly<Record<string, string>>, query: string): Promise<readonly SearchResult[]> {
  const docsearch = await createDocsearch({ store: memoryStore(), chunkers: [definitions] });
  const documents = Object.entries(files).map(
    ([path, text]): Document => ({
      id: path,
      path,
      text,
      collection: "code",
      contentHash: text,
      mediaType: path.endsWith(".go") ? "text/x-go" : "text/x-python",
      metadata: {},
    }),
  );
  await docsearch.index({ documents });
  const { results } = await docsearch.search({ query, mode: "keyword", groupBy: "document" });
  await docsearch.close();
  return results;
}

const pathsOf = (results: readonly SearchResult[]): (string | undefined)[] =>
  results.map(({ document: { path } }) => path);

describe("the worked examples of how code is ranked", () => {
  // A whole name is stemmed as every word is.
  test.each([
    ["parseHTTPResponse", ["http", "pars", "parsehttprespons", "respons"]],
    ["http_client", ["client", "http", "httpclient"]],
    ["HttpClient", ["client", "http", "httpclient"]],
  ])("1: %s gives its parts and the joined form", (text, expected) => {
    const terms = createAnalyzer()
      .analyze(text)
      .map(({ term }) => term)
      .filter((term) => !term.startsWith("="));
    expect([...new Set(terms)].sort()).toEqual(expected);
  });

  test.each([
    ["router", false],
    ["Router", false],
    ["pathRouter", true],
    ["path_router", true],
    ["a.b.c", true],
    ["open()", true],
    ["e.g", false],
    ["HTTP", false],
  ])("2: %s is an identifier: %s", (word, expected) => {
    expect(isIdentifier(word)).toBe(expected);
  });

  test.each([
    ["Router", "symbol"],
    ["how routes are stored", "sentence"],
    ["word ".repeat(100), "issue"],
  ])("3: %j is a %s", (query, kind) => {
    expect(profileQuery(query).kind).toBe(kind);
  });

  test("4: a qualified name inside a sentence", () => {
    const { symbols, paths } = profileQuery("where is UserStore.save called");
    expect(Object.fromEntries(symbols.map(({ name, certainty }) => [name, certainty]))).toEqual({
      UserStore: 0.15,
      save: 0.3,
    });
    expect(paths.map(({ path }) => path)).toEqual(["UserStore/save"]);
  });

  test("5: the file that defines a name comes before one that uses it twenty times", async () => {
    const results = await search(
      {
        "app.py": `def run():\n${"    use(UserStore())\n".repeat(20)}`,
        "store.py": 'class UserStore:\n    """Keeps people."""\n    def save(self):\n        pass\n',
        "view.py": "def view():\n    return None\n",
      },
      "UserStore",
    );
    expect(pathsOf(results)).toEqual(["store.py", "app.py"]);
    const [first, second] = results;
    expect(first!.score).toBeGreaterThan(1.5 * second!.score);
  });

  test("6: a test comes behind what it tests, unless tests are asked for", async () => {
    const comment = "# entries expire after their time to live\n";
    const files = {
      "src/cache.py": `${comment}ttl = 60\n`,
      "tests/test_cache.py": `${comment}ttl = 60\n`,
      "src/other.py": "x = 1\n",
    };
    const [first, second] = await search(files, "entries expire after their time to live");
    expect([first?.document.path, second?.document.path]).toEqual(["src/cache.py", "tests/test_cache.py"]);
    expect(second!.score).toBeLessThan(0.4 * first!.score);
    expect(pathsOf(await search(files, "tests for entries that expire"))[0]).toBe("tests/test_cache.py");
  });

  test("7: a file whose name has both words comes before one whose text has them more often", async () => {
    const results = await search(
      {
        "completions.go": `func Complete() {\n${"  // shell completion for fish, fish shell completion\n".repeat(3)}}\n`,
        "fish_completions.go": "func Generate() {\n  // writes the fish script of the shell\n}\n",
        "args.go": "func Args() {}\n",
      },
      "fish shell completion",
    );
    expect(pathsOf(results).slice(0, 2)).toEqual(["fish_completions.go", "completions.go"]);
  });

  test("8: coherence at the share .7: one chunk of 10 against five of 7", () => {
    expect(coherence([10], 0.7)).toBe(10);
    expect(coherence([7, 7, 7, 7, 7], 0.7)).toBeCloseTo(19.41, 2);
  });

  test("9: older versions, thin files and places", () => {
    const paths = [
      ...["p/v3/a.ts", "p/v3/b.ts", "p/v4/a.ts"],
      ...["q/fields.py", "q/main.py", "q/types.py", "q/v1/fields.py", "q/v1/main.py", "q/v1/types.py"],
      "api/v1/a.go",
    ];
    expect([...oldVersionFolders(paths)]).toEqual(["p/v3", "q/v1"]);
    const isOld = oldVersions(paths.map((path) => ({ collection: "c", path })));
    expect(paths.filter((path) => isOld({ collection: "c", path }))).toEqual([
      ...["p/v3/a.ts", "p/v3/b.ts"],
      ...["q/v1/fields.py", "q/v1/main.py", "q/v1/types.py"],
    ]);
    expect(thinShare("export * from './a'\nexport { B } from './b'\n")).toBe(1);
    expect(thinShare("import { B } from './b'\n\nexport class A {\n  run() {\n    return B;\n  }\n}\n")).toBeLessThan(
      0.7,
    );
    const placesOf = (path: string) => codePlaces(fact(path, path).document, false);
    expect(["user_test.go", "index.d.ts", "contest.py"].map(placesOf)).toEqual([["tests"], ["stubs"], []]);
  });

  test("10: the second chunk of a file counts half; a frame names a file and a function; a negated clause is cut", () => {
    const hit = (chunkId: string, documentId: string, score: number): FusedHit => ({
      chunkId,
      documentId,
      score,
      contributions: [],
    });
    const hits = [hit("A1", "a.py", 1), hit("A2", "a.py", 0.9), hit("B1", "b.py", 0.6)];
    const facts = Object.fromEntries(hits.map(({ chunkId, documentId }) => [chunkId, fact(documentId, chunkId)]));
    const order = applyRules(hits, ruleContext("anything", facts, ["coherence"]));
    expect(order.map(({ chunkId, score }) => [chunkId, score])).toEqual([
      ["A1", 1],
      ["B1", 0.6],
      ["A2", 0.45],
    ]);

    const { symbols, paths } = profileQuery('File "/srv/pkg/core/table.py", line 3, in join');
    expect(symbols).toEqual([{ name: "join", certainty: 0.4 }]);
    expect(paths).toEqual([{ kind: "path", path: "/srv/pkg/core/table.py", weight: 1 }]);

    const kept = withoutNegatedClauses("bm25 population logic, not the populate demo");
    const { terms } = analyzeQuery(createAnalyzer(), kept);
    expect(terms.filter(({ class: kind }) => kind !== "exact").map(({ surface }) => surface)).toEqual([
      "bm25",
      "bm",
      "25",
      "population",
      "logic",
    ]);
  });
});
