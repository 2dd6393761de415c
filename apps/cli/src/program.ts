import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import { addSettingFlags } from "./setting-flags.js";

const EXAMPLES = `
Examples:
  docsearch index docs README.md             index a folder and a file
  docsearch search "how do I retry a job"    ask in words
  docsearch search useEffect --mode keyword  look for a name
  docsearch search '"exact words" more'      quoted words must stand together
  docsearch search retry --json | jq .       for scripts

Exit codes: 0 done or found, 1 nothing found or some files failed, 2 error.
Results go to stdout, everything else to stderr.`;

/** The command line. Commands are imported when they run, so that \`--help\` and a search start fast. */
export function buildProgram(): Command {
  const program = new Command("docsearch")
    .description("Hybrid search over documentation and code, on your machine, with the network off.")
    .version(version())
    .exitOverride()
    .showHelpAfterError("(docsearch --help shows the commands)")
    .addHelpText("after", EXAMPLES);

  addSettingFlags(
    program
      .command("index")
      .description("bring the index up to date with files and folders")
      .argument("<paths...>", "files and folders; what vanished from a folder leaves the index")
      .option("--include <glob...>", "only files that match")
      .option("--exclude <glob...>", "no files that match")
      .option("--rebuild", "drop the index first, also one made with other settings")
      .option("--json", "print the report as JSON"),
  ).action(async (...args) => (await import("./commands/index.js")).indexCommand(...(args as [string[], object])));

  addSettingFlags(
    program
      .command("search")
      .description("search the index")
      .argument("<query...>", "question, keywords or a name; quoted text must stand as it is")
      .addOption(
        new Option("-m, --mode <mode>", "how to search").choices(["hybrid", "keyword", "semantic"]).default("hybrid"),
      )
      .option("-n, --limit <count>", "most results", "10")
      .addOption(
        new Option("--group-by <unit>", "results per section or per document")
          .choices(["chunk", "document"])
          .default("chunk"),
      )
      .option("--path <prefix>", "only documents whose path begins so")
      .option("--collection <name...>", "only documents of these collections")
      .option("--explain", "show where each score comes from")
      .option("--json", "print the results as JSON"),
  ).action(async (...args) => (await import("./commands/search.js")).searchCommand(...(args as [string[], object])));

  addSettingFlags(
    program
      .command("status")
      .description("say what is in the index and what it was made with")
      .option("--json", "print as JSON"),
  ).action(async (...args) => (await import("./commands/status.js")).statusCommand(...(args as [object])));

  addSettingFlags(
    program.command("doctor").description("look for faults in the index").option("--json", "print as JSON"),
  ).action(async (...args) => (await import("./commands/doctor.js")).doctorCommand(...(args as [object])));

  addSettingFlags(
    program
      .command("chunk")
      .description("show how a file is cut into chunks")
      .argument("<file>")
      .option("--json", "print the chunks as JSON"),
  ).action(async (...args) => (await import("./commands/chunk.js")).chunkCommand(...(args as [string, object])));

  return program;
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  return manifest.version;
}
