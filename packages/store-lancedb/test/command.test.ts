import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { json, text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolders } from "./support.js";

const newFolder = temporaryFolders();
const PACKAGE = dirname(import.meta.dirname);
const COMMAND = join(PACKAGE, "..", "..", "apps", "cli", "bin", "docsearch.js");

/** Runs the command with this package where Node looks for packages that are installed globally, or without it. */
async function docsearch(
  cwd: string,
  packages: string,
  ...args: readonly string[]
): Promise<{ readonly status: number | null; readonly out: string }> {
  const env = { PATH: process.env.PATH, HOME: cwd, DOCS_STORE_BACKEND: "lancedb", NODE_PATH: packages };
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { status, out: stdout + stderr };
}

type Run = (...args: readonly string[]) => Promise<string>;

/** A folder with two pages, and the command there; it must end well. */
function project(): { readonly folder: string; readonly run: Run } {
  const folder = newFolder();
  const packages = join(folder, "packages");
  mkdirSync(join(packages, "@docsearch"), { recursive: true });
  symlinkSync(PACKAGE, join(packages, "@docsearch", "store-lancedb"));
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs", "backup.md"), "# Backups\n\nRestore a backup with `tool restore`.\n");
  writeFileSync(join(folder, "docs", "hats.md"), "# Hats\n\nWear one in the sun.\n");
  const run: Run = async (...args) => {
    const { status, out } = await docsearch(folder, packages, ...args);
    expect([args[0], status, status === 0 ? "" : out]).toEqual([args[0], 0, ""]);
    return out;
  };
  return { folder, run };
}

test("the command indexes, searches, checks, rebuilds and rolls back with DOCS_STORE_BACKEND=lancedb", async () => {
  const { folder, run } = project();
  expect(await run("index", "docs")).toContain("2 documents: 2 new or changed");
  expect(readdirSync(join(folder, ".docsearch"))).toContain("lancedb");
  expect(await run("search", "how do I restore a backup", "--limit", "1")).toContain("backup.md:1-3");
  expect(await run("search", "Hats", "--mode", "keyword", "--limit", "1")).toContain("hats.md:1-3");
  expect(await run("doctor")).toContain("what is stored is whole");
  expect(await run("status")).toMatch(/store +lancedb/);
  writeFileSync(join(folder, "docs", "hats.md"), "# Gloves\n\nWear two in winter.\n");
  expect(await run("index", "docs", "--rebuild")).toContain("2 documents: 2 new or changed");
  expect(await run("search", "Gloves", "--mode", "keyword", "--limit", "1")).toContain("hats.md:1-3");
  await run("index", "rollback");
  expect(await run("search", "Hats", "--mode", "keyword", "--limit", "1")).toContain("hats.md:1-3");
}, 60_000);

/** A server with OpenAI's protocol for embeddings, whose vectors count two words. */
async function modelServer(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { input } = (await json(request)) as { readonly input: readonly string[] };
    const count = (one: string, word: string): number => 0.1 + one.toLowerCase().split(word).length;
    const data = input.map((one, index) => ({ index, embedding: [count(one, "hat"), count(one, "backup")] }));
    response.end(JSON.stringify({ data }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test("the command embeds with a second model, compares both, switches and drops", async () => {
  const [{ folder, run }, url] = [project(), await modelServer()];
  await run("index", "docs");
  expect(await run("embed", "--model", "words", "--embedder-url", url)).toContain("words has 2 of 2 chunks");
  const names = async (): Promise<string[]> =>
    (await run("embed", "list")).split("\n").flatMap((line) => /^(?:answers|beside) +[^,]*, [^,]*/.exec(line) ?? []);
  expect(await names()).toEqual(["beside   words, 2 of 2 chunks", "answers  static, 2 of 2 chunks"]);
  const query = { query: "where do hats help", relevant: [{ path: "docs/hats.md" }] };
  writeFileSync(join(folder, "queries.jsonl"), JSON.stringify(query));
  const compared = await run("eval", "queries.jsonl");
  for (const arm of ["hybrid", "semantic words", "hybrid words"]) expect(compared).toContain(`| ${arm} | 1.000 |`);
  await run("embed", "use", "words");
  writeFileSync(join(folder, "docs", "gloves.md"), "# Gloves\n\nWear two in winter.\n");
  expect(await run("index", "docs")).toContain("1 new or changed");
  expect(await names()).toEqual(["answers  words, 3 of 3 chunks", "beside   static, 2 of 3 chunks"]);
  expect(await run("search", "hat", "--mode", "semantic", "--limit", "1")).toContain("hats.md:1-3");
  expect(await run("embed", "--model", "static")).toContain("1 chunk embedded");
  await run("embed", "use", "static");
  expect(await run("embed", "drop", "words")).toContain("3 vectors of words dropped");
  expect(await names()).toEqual(["answers  static, 3 of 3 chunks"]);
  expect(await run("doctor")).toContain("what is stored is whole");
}, 60_000);

test("without the package the command names the one to install", async () => {
  const folder = newFolder();
  mkdirSync(folder);
  const { status, out } = await docsearch(folder, "", "search", "x");
  expect(status).toBe(2);
  expect(out).toContain("@docsearch/store-lancedb is not installed");
  expect(out).toContain("run: npm install @docsearch/store-lancedb");
});
