import { type Command, Option } from "commander";
import { refuseFlagsOfParent } from "./refuse-flags-of-parent.js";
import type { Flags } from "./setting-flags.js";

type Handler = (operands: readonly string[], flags: never) => Promise<void>;

const MCP_EXAMPLES = `
Examples:
  docsearch mcp                                speak MCP over stdin and stdout
  docsearch mcp --http                         serve http://127.0.0.1:8765/mcp
  docsearch mcp --watch docs --watch src       index what changes there
  docsearch mcp install claude-code            show what would be written
  docsearch mcp install claude-code --write    write it, with a backup
  docsearch mcp config codex                   a snippet to copy

Clients: claude-code, claude-desktop, cursor, vscode, codex, gemini, zed,
windsurf, kiro, cline.`;

const SKILL_EXAMPLES = `
Examples:
  docsearch skill > SKILL.md
  docsearch skill --output .claude/skills`;

/** Adds the commands for agents. What they do is imported when they run: a search never loads the MCP server. */
export function addMcpCommands(program: Command, errorLine: (message: string, command: string) => string): void {
  const mcp = program
    .command("mcp")
    .description("serve the index to agents over MCP")
    .option("--http", "serve Streamable HTTP instead of stdin and stdout")
    .option("--host <address>", "address to listen on [DOCS_SERVER_HOST]")
    .option("--port <number>", "port to listen on [DOCS_SERVER_PORT]")
    .option("--project <folder>", "the project's folder (default: where the nearest index is)")
    .option("--read-only", "offer no tool that changes the index")
    .option("--watch <path>", "keep the index up to date with it meanwhile; can be repeated", collect)
    .option("--debounce <seconds>", "index when nothing has changed for so long [DOCS_SERVER_WATCH_DEBOUNCE]")
    .option("--poll", "look at the files at intervals [DOCS_SERVER_WATCH_POLL]")
    .option("--include <glob>", "index only files that match; can be repeated [DOCS_SERVER_INCLUDE]", collect)
    .option("--exclude <glob>", "index no files that match; can be repeated [DOCS_SERVER_EXCLUDE]", collect)
    .addOption(new Option("--profile <name>", "which tools to offer").choices(["default", "chatgpt"]))
    .option("--structured", "results also as JSON, with output schemas")
    .addHelpText("after", MCP_EXAMPLES);
  run(mcp, async () => (await import("./commands/mcp.js")).mcpCommand);

  const config = mcp
    .command("config <client>")
    .description("print a client's configuration")
    .option("--url <address>", "of a server that runs over HTTP");
  run(config, async () => (await import("./commands/mcp-install.js")).mcpConfigCommand);

  const install = mcp
    .command("install <client>")
    .description("show what a client's file would become, or write it")
    .option("--url <address>", "of a server that runs over HTTP")
    .option("--write", "write the file and keep the old one beside it");
  run(install, async () => (await import("./commands/mcp-install.js")).mcpInstallCommand);

  const skill = program
    .command("skill")
    .description("print a SKILL.md for this index")
    .option("-o, --output <folder>", "write it below this folder of skills")
    .addHelpText("after", SKILL_EXAMPLES);
  run(skill, async () => (await import("./commands/skill.js")).skillCommand);

  for (const command of [mcp, config, install, skill]) {
    const name = command.parent === mcp ? `docsearch mcp ${command.name()}` : `docsearch ${command.name()}`;
    command.configureOutput({ outputError: (message, write) => write(errorLine(message, name)) });
  }
}

function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

function run(command: Command, load: () => Promise<Handler>): void {
  command.action(async () => {
    refuseFlagsOfParent(command);
    const handler = await load();
    await handler(command.args, command.opts<Flags>() as never);
  });
}
