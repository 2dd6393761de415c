import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { docsearch, temporaryFolders } from "./support.js";

const newFolder = temporaryFolders();
let folder = "";

beforeAll(async () => {
  folder = newFolder({
    "docs/kelp.md": "# Kelp\n\nKelp grows in cold water.\n",
    "docs/crab.md": "# Crab\n\nCrabs walk sideways.\n",
    "queries.jsonl": [
      { query: "kelp in cold water", relevant: [{ path: "docs/kelp.md" }] },
      { query: "walking sideways", relevant: [{ path: "docs/crab.md" }] },
      { query: "kelp", relevant: [{ path: "docs/crab.md" }] },
    ]
      .map((line) => JSON.stringify(line))
      .join("\n"),
    "bad.jsonl": '{"query": "x"}\n',
  });
  await docsearch(folder, ["index", "docs"]);
});

test("measures an arm, and exits with 1 when a gate fails", async () => {
  const args = ["eval", "queries.jsonl", "--arm", "keyword", "--metric", "mrr@10", "--json"];
  const passed = await docsearch(folder, [...args, "--fail-under", "mrr@10=0.5"]);
  expect({ code: passed.code, stderr: passed.stderr }).toEqual({ code: 0, stderr: "" });
  expect(passed.stdout).toContain('"mrr@10":0.66');
  const failed = await docsearch(folder, [...args, "--fail-under", "mrr@10=0.9"]);
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.stdout)).toBeTypeOf("object");
});

test("saves a run and compares with it", async () => {
  expect((await docsearch(folder, ["eval", "queries.jsonl", "--save", "run.json"])).code).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, "run.json"), "utf8"))).toBeTypeOf("object");
  expect((await docsearch(folder, ["eval", "queries.jsonl", "--compare", "run.json"])).code).toBe(0);
});

test("makes queries from the index, and says on stderr how many it drew", async () => {
  const rich = newFolder({
    "docs/a.md":
      "---\ndescription: How tides move the kelp around the bay\n---\n\n# Tides\n\nThey move it twice a day.\n",
    "docs/b.md":
      "# Crab\n\nCrabs walk.\n\n## Walking sideways on the beach\n\nSee [how tides work in the bay](a.md).\n",
  });
  await docsearch(rich, ["index", "docs"]);
  const { code, stdout, stderr } = await docsearch(rich, ["eval", "--auto", "--json"]);
  expect(code).toBe(0);
  expect(stderr).toContain("description: 1 of 1 query drawn");
  expect(JSON.parse(stdout)).toBeTypeOf("object");
});

test.each([
  [["eval"], "eval was given neither a file nor --auto"],
  [["eval", "missing.jsonl"], "missing.jsonl"],
  [["eval", "bad.jsonl"], "bad.jsonl:1: relevant: found missing"],
  [["eval", "queries.jsonl", "--arm", "psychic"], "psychic"],
  [["eval", "queries.jsonl", "--fail-under", "joy@3=1"], "joy@3"],
])("%j is refused in one line", async (args, message) => {
  const { code, stdout, stderr } = await docsearch(folder, args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toContain(message);
});
