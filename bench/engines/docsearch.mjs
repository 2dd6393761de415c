// docsearch through its library: sqlite store in a file, static model, Markdown chunker.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markdownChunker } from "@docsearch/chunker-markdown";
import { createDocsearch } from "@docsearch/core";
import { staticEmbedder } from "@docsearch/embedder-static";
import { sqliteStore } from "@docsearch/store-sqlite";

export function docsearchEngine({ mode, sqlite = {} }) {
  return async (pages) => {
    const folder = mkdtempSync(join(tmpdir(), "docsearch-bench-"));
    const path = join(folder, "index.db");
    const docsearch = await createDocsearch({
      store: sqliteStore({ path, ...sqlite }),
      embedder: staticEmbedder(),
      chunkers: [markdownChunker()],
    });
    await docsearch.index({
      documents: pages.map(({ path: id, body, title }, index) => ({
        id,
        path: id,
        collection: "bun",
        text: body.startsWith("# ") || title === "" ? body : `# ${title}\n\n${body}`,
        contentHash: String(index),
        mediaType: "text/markdown",
        metadata: {},
      })),
    });
    return {
      search: async (query, limit) => {
        const { results } = await docsearch.search({ query, mode, limit, groupBy: "document" });
        return results.map(({ document }) => document.id);
      },
      bytes: () => statSync(path).size,
      close: async () => {
        await docsearch.close();
        rmSync(folder, { recursive: true });
      },
    };
  };
}
