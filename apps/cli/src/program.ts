import { Command, InvalidArgumentError, Option } from "commander";
import { EXAMPLES } from "./examples.js";
import { parseSeconds, parseSize } from "./index-flags.js";
import { addMcpCommands } from "./mcp-commands.js";
import { warn } from "./output/warn.js";
import { refuseFlagsOfParent } from "./refuse-flags-of-parent.js";
import { addSettingFlags, type Flags, type SettingsOf } from "./setting-flags.js";
import { isSimilar } from "./similar.js";
import { version } from "./version.js";

/** What a command does with its operands and flags. */
type Handler = (operands: readonly string[], flags: never) => Promise<void>;

/** The command line. Commands are imported when they run, so that `--help` and a search start fast. */
export function buildProgram(): Command {
  const program = new Command("docsearch")
    .description("Hybrid search over documentation and code, on your machine, with the network off.")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    // Also before the command; each command lists it among its own.
    .addOption(new Option("--json").hideHelp())
    .exitOverride()
    .configureOutput({ outputError: (message, write) => write(errorLine(message, "docsearch")) })
    .addHelpText("after", EXAMPLES.docsearch)
    .hook("preAction", warnOfVariables);

  const index = addCommand(program, "index", "bring an index up to date with files and folders").argument(
    "[paths...]",
    "files and folders, each a collection; what vanished leaves the index (default: the sources, else .)",
  );
  addGlobFlags(index)
    .option("--rebuild", "make the index anew, also one that was made with other settings")
    .option("--rehash", "read every file, also those that look as they did in the last run");
  addFileFlags(index)
    .option("--list-skipped", "list what was left out, with the reason")
    .option("--json", "print the report as JSON");
  complete(index, "index", async () => (await import("./commands/index.js")).indexCommand);

  const rollback = addCommand(index, "rollback", "put the index back that was there before the last --rebuild").option(
    "--json",
    "print the outcome as JSON",
  );
  complete(rollback, "index", async () => (await import("./commands/rollback.js")).rollbackCommand);

  const embed = addCommand(program, "embed", "embed an index with another model, beside the one that answers")
    .option("--model <name>", "a name on the hub, a folder, a name that a server knows; default: the index's own")
    .option("--backend <name>", "transformers, openai or static, where the model's name does not tell")
    .option("--json", "print the report as JSON");
  complete(embed, "index", async () => (await import("./commands/embed.js")).embedCommand);
  const embedList = addCommand(embed, "list", "list the models of an index, and how many chunks each has").option(
    "--json",
    "print them as JSON",
  );
  complete(embedList, "index", async () => (await import("./commands/embed-spaces.js")).embedListCommand, "embed");
  const embedUse = addCommand(embed, "use", "make a model the one that the index answers with, in one step")
    .argument("<model>", "a model of the index, as docsearch embed list shows it")
    .option("--force", "also one that lacks chunks")
    .option("--json", "print the outcome as JSON");
  complete(embedUse, "index", async () => (await import("./commands/embed-spaces.js")).embedUseCommand, "embed");
  const embedDrop = addCommand(embed, "drop", "remove the vectors of a model that the index does not answer with")
    .argument("<model>", "a model of the index, as docsearch embed list shows it")
    .option("--json", "print the outcome as JSON");
  complete(embedDrop, "index", async () => (await import("./commands/embed-spaces.js")).embedDropCommand, "embed");

  const models = addCommand(program, "models", "list the models that are configured, known and on this machine")
    .option("--measure", "also how fast those are that are here, a few seconds each")
    .option("--json", "print them as JSON");
  complete(models, "index", async () => (await import("./commands/models.js")).modelsCommand);

  const sources = addCommand(program, "sources", "list the sources that the project's config file names").option(
    "--json",
    "print them as JSON",
  );
  complete(sources, "log", async () => (await import("./commands/sources.js")).sourcesCommand);
  const sourcesAdd = addCommand(sources, "add", "name a source: what docsearch index and watch take without paths")
    .argument("<name>", "name of its collection")
    .argument("<path>", "a folder or file; one outside the project needs docsearch trust");
  addGlobFlags(sourcesAdd).option("--json", "print the source as JSON");
  complete(sourcesAdd, "log", async () => (await import("./commands/sources.js")).sourcesAddCommand, "sources");
  const sourcesRemove = addCommand(sources, "remove", "take a source out, and its documents out of the index")
    .argument("<name>", "name of the source")
    .option("--json", "print the outcome as JSON");
  complete(sourcesRemove, "index", async () => (await import("./commands/sources.js")).sourcesRemoveCommand, "sources");

  const trust = addCommand(program, "trust", "allow the config file of this project to name paths outside of it")
    .option("--list", "list what is allowed, of all projects")
    .option("--revoke", "take it back")
    .option("--json", "print the outcome as JSON");
  trust.addHelpText("after", EXAMPLES.trust);
  trust.action(async () => {
    refuseFlagsOfParent(trust);
    await (await import("./commands/trust.js")).trustCommand(trust.optsWithGlobals());
  });

  const watch = addCommand(program, "watch", "keep an index up to date while files change").argument(
    "[paths...]",
    "files and folders, as for index (default: the sources, else .)",
  );
  addGlobFlags(watch);
  addFileFlags(watch)
    .option("--debounce <seconds>", "wait until nothing has changed for so long", parseSeconds, 2)
    .option("--poll", "look at the files at intervals, where the system reports no changes")
    .option("--json", "print a report as JSON for each run that changed something");
  complete(watch, "index", async () => (await import("./commands/watch.js")).watchCommand);

  const search = addCommand(program, "search", "search the index").argument(
    "<query...>",
    "a question, keywords or a name; - reads it from standard input",
  );
  addSearchFlags(search)
    .option("--merge", "sections that follow each other become one result")
    .option("--offset <count>", "leave out so many of the best", parseOffset)
    .option("--cursor <text>", "go on behind an answer: next of its --json")
    .option("--max-chars <count>", "show the lines that fit best, so many characters over all results", parseCount)
    .option("--no-query-filters", 'path:, lang:, in: and -"..." in the query are text like any other')
    .option("--explain", "show where each score comes from")
    .option("--json", "print the results as JSON, with their whole text");
  complete(search, "search", async () => (await import("./commands/search.js")).searchCommand);

  const why = addCommand(program, "why", "say why a file is among the results of a query, or which step lost it")
    .argument("<query>", "what was asked")
    .argument("<place>", "a file, or a line of it: docs/guide.md:12");
  addSearchFlags(why)
    .option("--no-query-filters", 'path:, lang:, in: and -"..." in the query are text like any other')
    .option("--json", "print the steps as JSON");
  complete(why, "search", async () => (await import("./commands/why.js")).whyCommand);

  const symbols = addCommand(program, "symbols", "find where the code of the index defines a name")
    .argument("<name>", "a name (match) or a qualified one (Router.match)")
    .option("--kind <kind>", "only definitions of this kind, such as class")
    .option("-n, --limit <count>", "most definitions", parseCount, 20)
    .option("-p, --path <path>", "only this file, or files in this folder; can be repeated", collect)
    .option("--json", "print the definitions as JSON");
  complete(symbols, "index", async () => (await import("./commands/symbols.js")).symbolsCommand);

  const outline = addCommand(program, "outline", "list the headings or definitions of a document of the index")
    .argument("<path>", "a file of the index")
    .option("--json", "print them as JSON");
  complete(outline, "index", async () => (await import("./commands/outline.js")).outlineCommand);

  const status = addCommand(program, "status", "say what an index holds and what it was made with");
  status.option("--json", "print it as JSON");
  complete(status, "index", async () => (await import("./commands/status.js")).statusCommand);

  const gaps = addCommand(program, "gaps", "list what people asked for and the documents do not answer")
    .argument("[log]", "a query log (default: the file that DOCS_QUERY_LOG names)")
    .option("-n, --limit <count>", "most topics", parseCount, 20)
    .option("--json", "print the topics as JSON");
  complete(gaps, "log", async () => (await import("./commands/gaps.js")).gapsCommand);

  const doctor = addCommand(program, "doctor", "look for faults in an index and in the settings");
  doctor.option("--json", "print the findings as JSON");
  complete(doctor, "index", async () => (await import("./commands/doctor.js")).doctorCommand);

  const chunk = addCommand(program, "chunk", "show how a file is cut into chunks; no index is needed")
    .argument("<file>", "a file that an index would take in")
    .option("--json", "print the chunks as JSON, with the text that would be embedded");
  complete(chunk, "chunk", async () => (await import("./commands/chunk.js")).chunkCommand);

  const evaluation = addCommand(program, "eval", "measure how well an index answers queries whose answers are known")
    .argument("[queries]", "a set of queries and their answers, as JSON lines")
    .option("--auto", "make the queries from the index: descriptions, headings, link texts")
    .option("--sample <count>", "with --auto: most queries of each of these kinds", parseCount, 100)
    .option("--seed <number>", "with --auto: another number draws other queries", parseCount, 1)
    .option("--base <folder>", "folder that the paths of the set start from (default: that of the index)")
    .option(
      "-a, --arm <arm>",
      "keyword, semantic, hybrid, rrf, without-RULE, or NAME={request}; can be repeated",
      collect,
    )
    .option("--metric <metric>", "such as ndcg@10 or section-hit@5; can be repeated", collect)
    .option("--fail-under <gate>", "exit with 1 below it, such as mrr@10=0.8; can be repeated", collect)
    .option("--compare <file>", "show what changed since a run that was saved")
    .option("--save <file>", "keep the run with all its queries, for --compare")
    .option("--tune", "choose the weights of words and vectors for this index, by cross-validation")
    .option("--json", "print the run as JSON");
  complete(evaluation, "search", async () => (await import("./commands/eval.js")).evalCommand);

  addMcpCommands(program, errorLine);

  return program;
}

