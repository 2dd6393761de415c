import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const MAIN = join(import.meta.dirname, "main.mjs");

test("it finds the section and says where the score comes from", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN]);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^\[ 'Guide', 'Retries' \] \{\n/);
  expect(stdout).toContain("retriever: 'lexical',");
  expect(stdout).toContain("retriever: 'vector',");
});

test("it is the program of the repository's README, but for the order of the imports", () => {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const [, program = ""] = /^## The library\n\n```js\n(.*?)^```$/ms.exec(readme) ?? [];
  expect(program.split("\n").sort()).toEqual(readFileSync(MAIN, "utf8").split("\n").sort());
});
