// Holds the built MCP server against programs that are not ours: the official conformance suite in both revisions, the
// Inspector, a client of the first SDK, the mcp-remote bridge, the validators of bundles and skills, and Python fastmcp
// where it is installed.
// usage: node tools/mcp-conformance/run.mjs [folder for the tools]     after a build; `PYTHON` names a Python
//
// The tools are installed by npm into a folder of their own, outside the workspace and its lockfile. Some need a newer
// Node than we do; the npm package `node` brings it. Exits with 1 when anything fails.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = fileURLToPath(new URL(".", import.meta.url));
const server = join(here, "..", "..", "apps", "server");
const bin = join(server, "bin", "docsearch-mcp.js");
const fixtureFile = join(server, "dist", "conformance-fixture.mjs");
const tools = process.argv[2] ?? join(tmpdir(), "docsearch-mcp-conformance");
const node24 = join(tools, "node_modules", "node", "bin", "node");
const REVISIONS = ["2025-11-25", "2026-07-28"];
const SCENARIOS = [
  "dns-rebinding-protection",
  "tools-list",
  "resources-list",
  "prompts-list",
  "caching",
  "http-header-validation",
  "sep-2164-resource-not-found",
];
const DEPENDENCIES = {
  "@anthropic-ai/mcpb": "2.1.2",
  "@modelcontextprotocol/conformance": "0.2.0-alpha.12",
  "@modelcontextprotocol/inspector": "2.12.0",
  "@modelcontextprotocol/sdk": "1.32.2",
  "mcp-remote": "0.15.1",
  node: "24.21.0",
  "skills-ref": "0.1.5",
};
const FILES = {
  "docs/kelp.md": "# Kelp\n\nKelp is a brown alga.\n\n## Harvest\n\nCut the blades of kelp in spring.\n",
  "docs/mooring.md": "# Mooring\n\nA permit to moor needs a signed form.\n",
};

/** @type {import("node:child_process").ChildProcess[]} */
const started = [];
let failures = 0;

installTools();
const project = mkdtempSync(join(tmpdir(), "docsearch-conformance-"));
try {
  makeProject();
  await run();
} finally {
  for (const child of started) child.kill("SIGTERM");
  rmSync(project, { recursive: true, force: true });
  rmSync(fixtureFile, { force: true });
}
process.stdout.write(failures === 0 ? "all passed\n" : `${failures} failed\n`);
process.exitCode = failures === 0 ? 0 : 1;

async function run() {
  const fixture = await serve(process.execPath, [await bundleFixture(), project]);
  for (const revision of REVISIONS) {
    const output = join(project, `out-${revision}`);
    const baseline = join(here, `baseline.${revision}.yml`);
    const args = [
      "server",
      "--url",
      fixture,
      "--requirements",
      revision,
      "--expected-failures",
      baseline,
      "-o",
      output,
    ];
    step(`conformance ${revision}`, node24, [
      packageFile("@modelcontextprotocol/conformance", "dist/index.js"),
      ...args,
    ]);
  }
  const url = await serve(process.execPath, [bin, "--http", "--port", "0", "--project", project]);
  for (const scenario of SCENARIOS) {
    const args = ["server", "--url", url, "--scenario", scenario, "-o", join(project, "out")];
    step(`conformance ${scenario}, the server itself`, node24, [
      packageFile("@modelcontextprotocol/conformance", "dist/index.js"),
      ...args,
    ]);
  }
  const stdio = ["node", bin, "--project", project];
  inspector("tools/list --strict", [...stdio, "--method", "tools/list", "--strict"]);
  inspector("skills/list --verify", [...stdio, "--protocol-era", "modern", "--method", "skills/list", "--verify"]);
  const search = ["--method", "tools/call", "--tool-name", "search", "--tool-args-json", '{"query":"blades"}'];
  inspector("search over stdio, modern", [...stdio, "--protocol-era", "modern", ...search]);
  const http = ["--server-url", url, "--transport", "http"];
  inspector("search over HTTP, legacy", [...http, "--protocol-era", "legacy", ...search]);
  inspector("search over HTTP, modern", [...http, "--protocol-era", "modern", ...search]);
  step("SDK v1 client over stdio", process.execPath, [join(here, "client-v1.mjs"), tools, bin, project]);
  step("SDK v1 client over HTTP", process.execPath, [join(here, "client-v1.mjs"), tools, url]);
  step("stdio checks", process.execPath, [join(here, "stdio-check.mjs"), process.execPath, bin, "--project", project]);
  step("cancellation", process.execPath, [join(here, "cancel-check.mjs"), process.execPath, bin]);
  const plugin = join(here, "..", "..", "plugins", "docsearch");
  step("mcpb validate", node24, [packageFile("@anthropic-ai/mcpb"), "validate", join(plugin, "manifest.json")]);
  step("skills-ref validate", node24, [packageFile("skills-ref"), "validate", join(plugin, "skills", "docsearch")]);
  const remote = [process.execPath, packageFile("mcp-remote", "dist/proxy.js"), url, "--allow-http"];
  step("stdio checks through mcp-remote", process.execPath, [join(here, "stdio-check.mjs"), ...remote]);
  const python = process.env.PYTHON ?? "python3";
  if (succeeds(python, ["-c", "import fastmcp"])) {
    step("Python fastmcp over stdio", python, [join(here, "client_fastmcp.py"), bin, project]);
    step("Python fastmcp over HTTP", python, [join(here, "client_fastmcp.py"), url]);
  } else process.stdout.write("left    Python fastmcp is not installed\n");
}

