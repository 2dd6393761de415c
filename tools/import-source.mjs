// Imports a module of the sources, for benchmarks of what a package does not export.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

/**
 * @param {URL} source a TypeScript file
 * @returns {Promise<any>} its exports
 */
export async function importSource(source) {
  const folder = mkdtempSync(join(tmpdir(), "docsearch-source-"));
  try {
    const bundle = await rolldown({ input: fileURLToPath(source), platform: "node" });
    await bundle.write({ dir: folder, format: "esm", entryFileNames: "module.mjs" });
    await bundle.close();
    return await import(pathToFileURL(join(folder, "module.mjs")).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
