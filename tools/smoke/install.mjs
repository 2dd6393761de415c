// Installs packed packages into an empty folder, as a user would, and looks at what arrived.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../lib/run.mjs";
import { withDependencies } from "../lib/workspace.mjs";

/** @typedef {import("../lib/pack.mjs").PackedPackage} PackedPackage */

/**
 * @param {string} folder absolute; must exist and be empty
 * @param {readonly PackedPackage[]} packed
 * @param {string} name package to install; the workspace packages that it needs come from their tarballs too
 * @param {{ overrides?: Record<string, string>, flags?: string[] }} [options]
 */
export async function installPacked(folder, packed, name, { overrides = {}, flags = [] } = {}) {
  const needed = withDependencies(packed, name).map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]);
  // Every workspace package is a direct dependency: that is how npm takes it from its file and not from the registry.
  const manifest = {
    name: "smoke",
    private: true,
    type: "module",
    dependencies: Object.fromEntries(needed),
    overrides,
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--no-update-notifier", ...flags];
  const { code, output } = await run("npm", args, { cwd: folder, capture: true });
  if (code !== 0) throw new Error(`npm install of ${name} failed with exit code ${code}:\n${output}`);
}

/**
 * @typedef {object} Installed
 * @property {number} packages
 * @property {number} megabytes sum of the files' sizes, in 1,000,000 bytes
 * @property {string[]} native files that hold or build native code
 * @property {string[]} scripts `package: script` for each script that an install would run
 */

/** @param {string} folder holds `node_modules` @returns {Installed} */
export function inspectInstalled(folder) {
  /** @type {Installed} */
  const found = { packages: 0, megabytes: 0, native: [], scripts: [] };
  const top = join(folder, "node_modules");
  for (const entry of readdirSync(top, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    found.megabytes += statSync(file).size / 1e6;
    if (/\.(node|so|dylib|dll)$|^binding\.gyp$/.test(entry.name)) found.native.push(file.slice(top.length + 1));
    if (entry.name !== "package.json" || !isPackageFolder(entry.parentPath)) continue;
    found.packages += 1;
    const { name, scripts = {} } = JSON.parse(readFileSync(file, "utf8"));
    for (const script of ["preinstall", "install", "postinstall"]) {
      if (Object.hasOwn(scripts, script)) found.scripts.push(`${name}: ${script}`);
    }
  }
  return found;
}

/** `node_modules/name` or `node_modules/@scope/name`, not a folder inside a package. @param {string} folder */
function isPackageFolder(folder) {
  return /node_modules[\\/](@[^\\/]+[\\/])?[^\\/@][^\\/]*$/.test(folder);
}