function installTools() {
  const manifest = `${JSON.stringify({ name: "tools", private: true, dependencies: DEPENDENCIES }, null, 2)}\n`;
  const file = join(tools, "package.json");
  if (existsSync(node24) && existsSync(file) && readFileSync(file, "utf8") === manifest) return;
  mkdirSync(tools, { recursive: true });
  writeFileSync(file, manifest);
  execFileSync("npm", ["install", "--no-audit", "--no-fund"], { cwd: tools, stdio: ["ignore", 2, 2] });
}

function makeProject() {
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  const messages = [
    {
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "0" } },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "index_path", arguments: { path: "docs" } } },
  ];
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const output = execFileSync(process.execPath, [bin, "--project", project], { input, encoding: "utf8" });
  if (!output.includes("done: 2 documents")) throw new Error(`the project was not indexed: ${output}`);
}

/** The fixture as one file that finds the server's packages. It is made of the sources of today. */
async function bundleFixture() {
  const bundle = await rolldown({
    input: join(server, "test", "conformance-fixture.ts"),
    platform: "node",
    external: (id) => !id.startsWith(".") && !id.startsWith("/"),
  });
  await bundle.write({ file: fixtureFile, format: "esm", codeSplitting: false });
  await bundle.close();
  return fixtureFile;
}

/**
 * Starts a server over HTTP and waits until it says where it listens.
 *
 * @param {string} command @param {string[]} args @returns {Promise<string>} its address
 */
function serve(command, args) {
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
  started.push(child);
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (chunk) => {
      said += chunk;
      const url = /listening on (http:\S+\/mcp)/.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.on("exit", () => reject(new Error(`${args[0]} ended: ${said}`)));
  });
}

/** @param {string} what @param {string[]} args */
function inspector(what, args) {
  const file = packageFile("@modelcontextprotocol/inspector");
  step(`Inspector ${what}`, node24, [file, "--cli", ...args, "--format", "json"]);
}

/**
 * A file of an installed package; by default its command.
 *
 * @param {string} name @param {string} [path]
 */
function packageFile(name, path) {
  const folder = join(tools, "node_modules", name);
  const { bin: commands } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, path ?? (typeof commands === "string" ? commands : Object.values(commands)[0]));
}

/** Runs a check and prints its result, and its output when it fails. @param {string} what @param {string} command @param {string[]} args */
function step(what, command, args) {
  const path = `${dirname(node24)}${delimiter}${process.env.PATH}`;
  try {
    const output = execFileSync(command, args, {
      encoding: "utf8",
      env: { ...process.env, PATH: path },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 180_000,
      maxBuffer: 100_000_000,
    });
    process.stdout.write(`ok      ${what}${summary(output)}\n`);
  } catch (error) {
    failures++;
    const {
      stdout = "",
      stderr = "",
      status,
    } = /** @type {{ stdout?: string, stderr?: string, status?: number }} */ (error);
    process.stdout.write(`FAILED  ${what}: exit code ${status}\n${stdout.slice(-3000)}${stderr.slice(-3000)}\n`);
  }
}

/** Figures of a suite, or what a client says it did. @param {string} output */
function summary(output) {
  const plain = output.replace(/\u001b\[[0-9;]*m/g, "");
  const total = /(\d+ passed, \d+ failed[^\n]*)/.exec(plain.slice(plain.lastIndexOf("Total")))?.[1];
  const last = plain.trim().split("\n").at(-1) ?? "";
  const said = total ?? (last.length < 80 ? last : "");
  return said === "" ? "" : `: ${said.trim()}`;
}

/** @param {string} command @param {string[]} args */
function succeeds(command, args) {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
