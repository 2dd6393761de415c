import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { docsearch, json, temporaryFolders } from "./support.js";

const newFolder = temporaryFolders();
/** SQLite as the store has it, for spoiling an index. */
const Database = createRequire(join(import.meta.dirname, "../../../packages/store-sqlite/package.json"))(
  "better-sqlite3",
);
const { version } = createRequire(import.meta.url)("../package.json") as { readonly version: string };
let folder = "";
let index = "";

beforeAll(async () => {
  folder = newFolder({
    "docs/kelp.md": "# Kelp\n\nKelp grows in cold water.\n\n## Harvest\n\nCut the blades in spring.\n",
    "README.md": "# Read me\n\nAbout seaweed.\n",
    "page.md": "---\ntitle: A page\n---\n\n# First\n\nSome words.\n\n## Second\n\nMore words.\n",
    "broken.md": "---\ntitle: [\n---\n\nText.\n",
    "picture.png": "\u0000\u0001\u0002",
  });
  index = join(folder, ".docsearch", "index.db");
  await docsearch(folder, ["index", "docs", "README.md"]);
});

describe("status", () => {
  test("for people", async () => {
    const { code, stdout, stderr } = await docsearch(folder, ["status"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.replace(/static\/[\w./-]+/, "MODEL").split("\n");
    expect(lines[0]).toMatch(new RegExp(`^index       ${index}, \\d+\\.\\d kB$`));
    expect(lines.slice(1, 6)).toEqual([
      "store       sqlite",
      "documents   2",
      "chunks      3",
      "vectors     3",
      "embedder    MODEL, 256 dimensions",
    ]);
    expect(lines[6]).toMatch(/^chunking {4}markdown@\d+\+code@\d+\+text@\d+;size=1500;overlap=0;embed-text=\d+$/);
    expect(lines[7]).toMatch(/^analyzer {4}docsearch-analyzer@/);
    expect(lines.slice(8)).toEqual(["collection  README.md, 1 document", "collection  docs, 1 document", ""]);
  });

  test("--json: the shape is pinned", async () => {
    expect(await json(folder, ["status"])).toEqual({
      formatVersion: 1,
      location: index,
      bytes: expect.any(Number),
      store: "sqlite",
      schema: {
        embedding: { id: expect.stringMatching(/^static\//), dimensions: 256 },
        chunking: expect.any(String),
        analyzer: expect.any(String),
      },
      capabilities: {
        lexical: "bm25f",
        vector: "exact",
        vectorTolerance: expect.any(Number),
        atomicity: "document",
        durable: true,
        multiProcess: true,
      },
      stats: { documents: 2, chunks: 3, vectors: 3 },
      collections: [
        { name: "README.md", documents: 1 },
        { name: "docs", documents: 1 },
      ],
      spaces: [
        {
          name: "static",
          embedding: { id: expect.stringMatching(/^static\//), dimensions: 256 },
          isActive: true,
          vectors: 3,
          lacking: 0,
        },
      ],
    });
  });
});

describe("doctor", () => {
  test("a sound index", async () => {
    const { code, stdout, stderr } = await docsearch(folder, ["doctor"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      `ok       program    docsearch ${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}`,
      `ok       index      ${index}: 2 documents, 3 chunks, 3 vectors`,
      "ok       integrity  what is stored is whole",
      "ok       search     a query was answered",
      "",
    ]);
  });

  test("--json: the shape is pinned; a misspelt setting is a warning", async () => {
    const answer = await json(folder, ["doctor"], { env: { DOCS_FUSON: "rrf" } });
    expect(answer).toEqual({
      formatVersion: 1,
      sound: true,
      findings: [
        { check: "program", result: "ok", message: expect.stringContaining(version) },
        {
          check: "settings",
          result: "warning",
          message: "DOCS_FUSON is not a setting; did you mean DOCS_FUSION?",
        },
        { check: "index", result: "ok", message: `${index}: 2 documents, 3 chunks, 3 vectors` },
        { check: "integrity", result: "ok", message: "what is stored is whole" },
        { check: "search", result: "ok", message: "a query was answered" },
      ],
    });
  });

  test("no index, and one of other settings: exit code 1, with what mends it", async () => {
    const missing = newFolder();
    const none = await docsearch(missing, ["doctor", "--json"]);
    expect(none.code).toBe(1);
    expect(JSON.parse(none.stdout)).toMatchObject({
      sound: false,
      findings: [
        { check: "program", result: "ok" },
        {
          check: "index",
          result: "fault",
          message: `There is no index at ${join(missing, ".docsearch", "index.db")}. Make one: docsearch index`,
        },
      ],
    });
    const other = await docsearch(folder, ["doctor", "--chunk-size", "500"]);
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(
      /^fault {4}index {6}the index at .* chunking size=1500 in the index, chunking size=500 now\./m,
    );
  });

  test("a damaged file", async () => {
    const damaged = join(folder, "damaged.db");
    copyFileSync(index, damaged);
    const bytes = readFileSync(damaged);
    bytes.fill(0x55, 8192);
    writeFileSync(damaged, bytes);
    const { code, stdout, stderr } = await docsearch(folder, ["doctor", "--store-url", "damaged.db"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatch(/^fault .*damaged/m);
  });
});

test("doctor looks on when something cannot be read, and says what mends it", async () => {
  const damaged = newFolder({ "docs/a.md": "# Kelp\n\nkelp" });
  await docsearch(damaged, ["index", "docs"]);
  const database = new Database(join(damaged, ".docsearch", "index.db"));
  database.exec("UPDATE chunk SET heading_path = '['; UPDATE document SET metadata = '{'; DELETE FROM vector_block");
  database.close();
  const { code, stdout } = await docsearch(damaged, ["doctor", "--json"]);
  expect(code).toBe(1);
  const { findings } = JSON.parse(stdout);
  const faults = findings.filter(({ result }: { readonly result: string }) => result === "fault");
  expect(faults.map(({ check, message }: Record<string, string>) => `${check}: ${message}`)).toEqual([
    "integrity: The document docs/a.md is not what was written.",
    expect.stringMatching(/^integrity: The chunk \S+ is not what was written\.$/),
    "integrity: 1 vectors are counted, and there are 0.",
    "integrity: make the index anew: docsearch index --rebuild <paths>",
    expect.stringMatching(/^search: .*the file is damaged\. Make the index anew: docsearch index --rebuild/),
  ]);
  expect(await docsearch(damaged, ["index", "docs", "--rebuild"])).toMatchObject({ code: 0 });
  expect((await json(damaged, ["doctor"])).sound).toBe(true);
});

describe("chunk", () => {
  test("for people: where each chunk stands, and its text", async () => {
    const { code, stdout, stderr } = await docsearch(folder, ["chunk", "page.md"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(
      [
        "chunk 1, lines 5-7, characters 23-43, size 20: First",
        "# First\n\nSome words.",
        "",
        "chunk 2, lines 9-11, characters 45-67, size 22: First > Second",
        "## Second\n\nMore words.",
        "",
      ].join("\n"),
    );
  });

  test("--json: the shape is pinned, with what would be embedded; no index is needed", async () => {
    const answer = await json(newFolder({ "page.md": "# First\n\nSome words.\n" }), ["chunk", "page.md"]);
    expect(answer).toEqual({
      formatVersion: 1,
      mediaType: "text/markdown",
      title: "First",
      chunks: [
        {
          text: "# First\n\nSome words.",
          span: { startOffset: 0, endOffset: 20, startLine: 1, endLine: 3 },
          headingPath: ["First"],
          anchor: "first",
          metadata: {},
          embedText: "# First\n\nSome words.",
        },
      ],
      outline: [{ heading: "First", level: 1, anchor: "first", line: 1 }],
      diagnostics: [],
    });
  });

  test("what is embedded keeps to the size, with title and headings counted and none of them twice", async () => {
    const heading = "Quarterly maintenance of the northern breakwater";
    const steps = Array.from({ length: 40 }, (_, i) => `Step ${i + 1}: look for cracks wider than a thumb.\n\n`);
    const text = `# Harbour handbook\n\n## ${heading}\n\n${steps.join("")}`;
    const { chunks } = await json(newFolder({ "page.md": text }), ["chunk", "page.md", "--chunk-size", "300"]);
    expect(chunks.length).toBeGreaterThan(8);
    for (const { embedText } of chunks) {
      expect(embedText.length).toBeLessThanOrEqual(300);
      expect(embedText.split(heading)).toHaveLength(2);
      expect(embedText.split("Harbour handbook")).toHaveLength(2);
    }
  });

  test("--chunk-size", async () => {
    const long = newFolder({ "long.md": `# Long\n\n${"Some words. ".repeat(100)}\n` });
    const { chunks } = await json(long, ["chunk", "long.md", "--chunk-size", "200"]);
    expect(chunks.length).toBeGreaterThan(5);
    expect(Math.max(...chunks.map(({ text }: { readonly text: string }) => text.length))).toBeLessThanOrEqual(200);
  });

  test("what the chunker has to say goes to stderr, with the file's name", async () => {
    const { code, stdout, stderr } = await docsearch(folder, ["chunk", "broken.md"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Text.");
    expect(stderr).toMatch(/^docsearch: broken\.md(:\d+)?: .+\n$/);
  });

  test.each([
    ["nowhere.md", "nowhere.md cannot be chunked: it is not there; expected a text file"],
    ["docs", "docs cannot be chunked: it is a folder; expected a text file"],
    ["picture.png", "picture.png cannot be chunked: an index would leave it out (binary); expected a text file"],
  ])("%s is refused", async (file, message) => {
    expect(await docsearch(folder, ["chunk", file, "--json"])).toEqual({
      code: 2,
      signal: null,
      stdout: "",
      stderr: `docsearch: ${message}\n`,
    });
  });
});
