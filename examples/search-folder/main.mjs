// Indexes a folder and answers a query. The index stays in the folder, so the next run reads only what has changed.
// usage: node main.mjs FOLDER QUERY
import { join } from "node:path";
import { markdownChunker } from "@docsearch/chunker-markdown";
import { createDocsearch } from "@docsearch/core";
import { staticEmbedder } from "@docsearch/embedder-static";
import { fileSource } from "@docsearch/source-fs";
import { sqliteStore } from "@docsearch/store-sqlite";

const [folder = ".", ...words] = process.argv.slice(2);

const docsearch = await createDocsearch({
  store: sqliteStore({ path: join(folder, ".docsearch", "index.db") }),
  embedder: staticEmbedder(),
  chunkers: [markdownChunker()],
});

try {
  const source = fileSource({ root: folder, collection: "folder" });
  const report = await docsearch.index({
    documents: source.read(),
    // What is no longer in the folder leaves the index.
    prune: { collections: [source.collection] },
  });
  console.error(`${report.scanned} files, ${report.unchanged} unchanged, ${report.deleted} deleted`);
  for (const { documentId, error } of report.failures) console.error(`${documentId}: ${error}`);

  const { results, warnings } = await docsearch.search({ query: words.join(" "), limit: 3 });
  for (const { message } of warnings) console.error(message);
  for (const { document, chunk, snippet } of results) {
    console.log(`${document.path}:${chunk.span.startLine}  ${chunk.headingPath.join(" > ")}`);
    console.log(`  ${snippet.text.replaceAll("\n", " ")}`);
  }
} finally {
  await docsearch.close();
}
