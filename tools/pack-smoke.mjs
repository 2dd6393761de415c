// Installs the packed packages as a user would and uses them. What a test in the work tree cannot see shows here:
// a file missing from the tarball, a dependency that is not declared, an install that became heavy.
// Run by tools/check.mjs, step `install`.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT, run } from "./lib/run.mjs";
import { inspectInstalled, installPacked } from "./smoke/install.mjs";
import { loadedPackages } from "./smoke/loaded-packages.mjs";

/** Bars on an install of core alone. */
const CORE = {
  megabytes: 10,
  /** All that importing it may load, ours by folder. Backends come when they are asked for. */
  loads: { ours: ["packages/core", "packages/spec"], others: ["@orama/stemmers"] },
};

/**
 * Bar on an install of the command: 13 MB are the model, 12 MB the sources of SQLite in better-sqlite3, and 20 MB what
 * its compile leaves behind where no binary can be downloaded; grammars and the MCP SDK are 8 MB.
 */
const CLI = { megabytes: 70 };

const DOCUMENTS = {
  "backup.md":
    "# Backups\n\n## Restoring a snapshot\n\nStop the server, then copy the snapshot back over the data folder.\n",
  "install.md": "# Installation\n\nDownload the archive and put the binary on your path.\n",
  "limits.md": "# Limits\n\nA request may carry sixteen attachments of ten megabytes each.\n",
};

/** @typedef {import("./lib/pack.mjs").PackedPackage} PackedPackage */

/**
 * @param {readonly PackedPackage[]} packed
 * @returns {Promise<boolean>} whether everything held; what did not is printed
 */
export async function smokeTest(packed) {
  const scratch = mkdtempSync(join(tmpdir(), "docsearch-smoke-"));
  try {
    const core = await smokeCore(packed, makeFolder(scratch, "core"));
    const cli = await smokeCli(packed, makeFolder(scratch, "cli"));
    return core && cli;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @param {readonly PackedPackage[]} packed @param {string} folder */
async function smokeCore(packed, folder) {
  const name = nameOf(packed, "packages/core");
  await installPacked(folder, packed, name);
  const { packages, megabytes, native, scripts } = inspectInstalled(folder);
  const loads = await loadedPackages(folder, name);
  const ours = CORE.loads.ours.map((workspaceFolder) => nameOf(packed, workspaceFolder));
  const expected = [...ours, ...CORE.loads.others].sort();
  return [
    holds(
      `core alone: ${packages} packages, ${megabytes.toFixed(1)} MB of ${CORE.megabytes}`,
      megabytes < CORE.megabytes,
    ),
    holds(`core alone: no native code${list(native)}`, native.length === 0),
    holds(`core alone: no install script${list(scripts)}`, scripts.length === 0),
    holds(`core alone: import loads${list(loads)}; expected${list(expected)}`, loads.join() === expected.join()),
  ].every(Boolean);
}

/** @param {readonly PackedPackage[]} packed @param {string} folder */
async function smokeCli(packed, folder) {
  const name = nameOf(packed, "apps/cli");
  await installCli(packed, folder, name);
  const { packages, megabytes } = inspectInstalled(folder);
  const documents = makeFolder(folder, "documents");
  for (const [name, text] of Object.entries(DOCUMENTS)) writeFileSync(join(documents, name), text);

  const command = join(folder, "node_modules", name, "bin", "docsearch.js");
  // An empty home and no network settings: nothing but the installed packages may be needed.
  const options = { cwd: folder, env: { HOME: folder, USERPROFILE: folder }, capture: true };
  const index = await run(process.execPath, [command, "index", "documents"], options);
  const search = await run(process.execPath, [command, "search", "how do I restore a snapshot", "--json"], options);
  const first = firstPath(search.output);
  return [
    holds(`docsearch: ${packages} packages, ${megabytes.toFixed(1)} MB of ${CLI.megabytes}`, megabytes < CLI.megabytes),
    holds(`docsearch index: exit code ${index.code}${index.code === 0 ? "" : `\n${index.output}`}`, index.code === 0),
    holds(
      `docsearch search --json: exit code ${search.code}, first hit in ${first ?? `no document:\n${search.output}`}`,
      search.code === 0 && first !== undefined && first.endsWith("backup.md"),
    ),
  ].every(Boolean);
}

/**
 * Compiling better-sqlite3 takes a minute where its binary cannot be downloaded. The work tree has compiled the same
 * version for the same Node, so its addon is copied, unless SMOKE_COMPILE=1 asks for the install that a user gets.
 *
 * @param {readonly PackedPackage[]} packed @param {string} folder @param {string} name
 */
async function installCli(packed, folder, name) {
  if (process.env.SMOKE_COMPILE === "1") return installPacked(folder, packed, name);
  const require = createRequire(join(ROOT, "packages", "store-sqlite", "package.json"));
  const manifest = require.resolve("better-sqlite3/package.json");
  await installPacked(folder, packed, name, {
    overrides: { "better-sqlite3": require(manifest).version },
    flags: ["--ignore-scripts"],
  });
  const addon = join("build", "Release", "better_sqlite3.node");
  const target = join(folder, "node_modules", "better-sqlite3", addon);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(dirname(manifest), addon), target);
}

/** Path of the first hit in what `search --json` printed. @param {string} output @returns {string | undefined} */
function firstPath(output) {
  try {
    return JSON.parse(output).results[0].path;
  } catch {
    return undefined;
  }
}

/** @param {string} claim @param {boolean} held */
function holds(claim, held) {
  process.stdout.write(`${held ? "ok" : "FAILED"}  ${claim}\n`);
  return held;
}

/** @param {readonly string[]} names */
function list(names) {
  return names.length === 0 ? "" : ` ${names.join(", ")}`;
}

/** @param {readonly PackedPackage[]} packed @param {string} folder @returns {string} */
function nameOf(packed, folder) {
  const found = packed.find((entry) => entry.folder === folder);
  if (found === undefined) throw new Error(`no package in ${folder}`);
  return found.manifest.name;
}

/** @param {string} parent @param {string} name */
function makeFolder(parent, name) {
  const folder = join(parent, name);
  mkdirSync(folder);
  return folder;
}
