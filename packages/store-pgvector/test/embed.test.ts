import { createDocsearch, type Docsearch, openStored } from "@docsearch/core";
import type { Document, EmbedderFactory } from "@docsearch/spec";
import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { letters } from "../../../tools/store-tests/two-models.js";
import { pgvectorStore } from "../src/index.js";
import { newSchema, startPglite } from "./support.js";

let pglite: PGlite;
beforeAll(async () => {
  pglite = await startPglite();
}, 60_000);
afterAll(() => pglite.close());

function documents(count: number, suffix = ""): Document[] {
  return Array.from({ length: count }, (_, i) => {
    const text = `# Page ${i}\n\nThe ${"abc".slice(0, 1 + (i % 3))} of page ${i}${suffix}.`;
    const id = `p${i}.md`;
    return { id, path: id, collection: "docs", text, contentHash: text, mediaType: "text/markdown", metadata: {} };
  });
}

describe("embedding with another model", () => {
  function docsearchIn(
    schema: string,
    embedder?: EmbedderFactory,
    space: "existing" | "new" = "existing",
  ): Promise<Docsearch> {
    return createDocsearch({ store: pgvectorStore({ pglite, schema }), ...(embedder && { embedder }), space });
  }

  it("goes on where it was stopped while the first answers and is brought up to date", async () => {
    const schema = newSchema();
    const first = await docsearchIn(schema, letters("first@1", 4));
    await first.index({ documents: documents(280) });
    const controller = new AbortController();
    let embedded = 0;
    const stop = letters("second@1", 3, () => {
      if (++embedded === 260) controller.abort();
    });
    const stopped = await docsearchIn(schema, stop, "new");
    await expect(stopped.embed({ documents: documents(280), signal: controller.signal })).rejects.toThrow("aborted");
    await stopped.close();
    const { results } = await first.search({ query: "page 7", limit: 1 });
    expect(results[0]?.document.id).toBe("p7.md");
    // One document changes and one goes while the second model is half done.
    const now = [...documents(1, " changed"), ...documents(279).slice(1)];
    await first.index({ documents: now, prune: { collections: ["docs"] } });
    const second = await docsearchIn(schema, letters("second@1", 3));
    expect(await second.embed({ documents: now })).toMatchObject({ lacking: 0, changed: 0, failures: [] });
    expect((await second.listSpaces()).map(({ vectors, lacking }) => [vectors, lacking])).toEqual([
      [279, 0],
      [279, 0],
    ]);
    expect(await first.index({ documents: now })).toMatchObject({ unchanged: 279, embedded: 0 });
    expect((await first.check()).faults).toEqual([]);
    await Promise.all([first.close(), second.close()]);
  }, 240_000);

  it("a keyword index gets a model without being made anew, and answers with it", async () => {
    const schema = newSchema();
    const words = await docsearchIn(schema);
    await words.index({ documents: documents(3) });
    const model = await docsearchIn(schema, letters("second@1", 3), "new");
    expect(await model.embed({ documents: documents(3) })).toMatchObject({ embedded: 3, lacking: 0 });
    // Whoever had it open goes on with words.
    expect((await words.search({ query: "page 2", limit: 1 })).results[0]?.document.id).toBe("p2.md");
    await Promise.all([model.close(), words.close()]);
    const store = await openStored(pgvectorStore({ pglite, schema }), "write");
    await store.spaces?.use("second@1");
    await store.close();
    const active = await docsearchIn(schema, letters("second@1", 3));
    expect((await active.status()).stats.vectors).toBe(3);
    const { results } = await active.search({ query: "cccc", mode: "semantic", limit: 1 });
    expect(results[0]?.document.id).toBe("p2.md");
    await active.close();
  });
});
