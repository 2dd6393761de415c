// What an import of a package loads. What it costs is measured in bench/cli.mjs.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "../lib/run.mjs";

/**
 * Names of the installed packages that `import(name)` loads files of, sorted.
 *
 * @param {string} folder
 * @param {string} name
 * @returns {Promise<string[]>}
 */
export async function loadedPackages(folder, name) {
  const hook = pathToFileURL(join(import.meta.dirname, "log-imports.mjs")).href;
  const args = ["--import", hook, "--input-type=module", "-e", `await import("${name}")`];
  const { code, output } = await run(process.execPath, args, { cwd: folder, capture: true });
  if (code !== 0) throw new Error(`import of ${name} failed:\n${output}`);
  const names = output.split("\n").flatMap((url) => {
    const inside = /^file:.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
    return inside === undefined ? [] : [inside];
  });
  return [...new Set(names)].sort();
}
