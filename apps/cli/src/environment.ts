import { fileURLToPath } from "node:url";
import { unknownVariables } from "@docsearch/core";
import { DocsearchError, type Env, isDocsearchError } from "@docsearch/spec";
import { environmentWith, type Flags, nameOfSetting } from "./setting-flags.js";

/** Folder of this package: where the backends that it brings are found. */
export const PACKAGE_ROOT: string = fileURLToPath(new URL("..", import.meta.url));

/** Runs `body` with the settings of flags and environment; a wrong value is reported under the name by which it came. */
export async function withSettings<T>(flags: Flags, body: (env: Env) => Promise<T>): Promise<T> {
  try {
    return await body(environmentWith(flags, process.env));
  } catch (error) {
    throw isDocsearchError(error, "CONFIG_INVALID") ? underUsersName(error, flags) : error;
  }
}

/** A sentence for each variable that begins like ours and is not. */
export function misspeltVariables(): string[] {
  return unknownVariables(process.env).map(
    ({ variable, nearest }) => `${variable} is not a setting; did you mean ${nearest}?`,
  );
}

function underUsersName(error: DocsearchError<"CONFIG_INVALID">, flags: Flags): Error {
  const { setting, value, expected } = error.details;
  const name = nameOfSetting(setting, flags);
  if (name === setting) return error;
  const details = { setting: name, value, expected };
  return new DocsearchError("CONFIG_INVALID", `${name} is "${value}"; expected ${expected}`, details, { cause: error });
}
