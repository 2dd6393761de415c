import { beforeAll, expect, test } from "vitest";
import { docsearch, temporaryFolders } from "./support.js";

const newFolder = temporaryFolders();
let folder = "";

beforeAll(async () => {
  folder = newFolder({
    "docs/kelp.md": "# Kelp\n\nKelp grows.\n\n## Harvest\n\nCut the blades.\n",
    "docs/dune.md": "# Dune\n\nSand.\n",
    "docs/bytes.txt": "a\0b",
    "node_modules/x/a.md": "kelp",
  });
  await docsearch(folder, ["index", "docs"]);
});

test("a result: every step, and its rank", async () => {
  const { code, stdout } = await docsearch(folder, ["why", "kelp", "docs/kelp.md:7"]);
  const shape = stdout.replace(/\d+\.\d+/g, "N").split("\n");
  expect(shape).toEqual([
    "index      passed it is in the index",
    "chunk      passed line 7 is in the chunk of lines 5 to 7",
    "lexical    passed rank 2 of 2, score N",
    "vector     passed rank 2 of 3, score N",
    "fusion     passed rank 2, score N",
    "rules      passed heading plus N, saturation times N: rank 2 becomes 2",
    "cut-off    passed result 2",
    "result 2: docs/kelp.md:7",
    "",
  ]);
  expect(code).toBe(0);
});

test.each([
  ["docs/kelp.md:7", ["--limit", "1"], "cut-off"],
  ["docs/dune.md", ["--mode", "keyword"], "candidates"],
  ["docs/kelp.md", ["--path", "docs/dune.md"], "filter"],
  ["docs/kelp.md:99", [], "chunk"],
  ["docs/bytes.txt", [], "walk"],
  ["node_modules/x/a.md", [], "walk"],
  ["docs/none.md", [], "walk"],
] as const)("%s %j is lost at %s", async (place, flags, stage) => {
  const { code, stdout } = await docsearch(folder, ["why", "kelp", place, ...flags, "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ formatVersion: 1, query: "kelp", lostAt: stage });
  expect(code).toBe(1);
});

test("a folder is no place: exit code 2, with what to name", async () => {
  expect(await docsearch(folder, ["why", "kelp", "docs"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: "docsearch: docs is a folder; expected a file, or a line of it. Name a file in it\n",
  });
});
