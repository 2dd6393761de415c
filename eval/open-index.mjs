// A fresh index in a temporary folder, made through the library with its defaults.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeChunker } from "../packages/chunker-code/dist/index.js";
import { markdownChunker } from "../packages/chunker-markdown/dist/index.js";
import { createDocsearch } from "../packages/core/dist/index.js";
import { staticEmbedder } from "../packages/embedder-static/dist/index.js";
import { sqliteStore } from "../packages/store-sqlite/dist/index.js";

/** Indexes the documents, hands the open index to `body`, and removes it. Fails when a document does. */
export async function withIndex(documents, body, options = {}) {
  const folder = mkdtempSync(join(tmpdir(), "docsearch-eval-"));
  const docsearch = await createDocsearch({
    store: sqliteStore({ path: join(folder, "index.db") }),
    embedder: staticEmbedder(),
    chunkers: [markdownChunker(), codeChunker()],
    ...options,
  });
  try {
    const { failures } = await docsearch.index({ documents });
    const [failure] = failures;
    if (failure !== undefined) throw new Error(`${failure.documentId} was not indexed`, { cause: failure.error });
    return await body(docsearch);
  } finally {
    await docsearch.close();
    rmSync(folder, { recursive: true });
  }
}
