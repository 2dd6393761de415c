import { markdownChunker } from "@docsearch/chunker-markdown";
import { createDocsearch, memoryStore } from "@docsearch/core";
import { staticEmbedder } from "@docsearch/embedder-static";

const docsearch = await createDocsearch({
  store: memoryStore(),
  embedder: staticEmbedder(),
  chunkers: [markdownChunker()],
});

await docsearch.index({
  documents: [
    {
      id: "guide.md",
      collection: "docs",
      text: "# Guide\n\n## Retries\n\nA failed job runs again after a minute.",
      contentHash: "1",
      mediaType: "text/markdown",
      metadata: {},
    },
  ],
});

const { results } = await docsearch.search({ query: "what happens when a job fails" });
console.log(results[0].chunk.headingPath, results[0].breakdown);
await docsearch.close();
