// What an import of a package loads and costs.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "../lib/run.mjs";

const RUNS = 5;
const PRINT_CPU = "const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);";

/**
 * CPU milliseconds that `import(name)` adds to an empty process: the difference of the medians of five runs each,
 * taken in turn so that a busy machine slows both alike.
 *
 * @param {string} folder where the package is installed
 * @param {string} name
 * @returns {Promise<number>}
 */
export async function measureImport(folder, name) {
  /** @type {number[]} */
  const empty = [];
  /** @type {number[]} */
  const full = [];
  for (let i = 0; i < RUNS; i++) {
    empty.push(await cpuOf(folder, ""));
    full.push(await cpuOf(folder, `await import("${name}");`));
  }
  return median(full) - median(empty);
}

/** @param {string} folder @param {string} code */
async function cpuOf(folder, code) {
  const { output } = await run(process.execPath, ["--input-type=module", "-e", `${code}${PRINT_CPU}`], {
    cwd: folder,
    capture: true,
  });
  const cpu = Number(output);
  if (Number.isNaN(cpu)) throw new Error(`expected nothing but a number from ${JSON.stringify(code)}, got:\n${output}`);
  return cpu;
}

/** @param {number[]} values */
function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

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
