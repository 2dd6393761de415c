// The command line as a user meets it: whole processes, against the bars.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CORPUS_ROOT } from "./corpus.mjs";
import { median, table } from "./figures.mjs";

const BIN = fileURLToPath(new URL("../apps/cli/bin/docsearch.js", import.meta.url));
const REPORT = fileURLToPath(new URL("report-usage.mjs", import.meta.url));
const CORE = new URL("../packages/core/dist/index.js", import.meta.url).href;
const ROUNDS = 7;

export function measureCli() {
  const folder = mkdtempSync(join(tmpdir(), "docsearch-bench-"));
  const usageFile = join(folder, "usage.json");
  const run = (args) => {
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, ["--import", REPORT, ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, USAGE_FILE: usageFile, DOCS_STORE_URL: join(folder, "index.db") },
    });
    const wall = (performance.now() - start) / 1000;
    if (status !== 0) throw new Error(`exit code ${status}: ${args.join(" ")}\n${stderr}`);
    return { wall, ...JSON.parse(readFileSync(usageFile, "utf8")) };
  };
  const index = [BIN, "index", CORPUS_ROOT, "--include", "**/*.{md,mdx}"];
  const repeat = (args, before = () => {}) =>
    Array.from({ length: ROUNDS }, () => {
      before();
      return run(args);
    });

  const dropIndex = () => {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(join(folder, `index.db${suffix}`), { force: true });
  };
  const first = repeat(index, dropIndex);
  const again = repeat(index);
  const search = repeat([BIN, "search", "how do I run my unit tests again when a file changes", "--json"]);
  const node = repeat(["-e", "0"]);
  const core = repeat(["--input-type=module", "-e", `await import(${JSON.stringify(CORE)})`]);
  rmSync(folder, { recursive: true });

  const middle = (runs, key) => median(runs.map((one) => one[key]));
  const added = middle(core, "cpu") - middle(node, "cpu");
  const bar = 2 * middle(node, "wall") + 0.1;
  const row = (what, figure, limit, runs) => [
    what,
    figure.toFixed(3),
    limit.toFixed(3),
    figure < limit ? "met" : "missed",
    middle(runs, "rss").toFixed(0),
  ];
  const rows = [
    row("first index, CPU s", middle(first, "cpu"), 2, first),
    row("index again, nothing changed, wall s", middle(again, "wall"), 0.3, again),
    row("import of @docsearch/core, CPU s more than `node -e 0`", added, 0.05, core),
    row("search in a cold process, wall s (bar: 2 x `node -e 0` + 0.1)", middle(search, "wall"), bar, search),
  ];
  const markdown = table(["what", "median", "bar", "", "peak RSS, MB"], rows);
  return { markdown, runs: { first, again, search, node, core } };
}
