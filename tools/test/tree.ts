import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * Writes files into a temporary folder, which goes when the test ends.
 *
 * @param files content by path; an object is written as JSON
 * @returns the folder
 */
export function makeTree(files: Readonly<Record<string, string | object>>): string {
  const root = mkdtempSync(join(tmpdir(), "docsearch-tree-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  return root;
}
