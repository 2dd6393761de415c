import { SETTINGS } from "@docsearch/core/settings";
import type { Env } from "@docsearch/spec";
import { type Command, Option } from "commander";

/** Gives a command the flags of the settings table, under their own heading in the help. */
export function addSettingFlags(command: Command): Command {
  for (const setting of SETTINGS) {
    if (setting.flag === undefined) continue;
    const fallback = setting.fallback === undefined ? "" : ` (default: ${setting.fallback})`;
    command.addOption(
      new Option(`--${setting.flag} <value>`, `${setting.description}${fallback} [${setting.variable}]`).helpGroup(
        "Settings, also from the environment:",
      ),
    );
  }
  return command;
}

/** The environment with the command's flags put over it. */
export function environmentWith(options: Readonly<Record<string, unknown>>, env: Env): Env {
  const merged: Record<string, string | undefined> = { ...env };
  for (const { flag, variable } of SETTINGS) {
    const value = flag === undefined ? undefined : options[camelCase(flag)];
    if (typeof value === "string") merged[variable] = value;
  }
  return merged;
}

function camelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
