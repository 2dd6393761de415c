#!/usr/bin/env node
// Installs what the lockfile says, builds, then runs one task. Needs Node and npm, nothing else.
// usage: node tools/bootstrap.mjs TASK [ARGUMENTS]     tasks: build, demo, test, check, smoke, bench
//
//   test            build, types, lint, boundaries, tests;   test ARGUMENTS gives them to vitest alone
//   smoke           what is published: knip, sizes, publint, attw, an install of the packed packages
//   check           both, which is what CI runs;             check STEP... runs the named steps alone
//
// Everything it says goes to stderr, one line a step. The exit code is the task's.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const env = { ...process.env };

/** @type {Record<string, (args: string[]) => number>} each returns an exit code */
const TASKS = {
  build: () => build(),
  demo: (args) => build() || node("tools/demo.mjs", args),
  test: (args) => (args.length > 0 ? build() || tool("vitest", ["run", ...args]) : check(["test"])),
  smoke: () => build() || check(["smoke"]),
  check: (args) => check(args),
  bench: (args) => build() || node("bench/run.mjs", args),
};

refuseOldNode();
const [name = "", ...args] = process.argv.slice(2);
const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
if (task === undefined) {
  stop(`unknown task ${JSON.stringify(name)}, expected one of: ${Object.keys(TASKS).join(", ")}`);
} else {
  prepareEnvironment();
  process.exitCode = install() || task(args);
}

function refuseOldNode() {
  const wanted = manifest.engines.node.replace(">=", "");
  const version = process.versions.node;
  // Compares number by number: 20.9 is older than 20.19.
  if (version.localeCompare(wanted, "en", { numeric: true }) >= 0) return;
  stop(`Node ${wanted} or newer is needed, this is ${version}. See .nvmrc for the version to install.`);
}

function prepareEnvironment() {
  env.TURBO_TELEMETRY_DISABLED = "1";
  env.DO_NOT_TRACK = "1";
  env.npm_config_update_notifier = "false";
  // Without this, `pnpm exec` and `pnpm run` may install by themselves and rewrite the lockfile.
  env.pnpm_config_verify_deps_before_run = "false";
  // node-gyp downloads Node's headers unless it is told where they are. Headers of another Node would not fit.
  const headers = [dirname(dirname(process.execPath)), "/usr"].find((prefix) => {
    const file = join(prefix, "include", "node", "node_version.h");
    return existsSync(join(prefix, "include", "node", "node.h")) && existsSync(file) && headersFit(file);
  });
  if (headers !== undefined && env.npm_config_nodedir === undefined) env.npm_config_nodedir = headers;
}

/** @param {string} file */
function headersFit(file) {
  const major = /#define NODE_MAJOR_VERSION (\d+)/.exec(readFileSync(file, "utf8"));
  return major !== null && major[1] === process.versions.node.split(".")[0];
}

/** Skipped while a stamp in node_modules says that this lockfile was installed by this Node. */
function install() {
  const stamp = join(root, "node_modules", ".docsearch-installed");
  const hash = createHash("sha256");
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml"]) hash.update(readFileSync(join(root, file)));
  hash.update(`${process.version} ${process.platform} ${process.arch}`);
  const wanted = hash.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return 0;
  const code = step(`install (${manifest.packageManager}, from the lockfile)`, () =>
    pnpm(["install", "--frozen-lockfile"], "stderr"),
  );
  if (code === 0) writeFileSync(stamp, wanted);
  return code;
}

/** Cached by turbo: a package whose files did not change is not built again. */
function build() {
  return step("build", () => pnpm(["exec", "turbo", "run", "build", "--output-logs=errors-only"], "stderr"));
}

/** @param {string[]} steps */
function check(steps) {
  return tool("node", ["tools/check.mjs", ...steps]);
}

/**
 * Runs a program with pnpm and what is installed in node_modules on its PATH.
 *
 * @param {string} command
 * @param {string[]} toolArgs
 */
function tool(command, toolArgs) {
  return pnpm(["exec", command, ...toolArgs], "stdout");
}

/** @param {string} file @param {string[]} nodeArgs */
function node(file, nodeArgs) {
  return run(process.execPath, [file, ...nodeArgs], "stdout");
}

/** @param {string[]} pnpmArgs @param {"stdout" | "stderr"} output */
function pnpm(pnpmArgs, output) {
  const npx = findNpx();
  return run(npx.command, [...npx.args, "-y", manifest.packageManager, ...pnpmArgs], output);
}

/** On Windows npx is a script that only a shell can start, and a shell would need quoting: npx's own file is run instead. */
function findNpx() {
  if (process.platform !== "win32") return { command: "npx", args: [] };
  const file = join(dirname(process.execPath), "node_modules", "npm", "bin", "npx-cli.js");
  if (!existsSync(file)) stop(`npm is missing: no file ${file}. Install Node with npm.`);
  return { command: process.execPath, args: [file] };
}

/**
 * @param {string} command
 * @param {string[]} commandArgs
 * @param {"stdout" | "stderr"} output where its standard output goes
 * @returns {number} its exit code
 */
function run(command, commandArgs, output) {
  const { status, signal, error } = spawnSync(command, commandArgs, {
    cwd: root,
    env,
    stdio: ["inherit", output === "stderr" ? 2 : 1, 2],
  });
  if (error !== undefined) stop(`${command} could not be started (${error.message}). Are node and npm on PATH?`);
  if (signal !== null) say(`${command} was ended by ${signal}`);
  return status ?? 1;
}

/** @param {string} what @param {() => number} action */
function step(what, action) {
  const start = Date.now();
  const code = action();
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  say(`${what}: ${code === 0 ? "done" : `failed with exit code ${code}`} in ${seconds} s`);
  return code;
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`docsearch: ${text}\n`);
}

/** @param {string} text */
function stop(text) {
  say(text);
  process.exit(2);
}
