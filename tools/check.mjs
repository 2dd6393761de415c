// Everything that must hold before a change is merged, in named steps. Every step runs even if one before it fails.
// usage: node tools/check.mjs [STEP | test | smoke]...      no argument means all. Started by tools/bootstrap.mjs,
// which puts pnpm and the installed programs on PATH.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packAll } from "./lib/pack.mjs";
import { run } from "./lib/run.mjs";
import { reportSizes } from "./lib/sizes.mjs";
import { smokeTest } from "./pack-smoke.mjs";

const scratch = mkdtempSync(join(tmpdir(), "docsearch-check-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const countsFile = process.env.TEST_COUNTS_FILE || join(scratch, "counts");

/** @type {Promise<import("./lib/pack.mjs").PackedPackage[]> | undefined} */
let packing;
const tarballs = () => (packing ??= packAll(scratch));

/** @typedef {{ name: string, group: "test" | "smoke", check: () => Promise<boolean> }} Step */

/** @type {Step[]} */
const STEPS = [
  {
    name: "build",
    group: "test",
    check: () => passes("turbo", ["run", "build", "--output-logs=errors-only", "--continue=dependencies-successful"]),
  },
  { name: "types", group: "test", check: () => passes("tsc", ["-p", "tools/tsconfig.json"]) },
  { name: "lint", group: "test", check: () => passes("biome", ["check", "--error-on-warnings", "."]) },
  { name: "boundaries", group: "test", check: () => passes("node", ["tools/check-boundaries.mjs"]) },
  {
    name: "tests",
    group: "test",
    check: () => {
      rmSync(countsFile, { force: true });
      return passes("vitest", ["run"], { TEST_COUNTS_FILE: countsFile });
    },
  },
  { name: "knip", group: "smoke", check: () => passes("knip", ["--no-progress", "--no-config-hints"]) },
  { name: "sizes", group: "smoke", check: async () => reportSizes(await tarballs()) },
  { name: "publint", group: "smoke", check: () => eachTarball("publint", (file) => ["run", file, "--strict"]) },
  {
    name: "attw",
    group: "smoke",
    // An app has no entry point to resolve, only a command.
    check: () => eachTarball("attw", (file) => [file, "--profile", "esm-only", "--format", "ascii"], "packages/"),
  },
  { name: "install", group: "smoke", check: async () => smokeTest(await tarballs()) },
];

const wanted = process.argv.slice(2);
const unknown = wanted.find((word) => !STEPS.some(({ name, group }) => word === name || word === group));
if (unknown !== undefined) {
  const names = STEPS.map(({ name }) => name).join(", ");
  process.stderr.write(`unknown step ${JSON.stringify(unknown)}, expected one of: test, smoke, ${names}\n`);
  process.exit(2);
}

/** @type {{ name: string, passed: boolean, seconds: number }[]} */
const results = [];
for (const { name, group, check } of STEPS) {
  if (wanted.length > 0 && !wanted.includes(name) && !wanted.includes(group)) continue;
  process.stdout.write(`\n== ${name}\n`);
  const start = performance.now();
  const passed = await check().catch((error) => {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  });
  results.push({ name, passed, seconds: (performance.now() - start) / 1000 });
}

process.stdout.write("\n");
for (const { name, passed, seconds } of results) {
  process.stdout.write(`${name.padEnd(12)}${passed ? "passed" : "FAILED"}${seconds.toFixed(1).padStart(8)} s\n`);
}
if (existsSync(countsFile)) process.stdout.write(readFileSync(countsFile));
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<boolean>}
 */
async function passes(command, args, env = {}) {
  const { code, output } = await run(command, args, { env });
  process.stdout.write(output);
  return code === 0;
}

/**
 * Runs a checker on each package's tarball and prints only what fails.
 *
 * @param {string} command
 * @param {(file: string) => string[]} args
 * @param {string} [folder] where the packages to check stand
 * @returns {Promise<boolean>}
 */
async function eachTarball(command, args, folder = "") {
  let passed = 0;
  const packed = (await tarballs()).filter((entry) => entry.folder.startsWith(folder));
  for (const entry of packed) {
    const { code, output } = await run(command, args(entry.tarball), { capture: true });
    if (code === 0) passed += 1;
    else process.stdout.write(`${entry.manifest.name}:\n${output}\n`);
  }
  process.stdout.write(`${command}: ${passed} of ${packed.length} packages passed\n`);
  return passed === packed.length;
}
