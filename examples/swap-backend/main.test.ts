import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

const scratch = mkdtempSync(join(tmpdir(), "docsearch-example-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const documents = join(scratch, "documents");
const index = join(scratch, "index.db");
cpSync(join(import.meta.dirname, "../../node_modules/bun-types/docs/guides/test"), documents, { recursive: true });

async function ask(query: string, env: Record<string, string>): Promise<{ store: string; paths: string[] }> {
  const main = join(import.meta.dirname, "main.mjs");
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, documents, query], { env });
  return { store: stderr, paths: stdout.trimEnd().split("\n") };
}

test.each([
  ["how do I run my tests again when a file changes", "watch-mode.mdx:7"],
  ["which lines did my tests never reach", "coverage.mdx:7"],
  ["test.skip", "skip-tests.mdx:7"],
])("%s: memory and sqlite give the same answer", async (query, first) => {
  const [memory, sqlite] = await Promise.all([
    ask(query, { DOCS_STORE_BACKEND: "memory" }),
    ask(query, { DOCS_STORE_BACKEND: "sqlite", DOCS_STORE_URL: index }),
  ]);
  expect(memory).toMatchObject({ store: "store: memory\n" });
  expect(sqlite).toMatchObject({ store: "store: sqlite\n" });
  expect(existsSync(index)).toBe(true);
  expect(memory.paths).toHaveLength(5);
  expect(memory.paths[0]).toBe(first);
  expect(sqlite.paths).toEqual(memory.paths);
});
