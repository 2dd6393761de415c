// The command line over code: this repository, and a tree of large npm packages that its tools brought along.
// usage: node bench/code.mjs    (after a build; writes results/code-<date>.md and .json)
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, table } from "./figures.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const INSTALLED = join(ROOT, "node_modules/.pnpm");
const BIN = join(ROOT, "apps/cli/bin/docsearch.js");
const REPORT = fileURLToPath(new URL("report-usage.mjs", import.meta.url));
/** Packages of the tree, each in all versions that are installed. */
const PACKAGES = ["typescript", "@types/node", "zod", "hono", "fast-check", "vite", "vitest", "apache-arrow"];
/** What is looked up: a name, a file to list, a question. */
const LOOKUPS = {
  repository: [
    ["symbols", "chunkCode"],
    ["outline", "packages/core/src/indexing/indexer.ts"],
    ["search", "where are small pieces of code joined to their neighbours"],
  ],
  packages: [
    ["symbols", "createServer"],
    ["outline", "zod@4.6.7/src/v4/core/parse.ts"],
    ["search", "how does the type checker resolve a call signature"],
  ],
};
const ROUNDS = 5;

const folder = mkdtempSync(join(tmpdir(), "docsearch-bench-"));
const trees = { repository: ROOT, packages: join(folder, "packages") };
copyPackages(trees.packages);
const runs = {};
for (const [name, tree] of Object.entries(trees)) runs[name] = measure(name, tree);
rmSync(folder, { recursive: true });

const date = new Date().toISOString().slice(0, 10);
const machine = `${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
const rows = Object.entries(runs).map(([name, { first, again, lookups, size }]) => [
  name,
  first.scanned.toLocaleString("en"),
  first.chunks.toLocaleString("en"),
  first.cpu.toFixed(1),
  first.wall.toFixed(1),
  first.rss.toFixed(0),
  (size / 1e6).toFixed(0),
  again.wall.toFixed(2),
  ...lookups.map((wall) => wall.toFixed(2)),
]);
const page = `# Code, ${date}

Machine: ${machine}. This repository with its documentation, and the npm packages ${PACKAGES.join(", ")}; what the default rules leave out is not counted. \`symbols\`, \`outline\` and \`search\` are whole processes, medians of ${ROUNDS}. \`node bench/code.mjs\` runs it again.

${table(["tree", "files", "chunks", "first index, CPU s", "wall, s", "peak RSS, MB", "index, MB", "index again, wall s", "symbols, s", "outline, s", "search, s"], rows)}
`;
console.log(page);
const results = new URL("results/", import.meta.url);
mkdirSync(results, { recursive: true });
writeFileSync(new URL(`code-${date}.md`, results), page);
writeFileSync(new URL(`code-${date}.json`, results), `${JSON.stringify({ date, machine, runs }, null, 1)}\n`);

function copyPackages(target) {
  for (const entry of readdirSync(INSTALLED)) {
    const [, scoped, version] = /^(.+?)@([^_]+)/.exec(entry.replace("+", "/")) ?? [];
    if (!PACKAGES.includes(scoped)) continue;
    cpSync(join(INSTALLED, entry, "node_modules", scoped), join(target, `${scoped}@${version}`), {
      recursive: true,
      dereference: true,
      filter: (path) => !/\/node_modules$/.test(path),
    });
  }
}

function measure(name, tree) {
  const database = join(folder, `${name}.db`);
  const usageFile = join(folder, "usage.json");
  const run = (args) => {
    const start = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", REPORT, BIN, ...args, "--json"], {
      cwd: tree,
      encoding: "utf8",
      maxBuffer: 1e9,
      env: { ...process.env, USAGE_FILE: usageFile, DOCS_STORE_URL: database },
    });
    const wall = (performance.now() - start) / 1000;
    if (status !== 0) throw new Error(`exit code ${status}: ${args.join(" ")}\n${stderr}`);
    return { wall, ...JSON.parse(readFileSync(usageFile, "utf8")), output: JSON.parse(stdout) };
  };
  const index = () => {
    const { output, ...usage } = run(["index", "."]);
    return { ...usage, scanned: output.scanned, chunks: output.chunks };
  };
  const first = index();
  const again = index();
  const lookups = LOOKUPS[name].map((args) => median(Array.from({ length: ROUNDS }, () => run(args).wall)));
  return { first, again, lookups, size: statSync(database).size };
}
