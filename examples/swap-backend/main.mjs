// The same program over any store: which one is used stands in the environment, and nothing here names it.
// usage: DOCS_STORE_BACKEND=memory node main.mjs FOLDER QUERY
import { docsearchFromEnv } from "@docsearch/core";
import { fileSource } from "@docsearch/source-fs";

const [folder = ".", ...words] = process.argv.slice(2);

// Backends are looked for among the packages of this folder.
const docsearch = await docsearchFromEnv(process.env, { root: import.meta.dirname });
try {
  await docsearch.index({ documents: fileSource({ root: folder }).read() });
  const { results } = await docsearch.search({ query: words.join(" "), limit: 5 });
  const { store } = await docsearch.status();
  console.error(`store: ${store}`);
  for (const { document, chunk } of results) console.log(`${document.path}:${chunk.span.startLine}`);
} finally {
  await docsearch.close();
}
