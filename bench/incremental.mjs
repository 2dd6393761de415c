// Large trees and small changes, as whole processes: what a run costs that finds nothing changed, or one file in a
// hundred, and how much memory a tree of a hundred thousand files takes.
// usage: node incremental.mjs   prints the table alone
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readPages } from "./corpus.mjs";
import { median, table } from "./figures.mjs";

const BIN = fileURLToPath(new URL("../apps/cli/bin/docsearch.js", import.meta.url));
const REPORT = fileURLToPath(new URL("report-usage.mjs", import.meta.url));
const FILES = 10_000;
const MANY_FILES = 100_000;
const ROUNDS = 5;
/** A file that was written a moment before a run is read again by the next one. */
const SETTLE_MS = 2500;

export async function measureIncremental() {
  const folder = mkdtempSync(join(tmpdir(), "docsearch-bench-"));
  try {
    const pages = await measurePages(folder);
    const many = measureMany(folder);
    return { markdown: format(pages, many), runs: { ...pages, many } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The pages of the corpus, as often as it takes, each copy with a line of its own. */
async function measurePages(folder) {
  const pages = readPages();
  const paths = Array.from({ length: FILES }, (_, index) => {
    const { path, text } = pages[index % pages.length];
    const copy = Math.floor(index / pages.length);
    const file = join(folder, "pages", String(copy), path);
    write(file, `${text}\nCopy number ${copy}.\n`);
    return file;
  });
  await sleep(SETTLE_MS);
  const first = run(folder, "pages");
  const same = Array.from({ length: ROUNDS }, () => run(folder, "pages"));
  const few = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (let index = round; index < FILES; index += 100) appendFileSync(paths[index], `\nEdit number ${round}.\n`);
    await sleep(SETTLE_MS);
    few.push(run(folder, "pages"));
  }
  return { first, same, few };
}

/** A hundred thousand short files in a thousand folders. */
function measureMany(folder) {
  for (let index = 0; index < MANY_FILES; index++) {
    const words = Array.from({ length: 40 }, (_, at) => `word${(index * 31 + at * 7919) % 50_021}`).join(" ");
    write(join(folder, "many", `folder-${index % 1000}`, `page-${index}.md`), `# Page ${index}\n\n${words}\n`);
  }
  return run(folder, "many");
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function run(folder, name) {
  const usageFile = join(folder, "usage.json");
  const env = { ...process.env, USAGE_FILE: usageFile, DOCS_STORE_URL: join(folder, `${name}.db`) };
  const start = performance.now();
  const args = ["--import", REPORT, BIN, "index", join(folder, name), "--json"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", env });
  const wall = (performance.now() - start) / 1000;
  if (status !== 0) throw new Error(`exit code ${status}\n${stderr}`);
  const { scanned, unchanged, replaced, chunks } = JSON.parse(stdout);
  return { wall, ...JSON.parse(readFileSync(usageFile, "utf8")), scanned, unchanged, replaced, chunks };
}

function format({ first, same, few }, many) {
  const middle = (runs, key) => median(runs.map((one) => one[key]));
  const row = (what, figure, bar, unit) => [
    what,
    `${figure} ${unit}`,
    bar === undefined ? "" : `${bar} ${unit}`,
    bar === undefined ? "" : figure < bar ? "met" : "missed",
  ];
  const share = (100 * middle(few, "cpu")) / first.cpu;
  const count = (number) => number.toLocaleString("en");
  return table(
    ["what", "figure", "bar", ""],
    [
      row(
        `first index of ${count(FILES)} files, ${count(first.chunks)} chunks: CPU`,
        first.cpu.toFixed(2),
        undefined,
        "s",
      ),
      row(`the same with nothing changed: wall`, middle(same, "wall").toFixed(2), 1, "s"),
      row(`the same with nothing changed: CPU`, middle(same, "cpu").toFixed(2), undefined, "s"),
      row(`one file in a hundred changed: CPU, of the first index`, share.toFixed(1), 3, "%"),
      row(`first index of ${count(MANY_FILES)} files: CPU`, many.cpu.toFixed(0), undefined, "s"),
      row(`first index of ${count(MANY_FILES)} files: peak RSS`, many.rss.toFixed(0), 600, "MB"),
    ],
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log((await measureIncremental()).markdown);
