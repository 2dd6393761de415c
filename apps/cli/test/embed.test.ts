import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { modelServer } from "./model-server.js";
import { docsearch, json, start, temporaryFolders } from "./support.js";

const newFolder = temporaryFolders();

const PAGES = {
  "docs/tide.md":
    "# Tides\n\nThe tide falls twice a day. See the [table](https://example.com/table).\n\n```sh\ntide --now\n```\n",
  "docs/anchor.md": "# Anchors\n\nAn anchor holds in sand and mud, with a rope of three times the depth.\n",
  "docs/harbour.md": "# Harbours\n\nBoats keep to the right in the harbour.\n",
};

/** Many small pages, so that a run takes several requests. */
function manyPages(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `docs/p${i}.md`,
      `# Page ${i}\n\nThe ${["tide", "anchor", "rope"][i % 3]} of page ${i}.\n`,
    ]),
  );
}

async function indexed(pages: Readonly<Record<string, string>> = PAGES): Promise<string> {
  const folder = newFolder(pages);
  await docsearch(folder, ["index", "docs"]);
  return folder;
}

interface Space {
  readonly name: string;
  readonly isActive: boolean;
  readonly vectors: number;
  readonly lacking: number;
}

async function spacesOf(folder: string): Promise<string[]> {
  const { spaces } = await json(folder, ["embed", "list"]);
  return spaces.map(
    ({ name, isActive, vectors, lacking }: Space) =>
      `${name}${isActive ? " answers" : ""}: ${vectors}, ${lacking} lacking`,
  );
}

