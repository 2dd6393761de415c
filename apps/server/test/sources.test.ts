import { renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { projectSources, revoke, trust } from "@docsearch/service/config";
import { expect, test } from "vitest";
import { indexFolder, KELP, RawServer, temporaryFolders, writeFiles } from "./support.js";

const folder = temporaryFolders();

interface Source {
  readonly name: string;
  readonly isStale?: boolean;
  readonly indexedAt?: string;
}

async function sourcesOf(server: RawServer): Promise<readonly Source[]> {
  return ((await server.call("list_sources", {})).data as { readonly sources: readonly Source[] }).sources;
}

test("a source says when it was indexed and whether its files have come, changed or gone since", async () => {
  const cwd = folder({ ...KELP, "src/a.ts": "export const a = 1;\n" });
  await indexFolder(cwd, "docs");
  await indexFolder(cwd, "src");
  const server = new RawServer(cwd);
  await server.initialize();
  const stale = async (): Promise<object> =>
    Object.fromEntries((await sourcesOf(server)).map(({ name, isStale }) => [name, isStale]));
  const [docs] = await sourcesOf(server);
  expect(docs).toMatchObject({ documents: 2, chunks: 3, trust: "project" });
  expect(Math.abs(Date.parse(docs?.indexedAt ?? "") - Date.now())).toBeLessThan(60_000);
  expect(await stale()).toEqual({ docs: false, src: false });

  const later = new Date(Date.now() + 5000);
  writeFiles(cwd, { "docs/new.md": "# New\n" });
  utimesSync(join(cwd, "docs/new.md"), later, later);
  expect(await stale()).toEqual({ docs: true, src: false });
  expect((await server.call("list_sources", {})).text).toMatch(/\ndocs: .*, files changed since\n/);
  utimesSync(join(cwd, "docs/new.md"), new Date(0), new Date(0));
  await server.call("index_path", { path: "docs" });
  expect(await stale()).toEqual({ docs: false, src: false });

  // What has gone leaves nothing that is newer.
  rmSync(join(cwd, "docs/new.md"));
  expect(await stale()).toEqual({ docs: true, src: false });
  renameSync(join(cwd, "docs"), join(cwd, "away"));
  // Of a folder that is not there nothing is said.
  expect(await stale()).toEqual({ docs: undefined, src: false });
  await server.close();
});

test("files that failed or were left out are told with the job", async () => {
  const cwd = folder({ "docs/a.md": "# A\n", "docs/b.bin": "\u0000\u0001\u0002", "docs/.env": "KEY=secret\n" });
  const server = new RawServer(cwd);
  await server.initialize();
  const { text, data } = await server.call("index_path", { path: "docs" });
  expect(text).toMatch(/ done: 1 documents, .*\n~~~~ remarks\nleft out by rules: .*binary 1.*\n~~~~$/);
  expect(data).toMatchObject({ counts: { remarks: [expect.stringContaining("secret 1")] } });
  await server.close();
});

test("a file or folder that belongs to a source is brought up to date in it, and is no source of its own", async () => {
  const cwd = folder({ ...KELP, "docs/deep/a.md": "# A\n", "node_modules/sea/README.md": "# Sea\n" });
  await indexFolder(cwd, ".");
  const server = new RawServer(cwd);
  await server.initialize();
  const names = async (): Promise<string[]> => (await sourcesOf(server)).map(({ name }) => name);
  writeFiles(cwd, { "docs/kelp.md": "# Kelp\n\nChanged.\n", "docs/deep/new.md": "# New\n" });
  const changed = await server.call("index_path", { path: "docs/kelp.md" });
  expect(changed.text).toContain("docs/kelp.md is part of the source .; this part was brought up to date");
  expect(changed.data).toMatchObject({ counts: { scanned: 1, replaced: 1, deleted: 0 } });
  expect(await names()).toEqual(["."]);
  await server.call("index_path", { path: "docs/deep/new.md" });
  expect(await names()).toEqual(["."]);
  // The rules of the source leave this out, so it can only be one of its own.
  await server.call("index_path", { path: "node_modules/sea" });
  expect(await names()).toEqual([".", "node_modules/sea"]);
  expect((await sourcesOf(server)).map(({ isStale }) => isStale)).toEqual([false, false]);
  await server.close();
});

test("a source that lies beyond the roots is left alone", async () => {
  const cwd = folder({ ...KELP, "secret/a.md": "# Secret\n" });
  await indexFolder(cwd, ".");
  writeFiles(cwd, { "docs/kelp.md": "# Kelp\n\nChanged.\n", "secret/a.md": "# Secret\n\nChanged.\n" });
  const server = new RawServer(cwd, [], { DOCS_SERVER_ROOTS: "docs" });
  await server.initialize();
  const { data } = await server.call("index_path", { path: "docs/kelp.md" });
  expect(data).toMatchObject({ counts: { scanned: 1, replaced: 1 } });
  await server.close();
});

test("an empty file counts as new like any other", async () => {
  const cwd = folder({ "docs/a.md": "# A\n", "docs/empty.md": "" });
  const server = new RawServer(cwd);
  await server.initialize();
  expect((await server.call("index_path", { path: "docs" })).data).toMatchObject({
    counts: { scanned: 2, replaced: 2, unchanged: 0 },
  });
  await server.close();
});

test("a path in a named source is indexed into its collection by its patterns; one outside needs the user's trust", async () => {
  const outside = folder({ "spec.md": "# Spec\n" });
  const cwd = folder({
    ...KELP,
    "docs/a.txt": "kelp\n",
    "docsearch.config.yaml": `sources:\n  handbook: { path: docs, include: ["*.md"] }\n  spec: { path: ${outside} }\n`,
  });
  const config = folder();
  const server = new RawServer(cwd, [], { XDG_CONFIG_HOME: config });
  await server.initialize();
  await server.call("index_path", { path: "docs" });
  expect((await sourcesOf(server)).map(({ name }) => name)).toEqual(["handbook"]);
  writeFiles(cwd, { "docs/kelp.md": "# Kelp\n\nChanged.\n" });
  expect((await server.call("index_path", { path: "docs/kelp.md" })).data).toMatchObject({
    counts: { scanned: 1, replaced: 1, deleted: 0 },
  });
  expect(await sourcesOf(server)).toMatchObject([{ name: "handbook", documents: 2, isStale: false }]);
  const refused = await server.call("index_path", { path: "spec" });
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain(
    "which leads out of the project; expected a path in the project, or the user's word that this one may be read: docsearch trust",
  );
  const sources = projectSources(cwd, { XDG_CONFIG_HOME: config });
  trust({ XDG_CONFIG_HOME: config }, sources?.identity ?? "", [outside]);
  expect((await server.call("index_path", { path: "spec" })).data).toMatchObject({
    counts: { scanned: 1, replaced: 1 },
  });
  expect((await sourcesOf(server)).map(({ name }) => name)).toEqual(["handbook", "spec"]);
  revoke({ XDG_CONFIG_HOME: config }, cwd);
  expect((await server.call("index_path", { path: join(outside, "spec.md") })).isError).toBe(true);
  await server.close();
});
