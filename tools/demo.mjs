// Indexes real documentation, the Markdown of the npm package bun-types, and asks it three questions.
// usage: npm run demo [-- QUESTION...]      with arguments: asks that instead
//
// It runs the command as a user would. The index stays in .docsearch, so `npx docsearch search` goes on from there.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./lib/run.mjs";

// The one word of the first that means something stands on no page: Sinon is a library of spies for tests.
const QUESTIONS = [
  "what about sinon",
  "find out which lines my tests miss",
  "share code between several packages in one repository",
];

const command = join(ROOT, "apps", "cli", "bin", "docsearch.js");
const words = process.argv.slice(2).join(" ");
const started = performance.now();

rmSync(join(ROOT, ".docsearch"), { recursive: true, force: true });
docsearch("index", join("node_modules", "bun-types"), "--include", "**/*.{md,mdx}");
for (const question of words === "" ? QUESTIONS : [words]) {
  process.stdout.write(`\n? ${question}\n\n`);
  docsearch("search", question, "--limit", "3", "--group-by", "document", "--explain");
}
const seconds = ((performance.now() - started) / 1000).toFixed(1);
process.stdout.write(`\nThe demo took ${seconds} s. Ask more: npx docsearch search "your question"\n`);

/** @param {string[]} args */
function docsearch(...args) {
  const { status } = spawnSync(process.execPath, [command, ...args], { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
