import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { unknownVariables } from "@docsearch/core";
import { DocsearchError, type Env, isDocsearchError } from "@docsearch/spec";
import { environmentWith, type Flags, nameOfSetting } from "./setting-flags.js";
import { isSimilar } from "./similar.js";

/** Folder of this package: where the backends that it brings are found. */
export const PACKAGE_ROOT: string = fileURLToPath(new URL("..", import.meta.url));

/**
 * The environment with the flags put over it. A backend that is named by a relative path lies below the working
 * directory, as any other path on a command line; other names are looked up beside this package.
 */
export function environmentOf(flags: Flags): Env {
  const env = environmentWith(flags, process.env);
  const paths = Object.entries(env).filter(
    ([variable, value]) => /^DOCS_\w+_BACKEND$/.test(variable) && /^\.{1,2}[/\\]/.test(value?.trim() ?? ""),
  );
  return { ...env, ...Object.fromEntries(paths.map(([variable, value]) => [variable, resolve(String(value).trim())])) };
}

/** Runs `body` with the settings of flags and environment; a wrong value is reported under the name by which it came. */
export async function withSettings<T>(flags: Flags, body: (env: Env) => Promise<T>): Promise<T> {
  try {
    return await body(environmentOf(flags));
  } catch (error) {
    throw isDocsearchError(error, "CONFIG_INVALID") ? underUsersName(error, flags) : error;
  }
}

/** A sentence for each variable that begins like ours and is not. */
export function misspeltVariables(): string[] {
  return unknownVariables(process.env).map(({ variable, nearest }) =>
    isSimilar(variable.replace("DOCS_", ""), nearest.replace("DOCS_", ""))
      ? `${variable} is not a setting; did you mean ${nearest}?`
      : `${variable} is not a setting; docsearch index --help and docsearch search --help list them`,
  );
}

function underUsersName(error: DocsearchError<"CONFIG_INVALID">, flags: Flags): Error {
  const { setting, value, expected } = error.details;
  const name = nameOfSetting(setting, flags);
  if (name === setting) return error;
  const details = { setting: name, value, expected };
  return new DocsearchError("CONFIG_INVALID", `${name} is "${value}"; expected ${expected}`, details, { cause: error });
}
