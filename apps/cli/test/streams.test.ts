import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { docsearch, json, longPages, start, temporaryFolders, writeFiles } from "./support.js";

const newFolder = temporaryFolders();
const EMBEDDER = join(import.meta.dirname, "fixtures", "slow-embedder.mjs");

describe("a reader that has seen enough", () => {
  test("of stdout: the command ends as if it had been read", async () => {
    const folder = newFolder(longPages());
    await docsearch(folder, ["index", "--embedder", "none", "--chunk-size", "100"]);
    const env = { DOCS_EMBEDDER_BACKEND: "none", DOCS_CHUNK_SIZE: "100" };
    const child = start(folder, ["search", "kelp", "--limit", "2000", "--json"], { env });
    const stderr = text(child.stderr);
    const ended = once(child, "close");
    const [first] = (await once(child.stdout, "data")) as [Buffer];
    child.stdout.destroy();
    expect(first.toString().slice(0, 19)).toBe('{"formatVersion":1,');
    expect(await ended).toEqual([0, null]);
    expect(await stderr).toBe("");
  });

  test("of stderr: the run goes on", async () => {
    const folder = newFolder({ "a.md": "kelp", "yarn.lock": "" });
    const child = start(folder, ["index", "--json"], { env: { DOCS_NONE: "1" } });
    child.stderr.destroy();
    const stdout = text(child.stdout);
    expect(await once(child, "close")).toEqual([0, null]);
    expect(JSON.parse(await stdout)).toMatchObject({ scanned: 1, replaced: 1 });
  });
});

describe("a run that takes its time", () => {
  const slow = (folder: string, milliseconds: number): Record<string, string> => ({
    DOCS_EMBEDDER_BACKEND: EMBEDDER,
    DOCS_CHUNK_SIZE: "100",
    SLOW_EMBEDDER_MARK: join(folder, "mark"),
    SLOW_EMBEDDER_MS: String(milliseconds),
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s stops it: what was written stays, exit code %d", async (signal, code) => {
    const [folder, docs] = [newFolder(), newFolder(longPages())];
    const env = slow(folder, 600_000);
    const child = start(folder, ["index", docs, "--json"], { env });
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    const ended = once(child, "close");
    while (!existsSync(join(folder, "mark"))) await sleep(20);
    child.kill(signal);
    expect(await ended).toEqual([code, null]);
    const [stdout, stderr] = await output;
    expect(stdout).toBe("");
    expect(stderr.replace(/^indexing: .*\n/gm, "")).toBe(
      "docsearch: stopped; 7 documents of this run are in the index, run it again to go on\n",
    );
    expect(await json(folder, ["doctor"], { env })).toMatchObject({ sound: true });
    expect((await json(folder, ["status"], { env })).stats.documents).toBe(7);
    const rest = await json(folder, ["index", docs], { env: slow(folder, 0) });
    expect(rest).toMatchObject({ scanned: 10, unchanged: 7, replaced: 3 });
  });

  test("where stderr is no terminal it says how far it is in plain lines, every five seconds", async () => {
    const [folder, docs] = [newFolder(), newFolder(longPages())];
    const options = { env: slow(folder, 2500), withProgress: true };
    const { code, stdout, stderr } = await docsearch(folder, ["index", docs], options);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^10 documents: 10 new or changed/);
    expect(stderr).toMatch(
      /^(?:indexing: (?:1 file|(?:0|[2-9]|10) files|\d+ of 10 files), [\d,]+ chunks(?:, (?:1 file|(?!1 )\d+ files)\/s)?(?:, about \d+ s left)?\n)+$/,
    );
  });
});

describe("what the corpus must not do to a terminal", () => {
  const hostile = "# Kelp \u001b[31mred\u001b[0m\n\nkelp \u001b]0;title\u0007 \u202eright \u009b2J end\u2066\r\nover\n";

  test("control characters are spelt out for people, in search and chunk", async () => {
    const folder = newFolder({ "a\u001b[2J.md": hostile });
    await docsearch(folder, ["index"]);
    const [search, chunk] = await Promise.all([
      docsearch(folder, ["search", "kelp", "--explain"]),
      docsearch(folder, ["chunk", "a\u001b[2J.md"]),
    ]);
    expect(search.stdout).toContain("a\\x1b[2J.md:1-4");
    for (const { stdout } of [search, chunk]) {
      expect(stdout).toContain("kelp \\x1b]0;title\\x07 \\u202eright \\x9b2J end\\u2066\n");
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }
  });

  test("JSON escapes them, and gives them back when it is parsed", async () => {
    const folder = newFolder({ "a.md": hostile });
    await docsearch(folder, ["index"]);
    const { stdout } = await docsearch(folder, ["search", "kelp", "--json"]);
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    expect(JSON.parse(stdout).results[0].text).toBe(hostile.trimEnd());
  });

  test("names in warnings are escaped too", async () => {
    const folder = newFolder();
    const { stderr } = await docsearch(folder, ["index", "no\u001b[31m\nsuch"]);
    expect(stderr).toContain("no\\x1b[31m such cannot be indexed");
  });
});

describe("colours", () => {
  const escapes = (output: string): boolean => output.includes("\u001b[");

  test("none in a pipe; FORCE_COLOR wants them, and wins over NO_COLOR", async () => {
    const folder = newFolder({ "a.md": "kelp" });
    await docsearch(folder, ["index"]);
    const search = async (env: Record<string, string>): Promise<boolean> =>
      escapes((await docsearch(folder, ["search", "kelp"], { env })).stdout);
    expect(await search({})).toBe(false);
    expect(await search({ FORCE_COLOR: "1" })).toBe(true);
    expect(await search({ FORCE_COLOR: "0" })).toBe(false);
    expect(await search({ FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(true);
    const { stdout } = await docsearch(folder, ["search", "kelp", "--json"], { env: { FORCE_COLOR: "1" } });
    expect(escapes(stdout)).toBe(false);
  });
});

test("stdout holds results and nothing else, whatever else is said", async () => {
  const folder = newFolder({ "a.md": "kelp", "yarn.lock": "" });
  const env = { DOCS_CHUNK_SIZ: "1" };
  const index = await docsearch(folder, ["index"], { env });
  expect(index.stdout).toMatch(/^1 document: .*\n$/);
  writeFiles(folder, { "b.md": "lichen" });
  for (const args of [["index"], ["search", "kelp"], ["status"], ["doctor"], ["chunk", "a.md"]]) {
    const { stdout, stderr, code } = await docsearch(folder, [...args, "--json"], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ formatVersion: 1 });
    expect(stderr.includes("DOCS_CHUNK_SIZ is not a setting; did you mean DOCS_CHUNK_SIZE?")).toBe(
      args[0] !== "doctor",
    );
  }
});