function addCommand(program: Command, name: string, description: string): Command {
  const prefix = program.parent === null ? "docsearch" : `docsearch ${program.name()}`;
  return program
    .command(name)
    .description(description)
    .configureOutput({ outputError: (message, write) => write(errorLine(message, `${prefix} ${name}`)) });
}

/** Which files of the folders. */
function addGlobFlags(command: Command): Command {
  return command
    .option("--include <glob>", "only files that match, as in .gitignore; can be repeated", collect)
    .option("--exclude <glob>", "no files that match; can be repeated", collect);
}

/** What of these files is taken. */
function addFileFlags(command: Command): Command {
  return command
    .option("--prune", "also empty a collection of which no file is left")
    .option("--max-file-size <size>", "leave out larger files, such as 500kB (default: 10MB)", parseSize)
    .option("--include-secrets", "take in files that look like keys or passwords");
}

/** How to search, and where. */
function addSearchFlags(command: Command): Command {
  return command
    .addOption(
      new Option("-m, --mode <mode>", "how to search").choices(["hybrid", "keyword", "semantic"]).default("hybrid"),
    )
    .option("-n, --limit <count>", "most results", parseCount, 10)
    .addOption(
      new Option("-g, --group-by <unit>", "a result for each section that fits, or for each document")
        .choices(["chunk", "document"])
        .default("chunk"),
    )
    .option("-p, --path <path>", "only this file, or files in this folder; can be repeated", collectPaths(command))
    .option("-c, --collection <name>", "only documents of this collection; can be repeated", collect);
}

