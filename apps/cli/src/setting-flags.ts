import { SETTINGS, type Setting } from "@docsearch/core/settings";
import type { Env } from "@docsearch/spec";
import { type Command, Option } from "commander";

/** Flags of a command by name, as the command line has them. */
export type Flags = Readonly<Record<string, unknown>>;

/** Which settings a command heeds. */
export type SettingsOf = "search" | "index" | "chunk" | "log";

/** Settings of answering a query: an index is the same whatever they are. */
const ANSWERING = /^DOCS_(FUSION|WEIGHT|CANDIDATES|QUERY_LOG|RERANKER)/;
const LOGGING = /^DOCS_QUERY_LOG/;
const CHUNKING = /^DOCS_CHUNK/;
/** Settings of the server; no command of this kind heeds them. */
const SERVING = /^DOCS_SERVER/;

/** Gives a command the flags of the settings table, under their own heading in the help. */
export function addSettingFlags(command: Command, kind: SettingsOf): Command {
  const settings = SETTINGS.filter(({ variable }) => isHeeded(variable, kind));
  for (const setting of settings) if (setting.flag !== undefined) command.addOption(optionOf(setting));
  const others = settings.filter(({ flag }) => flag === undefined).map(({ variable }) => variable);
  if (others.length > 0) command.addHelpText("after", `\nFrom the environment alone:\n${lines(others).join("\n")}`);
  return command;
}

/** Names in lines that fit a terminal, indented. */
function lines(names: readonly string[]): string[] {
  const all: string[] = [];
  for (const name of names) {
    const last = all.at(-1);
    if (last !== undefined && last.length + name.length < 76) all[all.length - 1] = `${last}, ${name}`;
    else all.push(`  ${name}`);
  }
  return all;
}

function isHeeded(variable: string, kind: SettingsOf): boolean {
  if (SERVING.test(variable)) return false;
  if (kind === "search") return true;
  if (kind === "log") return LOGGING.test(variable);
  return kind === "index" ? !ANSWERING.test(variable) : CHUNKING.test(variable);
}

function optionOf({ flag, variable, kind, choices, fallback, description }: Setting): Option {
  const value = kind === "integer" || kind === "number" ? "number" : "value";
  const byDefault = fallback === undefined ? "" : ` Default: ${fallback}.`;
  const option = new Option(`--${flag} <${value}>`, `${description}${byDefault} [${variable}]`);
  if (choices !== undefined) option.choices(choices);
  return option.helpGroup("Settings, also from the environment:");
}

/** The environment with the command's flags put over it. */
export function environmentWith(flags: Flags, env: Env): Env {
  const merged: Record<string, string | undefined> = { ...env };
  for (const { flag, variable } of SETTINGS) {
    const value = flag === undefined ? undefined : flags[camelCase(flag)];
    if (typeof value === "string") merged[variable] = value;
  }
  return merged;
}

/** How the user wrote a setting: as a flag, else as the variable. */
export function nameOfSetting(variable: string, flags: Flags): string {
  const flag = SETTINGS.find((setting) => setting.variable === variable)?.flag;
  return flag !== undefined && flags[camelCase(flag)] !== undefined ? `--${flag}` : variable;
}

function camelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
