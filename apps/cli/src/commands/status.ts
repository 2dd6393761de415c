import { openIndex } from "../open-index.js";
import { printJson } from "../output/print-json.js";

export async function statusCommand(flags: { readonly json?: boolean }): Promise<void> {
  const docsearch = await openIndex({ ...flags }, { mode: "read" });
  try {
    const status = await docsearch.status();
    if (flags.json) return printJson(status);
    const { stats, schema } = status;
    process.stdout.write(
      [
        `documents  ${stats.documents}`,
        `chunks     ${stats.chunks}`,
        `vectors    ${stats.vectors}`,
        `store      ${status.store}`,
        `embedder   ${schema.embedding === null ? "none" : `${schema.embedding.id}, ${schema.embedding.dimensions} dimensions`}`,
        `chunking   ${schema.chunking}`,
        `analyzer   ${schema.analyzer}`,
        "",
      ].join("\n"),
    );
  } finally {
    await docsearch.close();
  }
}