describe("docsearch embed", () => {
  it("embeds beside the model that answers, compares, switches, returns and drops", async () => {
    const [folder, server] = [await indexed(), await modelServer()];
    const add = ["embed", "--model", "words", "--embedder-url", server.url];
    const first = await docsearch(folder, add);
    expect(first.stdout).toMatch(/^3 chunks embedded in [\d.]+ s; words has 3 of 3 chunks\n/);
    expect(first.stdout).toContain(
      "the index still answers with static\ncompare: docsearch eval <queries>; switch: docsearch embed use words\n",
    );
    expect(first.code).toBe(0);
    // What an index would embed: no target of the link.
    expect(server.texts.find((text) => text.includes("falls"))).not.toContain("example.com");
    expect(await spacesOf(folder)).toEqual(["words: 3, 0 lacking", "static answers: 3, 0 lacking"]);
    expect((await json(folder, ["status"])).schema.embedding.id).toMatch(/^static\//);

    writeFileSync(
      join(folder, "queries.jsonl"),
      `${JSON.stringify({ query: "rope for an anchor", relevant: [{ path: "docs/anchor.md" }] })}\n`,
    );
    const run = await json(folder, ["eval", "queries.jsonl"]);
    expect(run.arms.map(({ name }: { readonly name: string }) => name)).toEqual([
      "keyword",
      "semantic",
      "hybrid",
      "rrf",
      "semantic words",
      "hybrid words",
    ]);

    const used = await docsearch(folder, ["embed", "use", "words"]);
    expect(used.stdout).toBe("the index answers with words now; back: docsearch embed use static\n");
    expect(await spacesOf(folder)).toEqual(["words answers: 3, 0 lacking", "static: 3, 0 lacking"]);
    // No setting names the model any more: the index does.
    server.texts.length = 0;
    const found = await json(folder, ["search", "anchor rope", "--mode", "semantic", "-n", "1"]);
    expect(found.results[0].path).toBe("docs/anchor.md");
    expect(server.texts).toContain("anchor rope");
    expect((await json(folder, ["status"])).schema.embedding.id).toMatch(/^openai\//);

    const refused = await docsearch(folder, ["embed", "drop", "words"]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      "docsearch: the index answers with words; make another model the one that answers first: docsearch embed use static\n",
    ]);
    expect((await docsearch(folder, ["embed", "drop", "static"])).stdout).toBe("3 vectors of static dropped\n");
    expect(await spacesOf(folder)).toEqual(["words answers: 3, 0 lacking"]);
    expect((await docsearch(folder, ["doctor"])).code).toBe(0);
  });

  it("an index run embeds with the index's own model; the other lacks what is new, and is completed", async () => {
    const [folder, server] = [await indexed(), await modelServer()];
    await docsearch(folder, ["embed", "--model", "words", "--embedder-url", server.url]);
    await docsearch(folder, ["embed", "use", "words"]);
    writeFileSync(join(folder, "docs/sail.md"), "# Sails\n\nA sail is set to the wind.\n");
    expect(await json(folder, ["index", "docs"])).toMatchObject({ replaced: 1, embedded: 1 });
    expect(await spacesOf(folder)).toEqual(["words answers: 4, 0 lacking", "static: 3, 1 lacking"]);
    const refused = await docsearch(folder, ["embed", "use", "static"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toBe(
      "docsearch: static has 3 of 4 chunks; 1 chunk would be found by words alone. Complete it: docsearch embed --model static, or switch all the same: --force\n",
    );
    const forced = await docsearch(folder, ["embed", "use", "static", "--force"]);
    expect(forced.stdout).toBe(
      "the index answers with static now, with 3 of 4 chunks; back: docsearch embed use words\n",
    );
    // Without a model it is the one that answers that is completed.
    expect((await docsearch(folder, ["embed"])).stdout).toMatch(
      /^1 chunk embedded in [\d.]+ s; static has 4 of 4 chunks\n$/,
    );
    expect(await spacesOf(folder)).toEqual(["words: 4, 0 lacking", "static answers: 4, 0 lacking"]);
  });

  it("made anew, an index keeps the model that it answers with, and no other", async () => {
    const [folder, server] = [await indexed(), await modelServer()];
    await docsearch(folder, ["embed", "--model", "words", "--embedder-url", server.url]);
    expect(await json(folder, ["embed", "use", "words"])).toEqual({
      formatVersion: 1,
      active: "words",
      previous: "static",
      chunks: 3,
      lacking: 0,
    });
    await docsearch(folder, ["index", "--rebuild", "docs"]);
    expect(await spacesOf(folder)).toEqual(["words answers: 3, 0 lacking"]);
    await docsearch(folder, ["index", "rollback"]);
    expect(await spacesOf(folder)).toEqual(["words answers: 3, 0 lacking", "static: 3, 0 lacking"]);
    expect(await json(folder, ["embed", "drop", "static"])).toEqual({
      formatVersion: 1,
      dropped: "static",
      vectors: 3,
    });
  });

  it("a setting of the environment goes before the index's own model, and is told of", async () => {
    const [folder, server] = [await indexed(), await modelServer()];
    await docsearch(folder, ["embed", "--model", "words", "--embedder-url", server.url]);
    const env = { DOCS_EMBEDDER_BACKEND: "static" };
    const used = await docsearch(folder, ["embed", "use", "words"], { env });
    expect(used.stderr).toContain(
      "docsearch: the environment names an embedder (DOCS_EMBEDDER_BACKEND, _MODEL or _URL), which goes before the index's own\n",
    );
    expect((await json(folder, ["status"], { env })).schema.embedding.id).toMatch(/^static\//);
    expect((await json(folder, ["status"])).schema.embedding.id).toMatch(/^openai\//);
  });

  it("takes from the cache what it has embedded before", async () => {
    const [folder, server] = [await indexed(), await modelServer()];
    const add = [
      "embed",
      "--model",
      "words",
      "--embedder-url",
      server.url,
      "--embedding-cache",
      join(folder, "cache.db"),
    ];
    await docsearch(folder, add);
    await docsearch(folder, ["embed", "drop", "words"]);
    server.texts.length = 0;
    expect((await docsearch(folder, add)).stdout).toContain("words has 3 of 3 chunks\n");
    // The length of its vectors is asked for, no text of the index.
    expect(server.texts.filter((text) => text.includes("\n"))).toEqual([]);
  });
});

describe("an index of words alone, where nothing names an embedder", () => {
  it("is searched, described and brought up to date with words alone", async () => {
    const folder = newFolder(PAGES);
    await docsearch(folder, ["index", "docs", "--embedder", "none"]);
    const found = await json(folder, ["search", "anchor", "-n", "1"]);
    expect(found.results[0].path).toBe("docs/anchor.md");
    expect((await docsearch(folder, ["symbols", "tide"])).stderr).toBe("docsearch: nothing defines tide\n");
    for (const args of [["outline", "docs/tide.md"], ["doctor"], ["skill"]]) {
      const { code, stderr } = await docsearch(folder, args);
      expect([args, code, stderr]).toEqual([args, 0, ""]);
    }
    writeFileSync(
      join(folder, "queries.jsonl"),
      `${JSON.stringify({ query: "rope for an anchor", relevant: [{ path: "docs/anchor.md" }] })}\n`,
    );
    const { arms } = await json(folder, ["eval", "queries.jsonl"]);
    expect(arms.map(({ name }: { readonly name: string }) => name)).toEqual(["keyword"]);
    writeFileSync(join(folder, "docs/sail.md"), "# Sails\n\nA sail is set to the wind.\n");
    expect(await json(folder, ["index", "docs"])).toMatchObject({ replaced: 1, embedded: 0 });
    expect((await json(folder, ["search", "sail", "-n", "1"])).results[0].path).toBe("docs/sail.md");
    expect((await json(folder, ["index", "docs", "--rebuild"])).embedded).toBe(0);
    expect(await json(folder, ["status"])).toMatchObject({ schema: { embedding: null }, stats: { vectors: 0 } });
    const nothing = await docsearch(folder, ["embed"]);
    expect([nothing.code, nothing.stderr]).toEqual([
      2,
      "docsearch: there is nothing to embed with; expected a model: --model <name>\n",
    ]);
  });

  it("goes on so beside a model that was embedded, until it is told to use it", async () => {
    const folder = newFolder(PAGES);
    await docsearch(folder, ["index", "docs", "--embedder", "none"]);
    const embedded = await docsearch(folder, ["embed", "--model", "static"]);
    expect(embedded.stdout).toContain("the index still answers with words alone\n");
    expect((await json(folder, ["status"])).schema.embedding).toBe(null);
    expect((await docsearch(folder, ["search", "anchor"])).code).toBe(0);
    writeFileSync(join(folder, "docs/sail.md"), "# Sails\n\nA sail is set to the wind.\n");
    expect(await json(folder, ["index", "docs"])).toMatchObject({ replaced: 1, embedded: 0 });
    expect(await spacesOf(folder)).toEqual(["static: 3, 1 lacking"]);
    await docsearch(folder, ["embed", "--model", "static"]);
    await docsearch(folder, ["embed", "use", "static"]);
    expect((await json(folder, ["status"])).schema.embedding.id).toMatch(/^static\//);
  });
});

describe("a model that was named on this machine", () => {
  it("is found by its name: what was embedded is completed without its server being named again", async () => {
    const [folder, server] = [await indexed(), await modelServer()];
    await docsearch(folder, ["embed", "--model", "org/words", "--embedder-url", server.url]);
    // By its full name, the short one that is shown, and its id.
    for (const [i, model] of ["org/words", "words", `openai/${new URL(server.url).host}/org/words/6`].entries()) {
      writeFileSync(join(folder, `docs/new${i}.md`), `# New ${i}\n\nThe rope of page ${i}.\n`);
      await docsearch(folder, ["index", "docs"]);
      const { stdout } = await docsearch(folder, ["embed", "--model", model]);
      expect(stdout).toMatch(/^1 chunk embedded in /);
      expect(stdout).toContain(`; words has ${i + 4} of ${i + 4} chunks\n`);
    }
  });

  it("is not guessed where the name means two", async () => {
    const [folder, one, other] = [await indexed(), await modelServer(), await modelServer()];
    await docsearch(folder, ["embed", "--model", "words", "--embedder-url", one.url]);
    await docsearch(folder, ["embed", "--model", "words", "--embedder-url", other.url]);
    const { code, stderr } = await docsearch(folder, ["embed", "--model", "words"]);
    const ids = [one, other].map(({ url }) => `openai/${new URL(url).host}/words/6`);
    expect([code, stderr]).toEqual([
      2,
      `docsearch: the backend of the model words cannot be told from its name; expected one of those that were named so on this machine: --model ${ids.join(" or ")}\n`,
    ]);
    expect((await docsearch(folder, ["embed", "--model", ids[1] ?? ""])).code).toBe(0);
  });
});

describe("what goes wrong with docsearch embed", () => {
  it("an index of words alone, and one whose model is not known here", async () => {
    const folder = newFolder(PAGES);
    await docsearch(folder, ["index", "docs", "--embedder", "none"]);
    expect((await docsearch(folder, ["embed", "list"])).stdout).toBe(
      "the index answers with words alone; a model for it: docsearch embed --model <model>\n",
    );
    const env = { DOCS_EMBEDDER_BACKEND: "static" };
    const words = await docsearch(folder, ["search", "anchor"], { env });
    expect([words.code, words.stderr.replace(/static\/\S+\./, "MODEL.")]).toEqual([
      2,
      `docsearch: the index at ${folder}/.docsearch/index.db answers with words alone, and has no vectors of MODEL. Search it with words alone (--embedder none), embed it with another one too (docsearch embed --model <model>), or make it anew: docsearch index --rebuild <paths>\n`,
    ]);
    expect((await docsearch(folder, ["search", "anchor", "--embedder", "none"], { env })).code).toBe(0);
    const server = await modelServer();
    await docsearch(folder, ["embed", "--model", "words", "--embedder-url", server.url]);
    expect((await docsearch(folder, ["embed", "use", "words"])).code).toBe(0);
    expect((await docsearch(folder, ["search", "anchor"])).code).toBe(0);
    rmSync(join(folder, ".config"), { recursive: true });
    const unknown = await docsearch(folder, ["search", "anchor"]);
    expect(unknown.stderr).toContain("/words/6, and has no vectors of static/");
    // Naming it once is enough, and embeds nothing.
    server.texts.length = 0;
    await docsearch(folder, ["embed", "--model", "words", "--embedder-url", server.url]);
    expect(server.texts.filter((text) => text.includes("\n"))).toEqual([]);
    expect((await docsearch(folder, ["search", "anchor"])).code).toBe(0);
  });

  it("there is no index", async () => {
    const [folder, server] = [newFolder(PAGES), await modelServer()];
    const { code, stderr } = await docsearch(folder, ["embed", "--model", "words", "--embedder-url", server.url]);
    expect(code).toBe(2);
    expect(stderr).toBe(`docsearch: There is no index at ${folder}/.docsearch/index.db. Make one: docsearch index\n`);
    expect(existsSync(join(folder, ".docsearch"))).toBe(false);
  });

  it("a model of which the backend cannot be told, and one that the index does not have", async () => {
    const folder = await indexed();
    const unknown = await docsearch(folder, ["embed", "--model", "words"]);
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      "docsearch: the backend of the model words cannot be told from its name; expected --backend transformers, openai or static beside it\n",
    ]);
    const absent = await docsearch(folder, ["embed", "use", "words"]);
    expect(absent.code).toBe(2);
    expect(absent.stderr).toMatch(
      /^docsearch: the index has no vectors of words; it has those of static \(static\/.*\); new ones: docsearch embed --model words\n$/,
    );
  });

  it("a wrong key is named and kept nowhere, and no space is left behind", async () => {
    const [folder, server] = [await indexed(), await modelServer("right-key-123456")];
    const add = ["embed", "--model", "words", "--embedder-url", server.url];
    const { code, stderr } = await docsearch(folder, add, { env: { DOCS_EMBEDDER_API_KEY: "wrong-key-123456" } });
    expect(code).toBe(2);
    expect(stderr).toContain("Set DOCS_EMBEDDER_API_KEY to a key that this server knows.");
    expect(stderr).not.toContain("wrong-key");
    expect(await spacesOf(folder)).toEqual(["static answers: 3, 0 lacking"]);
    // One whose length is known is asked with the first text of the index.
    const other = ["embed", "--model", "all-minilm", "--embedder-url", server.url];
    expect((await docsearch(folder, other)).code).toBe(2);
    expect(await spacesOf(folder)).toEqual(["static answers: 3, 0 lacking"]);
    expect(existsSync(join(folder, ".config"))).toBe(false);
    await docsearch(folder, add, { env: { DOCS_EMBEDDER_API_KEY: "right-key-123456" } });
    expect(readFileSync(join(folder, ".config/docsearch/embedders.json"), "utf8")).not.toContain("right-key");
  });

  it("vectors of another length are another model, which is told", async () => {
    const [folder, server] = [await indexed(), await modelServer()];
    const add = ["embed", "--model", "words", "--embedder-url", server.url];
    await docsearch(folder, add);
    server.behaviour.dimensions = 4;
    const { stderr } = await docsearch(folder, add);
    expect(stderr).toContain(
      "docsearch: with the same settings this model was another one before (6 dimensions, now 4); its vectors are kept apart\n",
    );
    const host = new URL(server.url).host;
    expect(await spacesOf(folder)).toEqual([
      `openai/${host}/words/4: 3, 0 lacking`,
      `openai/${host}/words/6: 3, 0 lacking`,
      "static answers: 3, 0 lacking",
    ]);
    const ambiguous = await docsearch(folder, ["embed", "use", "words"]);
    expect(ambiguous.stderr).toContain("words means more than one model of the index: ");
  });

  it("files that changed or are gone since are told of, and stay lacking", async () => {
    const [folder, server] = [await indexed(), await modelServer()];
    writeFileSync(join(folder, "docs/tide.md"), "# Tides\n\nAnother text.\n");
    rmSync(join(folder, "docs/anchor.md"));
    const { code, stdout, stderr } = await docsearch(folder, [
      "embed",
      "--model",
      "words",
      "--embedder-url",
      server.url,
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain("words has 1 of 3 chunks");
    expect(stderr).toContain(
      "docsearch: 2 chunks still lacking; their files changed or are gone: docsearch index <paths>\n",
    );
  });

  it("a server that is away: words answer with a warning, the index says its state, and a run fails with what to do", async () => {
    const [folder, server] = [await indexed(), await modelServer()];
    await docsearch(folder, ["embed", "--model", "words", "--embedder-url", server.url]);
    await docsearch(folder, ["embed", "use", "words"]);
    await server.close();
    const search = await docsearch(folder, ["search", "anchor", "--json"]);
    expect(search.code).toBe(0);
    const { results, warnings } = JSON.parse(search.stdout);
    expect(results[0].path).toBe("docs/anchor.md");
    expect(warnings[0]).toMatchObject({ code: "RETRIEVER_FAILED" });
    expect(warnings[0].message).toContain("nothing listens there. Start the server, or set DOCS_EMBEDDER_URL.");
    expect((await json(folder, ["status"])).schema.embedding.dimensions).toBe(6);
    const semantic = await docsearch(folder, ["search", "anchor", "--mode", "semantic"]);
    expect([semantic.code, semantic.stdout]).toEqual([2, ""]);
    expect((await docsearch(folder, ["embed", "use", "static"])).code).toBe(0);
    expect((await docsearch(folder, ["search", "anchor"])).stderr).toBe("");
  });
});

describe("killed", () => {
  it("while it embeds: nothing of what was written is lost, and the next call goes on", async () => {
    const [folder, server] = [await indexed(manyPages(900)), await modelServer()];
    server.behaviour.delayMs = 100;
    const add = ["embed", "--model", "words", "--embedder-url", server.url];
    const child = start(folder, add);
    const exited = once(child, "exit");
    while (server.texts.length < 500) await sleep(10);
    child.kill("SIGKILL");
    await exited;
    server.behaviour.delayMs = 0;
    const { spaces } = await json(folder, ["embed", "list"]);
    const kept = spaces.find(({ name }: Space) => name === "words");
    expect(kept.vectors).toBeGreaterThanOrEqual(256);
    expect(kept.vectors + kept.lacking).toBe(900);
    expect((await docsearch(folder, ["search", "anchor"])).code).toBe(0);
    server.texts.length = 0;
    expect((await docsearch(folder, add)).code).toBe(0);
    expect(server.texts.filter((text) => text.includes("\n")).length).toBe(kept.lacking);
    expect(await spacesOf(folder)).toEqual(["words: 900, 0 lacking", "static answers: 900, 0 lacking"]);
  });

  it("while it switches: one of the two answers, and the index is whole", async () => {
    const [folder, server] = [await indexed(), await modelServer()];
    await docsearch(folder, ["embed", "--model", "words", "--embedder-url", server.url]);
    for (let round = 0; round < 5; round++) {
      const child = start(folder, ["embed", "use", round % 2 === 0 ? "words" : "static"]);
      const exited = once(child, "exit");
      await sleep(60 + 50 * round);
      child.kill("SIGKILL");
      await exited;
      const spaces = await spacesOf(folder);
      expect(spaces.filter((space) => space.includes(" answers")).length).toBe(1);
    }
    expect((await docsearch(folder, ["doctor"])).code).toBe(0);
  });
});

describe("docsearch models", () => {
  it("says what is configured, what the index answers with, what was named here, and how fast it is", async () => {
    const [folder, server] = [await indexed(), await modelServer()];
    await docsearch(folder, ["embed", "--model", "words", "--embedder-url", server.url]);
    await docsearch(folder, ["embed", "use", "words"]);
    const models = await json(folder, ["models", "--measure"]);
    const host = new URL(server.url).host;
    expect(models).toMatchObject({
      configured: { name: "static", isNamed: false },
      index: `openai/${host}/words/6`,
      named: [{ id: `openai/${host}/words/6`, dimensions: 6 }],
    });
    expect(models.measured.map(({ name }: { readonly name: string }) => name)).toEqual(["static", "words"]);
    for (const { firstMs, queryMs, passagesPerSecond } of models.measured) {
      expect(Math.min(firstMs, queryMs, passagesPerSecond)).toBeGreaterThan(0);
    }
    await server.close();
    const { stdout } = await docsearch(folder, ["models", "--measure"]);
    expect(stdout).toContain("configured   static, as nothing names another\n");
    expect(stdout).toMatch(/\nwords +The embedding model "words": .* cannot be reached/);
    const named = await docsearch(folder, ["models"], { env: { DOCS_EMBEDDER_BACKEND: "openai" } });
    expect(named.stdout).toContain("configured   openai, by the environment\n");
  });
});
