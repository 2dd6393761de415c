// Fails when a package imports what it must not, and on the other rules of tools/boundaries/rules.mjs.
// usage: node tools/check-boundaries.mjs [ROOT]
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkBoundaries } from "./boundaries/check.mjs";
import { ROOT } from "./lib/run.mjs";

const root = process.argv[2] ?? ROOT;
const { problems, warnings } = checkBoundaries(root, tracked());
for (const line of warnings) process.stdout.write(`warning ${line}\n`);
for (const line of problems) process.stdout.write(`${line}\n`);
process.stdout.write(`boundaries: ${problems.length} problems, ${warnings.length} warnings\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Files that are new and not ignored count too, so that the check fails before the commit and not after it. */
function tracked() {
  if (!existsSync(join(root, ".git"))) {
    process.stdout.write("warning not a git work tree: the text of tracked files is not checked\n");
    return [];
  }
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listing = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  return listing.split("\0").filter((file) => file !== "");
}
