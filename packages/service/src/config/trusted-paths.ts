import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Env } from "@docsearch/spec";
import { CONFIG_FILES, isInside } from "../project.js";
import { configError } from "./config-file.js";

// Which config files may name paths outside their projects is for the user to say, so it is kept in the user's own folder:
// a repository that was cloned can bring a config file, but not the word of the user.

/** A config file that may name paths outside its project. */
export interface TrustedConfig {
  /** Real path of the config file. */
  readonly config: string;
  /** Real paths of what it may read, sorted. */
  readonly paths: readonly string[];
}

/** Whoever changes the paths in the config file is to ask again. */
type TrustRecord = Pick<TrustedConfig, "paths">;

type Records = Readonly<Record<string, TrustRecord>>;

/** The file of the user of an environment: in `XDG_CONFIG_HOME`, else in `~/.config`. */
function trustFile(env: Env): string {
  const config = env.XDG_CONFIG_HOME?.trim() || join(env.HOME?.trim() || homedir(), ".config");
  return join(config, "docsearch", "trust.json");
}

/**
 * Whether the user trusts a config file with these paths, and no others.
 *
 * @param config real path of the config file
 * @param paths real paths outside the project
 */
export function isTrusted(env: Env, config: string, paths: readonly string[]): boolean {
  const file = trustFile(env);
  if (liesInProject(file, config)) return false;
  const records = recordsOf(file) ?? {};
  return Object.hasOwn(records, config) && isDeepStrictEqual(records[config]?.paths, sorted(paths));
}

/**
 * Notes that the user trusts a config file with these paths, instead of others.
 *
 * @throws `CONFIG_INVALID` when the user's folder lies in the project or its file is none of ours
 */
export function trust(env: Env, config: string, paths: readonly string[]): void {
  const file = trustFile(env);
  if (liesInProject(file, config)) {
    const expected = "a folder of the user outside the project; set XDG_CONFIG_HOME";
    throw configError(`${file} lies in the project; expected ${expected}`, { setting: file, value: file, expected });
  }
  write(file, { ...readRecords(file), [config]: { paths: sorted(paths) } });
}

/** Takes the trust in the config files of a project back, also in one that is gone. Returns whether there was any. */
export function revoke(env: Env, projectRoot: string): boolean {
  const file = trustFile(env);
  const configs = CONFIG_FILES.map((name) => join(realPath(projectRoot), name));
  const records = Object.entries(readRecords(file));
  const left = records.filter(([config]) => !configs.some((one) => one === config));
  if (left.length < records.length) write(file, Object.fromEntries(left));
  return left.length < records.length;
}

/** All that the user trusts, by the paths of the config files. */
export function listTrusted(env: Env): readonly TrustedConfig[] {
  return Object.entries(readRecords(trustFile(env)))
    .map(([config, { paths }]) => ({ config, paths }))
    .sort((a, b) => (a.config < b.config ? -1 : 1));
}

function sorted(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort();
}

/** A file that comes with the project is not the user's, whatever the environment calls the user's folder. */
function liesInProject(file: string, config: string): boolean {
  return isInside(dirname(config), realPath(file));
}

/** The real path, also of what is not there: links on the way to it count. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), path.slice(folder.length).replace(/^[/\\]/, ""));
  }
}

/** `undefined` for a file that is none of ours. */
function recordsOf(file: string): Records | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return {};
  }
  try {
    const { projects } = JSON.parse(text) as { readonly projects?: Records };
    const isOurs = Object.values(projects as Records).every(
      ({ paths }) => Array.isArray(paths) && paths.every((one) => typeof one === "string"),
    );
    return isOurs ? projects : undefined;
  } catch {
    return undefined;
  }
}

function readRecords(file: string): Records {
  const records = recordsOf(file);
  if (records !== undefined) return records;
  const expected = "a JSON object with projects, as docsearch trust writes it";
  throw configError(`${file} cannot be read; expected ${expected}. Delete it to begin anew`, {
    setting: file,
    value: "something else",
    expected,
  });
}

function write(file: string, projects: Records): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}-${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify({ formatVersion: 1, projects }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
}
