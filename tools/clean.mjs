// Removes everything that is built, cached or indexed here; `node tools/clean.mjs --all` also what is installed.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./lib/run.mjs";

const all = process.argv.includes("--all");
const folders = ["", ...["packages", "apps", "examples"].flatMap(childrenOf), "bench"];
const built = ["dist", ".turbo", "coverage", ".docsearch", join("src", "generated")];
// Vitest and turbo keep their caches below node_modules, which must otherwise stay.
const cached = [join("node_modules", ".cache"), join("node_modules", ".vite")];

for (const folder of folders) {
  for (const name of [...built, ...cached, ...(all ? ["node_modules"] : [])]) {
    const path = join(ROOT, folder, name);
    if (!existsSync(path)) continue;
    rmSync(path, { recursive: true, force: true });
    process.stdout.write(`removed ${join(folder, name)}\n`);
  }
}

/** @param {string} parent @returns {string[]} */
function childrenOf(parent) {
  if (!existsSync(join(ROOT, parent))) return [];
  const entries = readdirSync(join(ROOT, parent), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(parent, name));
}
