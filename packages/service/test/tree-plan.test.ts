import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { ProjectSource } from "../src/config.js";
import { planTrees, type Tree } from "../src/tree-plan.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "docsearch-plan-")));
afterAll(() => rmSync(root, { recursive: true }));
for (const file of ["docs/api/a.md", "docs/a.txt", "docs/b.md", "src/a.ts", "README.md"]) {
  mkdirSync(join(root, file, ".."), { recursive: true });
  writeFileSync(join(root, file), "kelp\n");
}

function source(name: string, path: string, include?: readonly string[]): ProjectSource {
  const at = join(root, path);
  return { name, path, root: at, real: at, access: "inside", ...(include && { include }) };
}

/** What is read for paths, as `collection: root within`, innermost first. No source takes in a file of text. */
async function plan(paths: string[], sources: ProjectSource[], collections: string[] = []): Promise<string[]> {
  const takesIn = async ({ within }: Tree): Promise<boolean> => within?.endsWith(".txt") !== true;
  const absolute = paths.map((path) => join(root, path));
  const trees = await planTrees({ paths: absolute, sources, collections, projectRoot: root, takesIn });
  return trees.map(({ collection, root: at, within }) =>
    [`${collection}:`, at.slice(root.length + 1) || ".", ...(within === undefined ? [] : [within])].join(" "),
  );
}

const HANDBOOK = source("handbook", "docs", ["*.md"]);
const API = source("api", "docs/api");
const ALL = source("all", ".");

test.each<[string, string[], ProjectSource[], string[], string[]]>([
  ["a path of no source", ["src"], [HANDBOOK], [], ["src: src"]],
  ["the folder of a source, and the source in it", ["docs"], [HANDBOOK, API], [], ["api: docs/api", "handbook: docs"]],
  ["a file of a source", ["docs/b.md"], [HANDBOOK, API], [], ["handbook: docs b.md"]],
  ["a file of nested sources", ["docs/api/a.md"], [API, ALL], [], ["api: docs/api a.md", "all: . docs/api/a.md"]],
  [
    "a file that its source leaves out",
    ["docs/a.txt"],
    [HANDBOOK],
    [],
    ["docs/a.txt: docs/a.txt", "handbook: docs a.txt"],
  ],
  ["a folder around sources", ["."], [HANDBOOK], [], ["handbook: docs", ".: ."]],
  ["a part and the whole of it", ["docs/b.md", "docs"], [HANDBOOK], [], ["handbook: docs"]],
  ["a part of a part", ["docs/api/a.md", "docs/api"], [HANDBOOK], [], ["handbook: docs api"]],
  ["a file of a folder that was indexed", ["docs/b.md"], [], ["docs"], ["docs: docs b.md"]],
  ["a file of two, the inner one", ["docs/b.md"], [], [".", "docs"], ["docs: docs b.md"]],
  ["a folder that is a collection itself", ["docs"], [], [".", "docs"], ["docs: docs"]],
  ["a folder in one that was indexed", ["docs/api"], [], ["."], [".: . docs/api"]],
])("%s", async (_name, paths, sources, collections, expected) => {
  expect(await plan(paths, sources, collections)).toEqual(expected);
});

test("a path that would share its collection with a source elsewhere is refused", async () => {
  await expect(plan(["src"], [source("src", "docs")])).rejects.toThrow(
    "src is the name of a source, which is at docs; expected another name for that source in the config file",
  );
});
