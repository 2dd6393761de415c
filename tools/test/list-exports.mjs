// Prints what each published package exports at run time, by entry point, as JSON. The packages must be built.
// usage: node tools/test/list-exports.mjs > tools/test/exports.json     after a change of the exports that is meant
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../lib/run.mjs";
import { listPublished } from "../lib/workspace.mjs";

/** @type {Record<string, Record<string, string[]>>} */
const found = {};
for (const { folder, manifest } of listPublished()) {
  for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
    if (typeof target !== "object" || target === null || !("default" in target)) continue;
    const module = await import(pathToFileURL(join(ROOT, folder, String(target.default))).href);
    found[folder] = { ...found[folder], [subpath]: Object.keys(module).sort() };
  }
}
process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
