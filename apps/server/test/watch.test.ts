import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { readOptions } from "../src/options.js";
import { KELP, RawServer, temporaryFolders, writeFiles } from "./support.js";

const folder = temporaryFolders();

interface Watch {
  readonly state: string;
  readonly paths: readonly string[];
  readonly holder?: string;
  readonly error?: string;
  readonly lastRun?: { readonly counts: { readonly replaced: number } };
}

/** How it stands with the watching, as the server tells it. */
async function watchOf(server: RawServer): Promise<Watch | undefined> {
  return ((await server.call("index_status", {})).data as { readonly watch?: Watch }).watch;
}

async function until(server: RawServer, holds: (watch: Watch) => boolean): Promise<Watch> {
  for (;;) {
    const watch = await watchOf(server);
    if (watch !== undefined && holds(watch)) return watch;
    await sleep(50);
  }
}

/** Asks until the answer holds a text; ends with the test's own time. */
async function found(server: RawServer, query: string, text: string): Promise<void> {
  while (!(await server.call("search", { query })).text.includes(text)) await sleep(50);
}

async function started(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<RawServer> {
  const server = new RawServer(cwd, args, env);
  await server.initialize();
  return server;
}

test("a server that watches makes the index, and files that come, change and go are in its answers", async () => {
  const cwd = folder(KELP);
  const server = await started(cwd, ["--watch", "docs"]);
  const first = await until(server, ({ state }) => state === "watching");
  expect(first).toMatchObject({ paths: ["docs"], lastRun: { counts: { replaced: 2 } } });
  expect(readFileSync(join(cwd, ".docsearch", ".gitignore"), "utf8")).toContain("*");
  await found(server, "kelp", "docs/kelp.md");
  const { text } = await server.call("list_sources", {});
  expect(text).toMatch(
    /\n~~~~\nWatching docs: changes are indexed within seconds; last brought up to date 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\.\nNext/,
  );

  writeFiles(cwd, { "docs/anemone.md": "# Anemone\n\nAn anemone stings.\n" });
  await found(server, '"anemone stings"', "docs/anemone.md");
  rmSync(join(cwd, "docs", "anemone.md"));
  await found(server, '"anemone stings"', "Nothing found");
  expect(server.messages.some(({ method }) => method === "notifications/resources/list_changed")).toBe(true);
  expect(await server.close()).toBe(0);
  expect(existsSync(join(cwd, ".docsearch", "index.db.run"))).toBe(false);
  expect(existsSync(join(cwd, ".docsearch", "index.db.watch.run"))).toBe(false);
});

test("of two servers on one index one watches; when it ends the other takes over", async () => {
  const cwd = folder(KELP);
  const first = await started(cwd, ["--watch", "docs"]);
  await until(first, ({ state }) => state === "watching");
  const second = await started(cwd, ["--read-only"], { DOCS_SERVER_WATCH: "docs" });
  const watching = `Watching docs: process ${first.child.pid} since `;
  while (!(await second.call("list_sources", {})).text.includes(watching)) await sleep(50);

  first.child.kill("SIGKILL");
  await first.exited;
  writeFiles(cwd, { "docs/anemone.md": "# Anemone\n\nAn anemone stings.\n" });
  await found(second, '"anemone stings"', "docs/anemone.md");
  expect(await second.close()).toBe(0);
});

test("what fails is said with the answers, which go on; the next run that ends well takes it back", async () => {
  const cwd = folder(KELP);
  const server = await started(cwd, ["--watch", "docs"]);
  await until(server, ({ state }) => state === "watching");
  renameSync(join(cwd, "docs"), join(cwd, "away"));
  const { error, lastRun } = await until(server, ({ state }) => state === "failed");
  expect(error).toContain("docs");
  expect(error).not.toContain(cwd);
  expect(lastRun).toMatchObject({ counts: { replaced: 2 } });
  const { text } = await server.call("list_sources", {});
  expect(text).toContain("\nWatching docs fails and is tried again: ");
  expect((await server.call("search", { query: "kelp" })).text).toContain("docs/kelp.md");
  renameSync(join(cwd, "away"), join(cwd, "docs"));
  const mended = await until(server, ({ state }) => state === "watching");
  expect(mended.error).toBeUndefined();
  expect((await server.call("list_sources", {})).data).toMatchObject({ documents: 2 });
  expect(server.stderr.split("docsearch-mcp: watching: ")).toHaveLength(2);
  expect(await server.close()).toBe(0);
});

test("a server that watches ends with its input, also before the watching has begun", async () => {
  const cwd = folder(KELP);
  expect(await (await started(cwd, ["--watch", "."])).close()).toBe(0);
  const server = await started(cwd, ["--watch", "."]);
  await until(server, ({ state }) => state === "indexing" || state === "watching");
  expect(await server.close()).toBe(0);
});

test("what is watched is there and lies below the roots", () => {
  const cwd = folder(KELP);
  expect(readOptions(["--watch", "docs", "--watch", "docs/kelp.md"], {}, cwd).watch).toEqual([
    join(cwd, "docs"),
    join(cwd, "docs", "kelp.md"),
  ]);
  expect(readOptions([], { DOCS_SERVER_WATCH: " docs , ./docs " }, cwd).watch).toEqual([join(cwd, "docs")]);
  expect(readOptions([], {}, cwd).watch).toEqual([]);
  for (const path of ["none", "../", "/etc"]) {
    expect(() => readOptions(["--watch", path], {}, cwd)).toThrow("--watch or DOCS_SERVER_WATCH is");
  }
});

test("debounce, polling and patterns come from flags, else from the environment", () => {
  const cwd = folder(KELP);
  expect(readOptions([], {}, cwd)).toMatchObject({ debounceMs: 2000, poll: false });
  expect(readOptions([], {}, cwd)).not.toHaveProperty("include");
  const env = {
    DOCS_SERVER_WATCH_DEBOUNCE: "0.5",
    DOCS_SERVER_WATCH_POLL: "yes",
    DOCS_SERVER_INCLUDE: "*.{md,mdx}, /src/",
    DOCS_SERVER_EXCLUDE: "drafts/",
  };
  expect(readOptions([], env, cwd)).toMatchObject({
    debounceMs: 500,
    poll: true,
    include: ["*.{md,mdx}", "/src/"],
    exclude: ["drafts/"],
  });
  const flags = ["--debounce", "10", "--include", "*.ts", "--exclude", "a", "--exclude", "b"];
  expect(readOptions(flags, env, cwd)).toMatchObject({ debounceMs: 10_000, include: ["*.ts"], exclude: ["a", "b"] });
  expect(() => readOptions(["--debounce", "soon"], {}, cwd)).toThrow(
    '--debounce is "soon"; expected seconds from 0 to 3600',
  );
});
