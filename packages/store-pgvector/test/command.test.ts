import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { json, text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

const PACKAGE = dirname(import.meta.dirname);
const COMMAND = join(PACKAGE, "..", "..", "apps", "cli", "bin", "docsearch.js");

interface Outcome {
  readonly status: number | null;
  readonly out: string;
}

/** A folder with two pages. The command finds this package where Node looks for those that are installed globally. */
function project(): { readonly folder: string; readonly docsearch: (...args: readonly string[]) => Promise<Outcome> } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "docsearch-command-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const packages = join(folder, "packages");
  mkdirSync(join(packages, "@docsearch"), { recursive: true });
  symlinkSync(PACKAGE, join(packages, "@docsearch", "store-pgvector"));
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs", "backup.md"), "# Backups\n\nRestore a backup with `tool restore`.\n");
  writeFileSync(join(folder, "docs", "hats.md"), "# Hats\n\nWear one in the sun.\n");
  const env = { PATH: process.env.PATH, HOME: folder, DOCS_STORE_BACKEND: "pgvector", NODE_PATH: packages };
  return {
    folder,
    docsearch: async (...args) => {
      const child = spawn(process.execPath, [COMMAND, ...args], { cwd: folder, env });
      const [stdout, stderr, [status]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close") as Promise<[number | null]>,
      ]);
      return { status, out: stdout + stderr };
    },
  };
}

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

test("the command embeds a folder of PGlite with a second model, compares both, switches, rebuilds and drops", async () => {
  const [{ folder, docsearch }, url] = [project(), await modelServer()];
  /** What the command says; it must end well. */
  const run = async (...args: readonly string[]): Promise<string> => {
    const { status, out } = await docsearch(...args);
    expect([args[0], status, status === 0 ? "" : out]).toEqual([args[0], 0, ""]);
    return out;
  };
  const names = async (): Promise<string[]> =>
    (await run("embed", "list")).split("\n").flatMap((line) => /^(?:answers|beside) +[^,]*, [^,]*/.exec(line) ?? []);
  await run("index", "docs");
  expect(await run("embed", "--model", "words", "--embedder-url", url)).toContain("words has 2 of 2 chunks");
  const query = { query: "where do hats help", relevant: [{ path: "docs/hats.md" }] };
  writeFileSync(join(folder, "queries.jsonl"), JSON.stringify(query));
  const compared = await run("eval", "queries.jsonl");
  for (const arm of ["hybrid", "semantic words", "hybrid words"]) expect(compared).toContain(`| ${arm} | 1.000 |`);

  await run("embed", "use", "words");
  writeFileSync(join(folder, "docs", "gloves.md"), "# Gloves\n\nWear two in winter.\n");
  // The index is emptied, not made beside: the other model stays, and is lacking.
  expect(await run("index", "--rebuild", "docs")).toContain("3 new or changed");
  expect(await names()).toEqual(["answers  words, 3 of 3 chunks", "beside   static, 0 of 3 chunks"]);
  expect(await docsearch("index", "rollback")).toEqual({
    status: 2,
    out: 'docsearch: the store "pgvector" keeps no previous index\n',
  });
  expect(await run("embed", "--model", "static")).toContain("3 chunks embedded");
  await run("embed", "use", "static");
  expect(await run("embed", "drop", "words")).toContain("3 vectors of words dropped");
  expect(await names()).toEqual(["answers  static, 3 of 3 chunks"]);
  expect(await run("doctor")).toContain("what is stored is whole");
}, 400_000);