/** Adds the flags of the settings, the examples, and what the command does, which is imported then. */
function complete(
  command: Command,
  settings: SettingsOf,
  load: () => Promise<Handler>,
  examples: string = command.name(),
): void {
  addSettingFlags(command, settings);
  command.addHelpText("after", EXAMPLES[examples as keyof typeof EXAMPLES]);
  command.action(async () => {
    refuseFlagsOfParent(command);
    const handler = await load();
    await handler(command.args, command.optsWithGlobals<Flags>() as never);
  });
}

async function warnOfVariables(_program: Command, command: Command): Promise<void> {
  // The doctor has them among its findings.
  if (command.name() === "doctor") return;
  const { misspeltVariables } = await import("./environment.js");
  for (const message of misspeltVariables()) warn(message);
}

/** What commander says of a wrong command line, as one line that looks like our other errors. */
function errorLine(message: string, command: string): string {
  const hint = `see ${command} --help`;
  const isDashed = /^docsearch (?:search|why)$/.test(command) && message.startsWith("error: unknown option");
  const text = message
    .trim()
    .replace(/^error: /, "")
    .replace(/\n\(Did you mean (?:one of )?(.+)\?\)/s, (_, names: string) => suggestion(message, names.split(", ")))
    .replace(/\.$/, "");
  return `docsearch: ${text} (${isDashed ? `a query that begins with a dash goes behind --; ${hint}` : hint})\n`;
}

/** Of the names that commander suggests those that can be a slip of the one that was given. */
function suggestion(message: string, names: readonly string[]): string {
  const given = /unknown (?:command|option) '-*([^']+)'/.exec(message)?.[1] ?? "";
  const similar = names.filter((name) => isSimilar(given, name.replace(/^-+/, "")));
  return similar.length === 0 ? "" : `; did you mean ${similar.join(" or ")}?`;
}

function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** As `collect`, but `-path:test` is the filter of a query, which commander takes for `-p` with the path `ath:test`. */
function collectPaths(command: Command): typeof collect {
  return (value, previous) => {
    if (value.startsWith("ath:") && process.argv.includes(`-p${value}`)) {
      command.error(`error: unknown option '-p${value}'`);
    }
    return collect(value, previous);
  };
}

function parseOffset(value: string): number {
  const offset = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(offset)) return offset;
  throw new InvalidArgumentError("Expected a whole number of at least 0.");
}

function parseCount(value: string): number {
  const count = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(count) && count >= 1) return count;
  throw new InvalidArgumentError("Expected a whole number of at least 1.");
}
