import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { docsearch, found, json, temporaryFolders } from "./support.js";

const newFolder = temporaryFolders();
let folder = "";

beforeAll(async () => {
  folder = newFolder({
    "docs/kelp.md": "# Kelp\n\nKelp grows in cold water.\n\n## Harvest\n\nCut the blades of kelp in spring.\n",
    "docs/guide/boat.md": "# Boat\n\nA boat for the harbour, and --watch for storms.\n",
    "docs-old/kelp.md": "# Old kelp\n\nWhat was said of kelp before.\n",
    "notes.txt": "seaweed soup with ginger, no kelp\n",
  });
  await docsearch(folder, ["index", "docs", "docs-old", "notes.txt"]);
});

describe("what is printed", () => {
  test("--json: the shape is pinned", async () => {
    const answer = await json(folder, ["search", "cut the blades in spring", "--limit", "1"]);
    const number = expect.any(Number);
    expect(answer).toEqual({
      formatVersion: 1,
      query: "cut the blades in spring",
      mode: "hybrid",
      results: [
        {
          rank: 1,
          path: "docs/kelp.md",
          startLine: 5,
          endLine: 7,
          score: number,
          headingPath: ["Kelp", "Harvest"],
          anchor: "harvest",
          title: "Kelp",
          file: join(folder, "docs", "kelp.md"),
          collection: "docs",
          documentId: "docs/kelp.md",
          chunkId: expect.stringMatching(/^[\w-]{22}$/),
          startOffset: 35,
          endOffset: 80,
          snippet: {
            text: "## Harvest\n\nCut the blades of kelp in spring.",
            startLine: 5,
            highlights: [
              [12, 15],
              [20, 26],
              [38, 44],
            ],
          },
          text: "## Harvest\n\nCut the blades of kelp in spring.",
          breakdown: {
            retrievers: [
              { retriever: "lexical", rank: 1, score: number, weight: number, contribution: number },
              { retriever: "vector", rank: 1, score: number, weight: number, contribution: number },
            ],
            lexical: { chunk: number, document: number },
            fusion: { method: "convex", score: number, rank: 1 },
            rules: [],
          },
        },
      ],
      next: expect.stringMatching(/^1\.[\w-]{8}\.[\w-]{22}$/),
      warnings: [],
      timings: { analyze: number, lexical: number, vector: number, fuse: number, hydrate: number },
    });
  });

  test("for people: place, score, heading path, snippet", async () => {
    const { code, stdout, stderr } = await docsearch(folder, ["search", "blades", "-n", "1", "--mode", "keyword"]);
    expect(stdout.replace(/\d\.\d{3}/, "SCORE")).toBe(
      " 1  docs/kelp.md:5-7  SCORE\n    Kelp > Harvest\n    ## Harvest\n    Cut the blades of kelp in spring.\n",
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("--explain adds each retriever, the fusion, the rules and the score", async () => {
    const { stdout } = await docsearch(folder, ["search", "kelp", "--explain", "--path", "docs/kelp.md"]);
    const shape = stdout.replace(/\d+\.\d+/g, "N").split("\n");
    expect(shape.filter((line) => /^ {4}(lexical|vector|fusion|rule|score) /.test(line))).toEqual([
      "    lexical  rank 1, score N (chunk N, document N), weight N: N",
      "    vector   rank 2, score N, weight N: N",
      "    fusion   convex: N, rank 1",
      "    rule     heading: plus N",
      "    score    N",
      "    lexical  rank 2, score N (chunk N, document N), weight N: N",
      "    vector   rank 1, score N, weight N: N",
      "    fusion   convex: N, rank 2",
      "    rule     heading: plus N",
      "    rule     saturation: times N",
      "    score    N",
    ]);
  });

  test("nothing found: exit code 1, JSON all the same", async () => {
    const [plain, asJson] = await Promise.all([
      docsearch(folder, ["search", "zzzz", "--mode", "keyword"]),
      docsearch(folder, ["search", "zzzz", "--mode", "keyword", "--json"]),
    ]);
    expect(plain).toMatchObject({ code: 1, stdout: "", stderr: "docsearch: nothing found for: zzzz\n" });
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ formatVersion: 1, query: "zzzz", results: [] });
  });

  test("cl-json-stdout: --json before the command is the same as behind it", async () => {
    const [before, behind] = await Promise.all([
      docsearch(folder, ["--json", "search", "kelp"]),
      docsearch(folder, ["search", "kelp", "--json"]),
    ]);
    expect(before.code).toBe(0);
    expect(JSON.parse(before.stdout).results).toEqual(JSON.parse(behind.stdout).results);
  });
});

describe("what is searched", () => {
  test("--mode: keyword finds words alone, semantic needs no word in common", async () => {
    expect(await found(folder, "ocean")).toEqual([]);
    const { results, timings } = await json(folder, ["search", "ocean", "--mode", "semantic"]);
    expect(results[0].path).toBe("docs/guide/boat.md");
    expect(timings).not.toHaveProperty("lexical");
  });

  test("--group-by document gives each document once", async () => {
    const [chunks, documents] = await Promise.all([
      json(folder, ["search", "kelp", "--mode", "keyword"]),
      json(folder, ["search", "kelp", "--mode", "keyword", "--group-by", "document"]),
    ]);
    const paths = (answer: { readonly results: readonly { readonly path: string }[] }): string[] =>
      answer.results.map(({ path }) => path).sort();
    expect(paths(chunks)).toEqual(["docs-old/kelp.md", "docs/kelp.md", "docs/kelp.md", "notes.txt"]);
    expect(paths(documents)).toEqual(["docs-old/kelp.md", "docs/kelp.md", "notes.txt"]);
  });

  test("--limit", async () => {
    expect((await json(folder, ["search", "kelp", "-n", "2"])).results).toHaveLength(2);
  });

  test("--path takes a folder, not what begins like it, and a file; it can be repeated", async () => {
    expect(await found(folder, "kelp", ["--path", "docs"])).toEqual(["docs/kelp.md"]);
    expect(await found(folder, "kelp", ["--path", "docs/", "--path", "notes.txt"])).toEqual([
      "docs/kelp.md",
      "notes.txt",
    ]);
  });

  test("--collection, before the query too", async () => {
    expect(await found(folder, "kelp", ["--collection", "docs-old", "-c", "notes.txt"])).toEqual([
      "docs-old/kelp.md",
      "notes.txt",
    ]);
    const { stdout } = await docsearch(folder, ["search", "--collection", "docs-old", "kelp", "--json"]);
    expect(JSON.parse(stdout).results[0].path).toBe("docs-old/kelp.md");
  });

  test("a filter that no document passes is said to be the reason", async () => {
    const { code, stderr } = await docsearch(folder, ["search", "kelp", "--collection", "dox"]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      "docsearch: no document of the index is within --path and --collection; docsearch status lists the collections\n" +
        "docsearch: without the filter there are results\n",
    );
  });
});

describe("where the query comes from", () => {
  test("several words need no quotes, quoted words must stand together", async () => {
    expect(await found(folder, "seaweed", ["ginger"])).toEqual(["notes.txt"]);
    expect(await found(folder, '"grows in cold"')).toEqual(["docs/kelp.md"]);
  });

  test("behind -- a query may begin with a dash", async () => {
    const { code, stdout } = await docsearch(folder, ["search", "--mode", "keyword", "--json", "--", "--watch"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ query: "--watch", results: [{ path: "docs/guide/boat.md" }] });
  });

  test("- reads it from standard input", async () => {
    const { query, results } = await json(folder, ["search", "-"], { input: "cut the blades\n" });
    expect(query).toBe("cut the blades");
    expect(results[0].path).toBe("docs/kelp.md");
  });

  test("an empty query, or a whole file of it, is refused", async () => {
    const empty = await docsearch(folder, ["search", " "]);
    expect(empty).toMatchObject({
      code: 2,
      stderr: "docsearch: the query is empty; expected some words to search for\n",
    });
    // Line ends around it do not count.
    const whole = await docsearch(folder, ["search", "-", "--mode", "keyword"], {
      input: `\n${"x".repeat(100_000)}\n\n`,
    });
    expect(whole.code).toBe(1);
    const long = await docsearch(folder, ["search", "-"], { input: "word ".repeat(30_000) });
    expect(long).toMatchObject({
      code: 2,
      stderr: "docsearch: the query is too long; expected at most 100000 characters\n",
    });
  });
});

test("below the project's folder its index is found, and paths are as one would open them from there", async () => {
  const below = join(folder, "docs", "guide");
  const { stdout } = await docsearch(below, ["search", "boat", "-n", "1", "--mode", "keyword"]);
  expect(stdout.split("  ")[1]).toBe("boat.md:1-3");
  const above = await docsearch(below, ["search", "ginger", "-n", "1", "--mode", "keyword"]);
  expect(above.stdout.split("  ")[1]).toBe("../../notes.txt:1");
  // In JSON they are those of the index, and --path is still one of the working directory.
  const { results } = await json(below, ["search", "kelp", "--path", ".."]);
  expect(results[0]).toMatchObject({ path: "docs/kelp.md", file: join(folder, "docs", "kelp.md") });
});

describe("pages and passages", () => {
  const keyword = ["search", "kelp", "--mode", "keyword"];

  test("--offset and --cursor go on where a page ends; behind the last nothing is found", async () => {
    const places = (answer: { readonly results: readonly { readonly chunkId: string }[] }): string[] =>
      answer.results.map(({ chunkId }) => chunkId);
    const all = await json(folder, keyword);
    const first = await json(folder, [...keyword, "-n", "3"]);
    const [second, byOffset, behind, wrong] = await Promise.all([
      json(folder, [...keyword, "--cursor", first.next]),
      json(folder, [...keyword, "--offset", "3"]),
      docsearch(folder, [...keyword, "--offset", "9"]),
      docsearch(folder, ["search", "soup", "--cursor", first.next]),
    ]);
    expect([...places(first), ...places(second)]).toEqual(places(all));
    expect(places(byOffset)).toEqual(places(second));
    expect(second.results[0].rank).toBe(4);
    expect([first, second].map(({ next }) => typeof next)).toEqual(["string", "undefined"]);
    expect(behind).toMatchObject({ code: 1, stdout: "", stderr: "docsearch: no results from there on\n" });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("expected what `next` of the same search says");
  });

  test("--merge joins sections that follow each other; --max-chars shows whole lines", async () => {
    const args = [...keyword, "--path", "docs/kelp.md", "--merge"];
    const [{ results }, plain] = await Promise.all([
      json(folder, args),
      docsearch(folder, [...args, "--max-chars", "40"]),
    ]);
    expect(results).toHaveLength(1);
    expect(results[0].adjacent).toMatchObject([{ startLine: 5, endLine: 7 }]);
    expect(plain.stdout.replace(/\d\.\d{3}/, "SCORE")).toBe(
      " 1  docs/kelp.md:1-3  SCORE\n    Kelp\n    # Kelp\n\n    Kelp grows in cold water.\n",
    );
  });
});

test("what of the query is a filter is said, and --no-query-filters takes it as text", async () => {
  const filtered = await docsearch(folder, ["search", "kelp path:notes", "--json"]);
  expect(JSON.parse(filtered.stdout)).toMatchObject({ queryFilters: ["path:notes"], results: [{ path: "notes.txt" }] });
  expect(filtered.stderr).toBe("docsearch: limited by path:notes of the query; --no-query-filters takes it as text\n");
  const words = await json(folder, ["search", "kelp path:notes", "--no-query-filters", "--mode", "keyword"]);
  expect(words.results).toHaveLength(4);
  expect(words).not.toHaveProperty("queryFilters");
});

test("did you mean: where nothing is found for misspelt words, on stderr and in JSON", async () => {
  const { code, stdout, stderr } = await docsearch(folder, ["search", '"seawed suop"', "--mode", "keyword", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).suggestions).toEqual([
    { kind: "spelling", query: '"seaweed soup"', message: 'did you mean: "seaweed soup"' },
  ]);
  expect(stderr).toContain('docsearch: nothing found for: "seawed suop"\ndocsearch: did you mean: "seaweed soup"\n');
});

test("a word that no text has is replaced by one that is near, and that is said on stderr", async () => {
  const { stdout, stderr } = await docsearch(folder, ["search", "kekp", "--mode", "keyword", "--json"]);
  const { results, warnings } = JSON.parse(stdout);
  expect(results).toHaveLength(4);
  expect(warnings).toEqual([{ code: "WORD_REPLACED", message: 'no text has "kekp"; searched for kelp instead' }]);
  expect(stderr).toBe('docsearch: no text has "kekp"; searched for kelp instead\n');
});
