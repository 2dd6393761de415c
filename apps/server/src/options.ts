import { realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { indexName, SETTINGS } from "@docsearch/core/settings";
import { INDEX_FOLDER, projectRoot } from "@docsearch/service/project";
import { DocsearchError, type Env, isDocsearchError } from "@docsearch/spec";
import type { IndexJob } from "./index-job.js";
import { type Reach, resolveIndexPath } from "./index-paths.js";
import type { Patterns } from "./index-trees.js";

export interface ServerOptions {
  readonly help: boolean;
  readonly version: boolean;
  readonly transport: "stdio" | "http";
  readonly host: string;
  readonly port: number;
  readonly token?: string;
  /** Host names besides loopback by which it may be called. */
  readonly allowedHosts: readonly string[];
  /** Tools that change the index are not offered. */
  readonly readOnly: boolean;
  readonly profile: "default" | "chatgpt";
  /** Results also as objects, with output schemas. */
  readonly structured: boolean;
  readonly projectRoot: string;
  /** Real paths of the folders that may be indexed. */
  readonly roots: readonly string[];
  /** Real paths of what is kept up to date while the server runs. */
  readonly watch: readonly string[];
  /** What is watched must be quiet for so long before it is indexed. Milliseconds. */
  readonly debounceMs: number;
  /** Whether the files are looked at at intervals instead. */
  readonly poll: boolean;
  /** Which files are taken in where a source has no patterns of its own; absent for all. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Path or DSN of the index. */
  readonly location: string;
  readonly publicUrl?: string;
  /** Spans hold queries, arguments and results. */
  readonly telemetryContent: boolean;
  readonly env: Env;
}

export const HELP = `usage: docsearch-mcp [options]

MCP server for the docsearch index of this project. Speaks over stdin and stdout
unless --http is given.

  --http               serve Streamable HTTP at /mcp
  --host <address>     address to listen on; beyond loopback DOCS_SERVER_TOKEN
                       must be set [DOCS_SERVER_HOST, 127.0.0.1]
  --port <number>      port to listen on [DOCS_SERVER_PORT, 8765]
  --project <folder>   the project's folder (default: the nearest folder above
                       the working directory with an index or a config file)
  --read-only          offer no tool that changes the index; the default over
                       HTTP without a token
  --watch <path>       keep the index up to date with this folder or file while
                       the server runs; can be repeated [DOCS_SERVER_WATCH]
  --debounce <seconds> index when nothing has changed for so long
                       [DOCS_SERVER_WATCH_DEBOUNCE, 2]
  --poll               look at the files at intervals, where the system reports
                       no changes [DOCS_SERVER_WATCH_POLL]
  --include <glob>     index only files that match, as in .gitignore; can be
                       repeated [DOCS_SERVER_INCLUDE]
  --exclude <glob>     index no files that match; can be repeated
                       [DOCS_SERVER_EXCLUDE]
  --profile chatgpt    only the tools search and fetch, as ChatGPT expects them
  --structured         results also as JSON, with output schemas
  --help, --version

The index is .docsearch/index.db in the nearest folder above that has one or a
docsearch.config.json (or .yaml), else in the working directory. A path that is
a source of that file, or lies in one, is indexed by the patterns of the source.
All settings: docs/env.md.
`;

/** Hosts that only this machine reaches. */
export const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "::1", "[::1]"];

/** @throws `CONFIG_INVALID` for an unknown option or a value that one does not take */
export function readOptions(args: readonly string[], env: Env, cwd: string): ServerOptions {
  const flags = parse(args);
  const setting = (variable: string): string | undefined =>
    env[variable]?.trim() || SETTINGS.find((row) => row.variable === variable)?.fallback;
  const host = flags.host ?? (setting("DOCS_SERVER_HOST") as string);
  const token = setting("DOCS_SERVER_TOKEN");
  const transport = flags.http === true ? "http" : "stdio";
  if (token !== undefined && token.length < 16) throw invalid("DOCS_SERVER_TOKEN", "***", "at least 16 characters");
  if (transport === "http" && !LOOPBACK.includes(host) && token === undefined) {
    throw invalid("DOCS_SERVER_TOKEN", "", `a token, because ${host} can be reached from other machines`);
  }
  const root = flags.project === undefined ? projectRoot(cwd) : projectFolder(resolve(cwd, flags.project));
  const publicUrl = setting("DOCS_SERVER_PUBLIC_URL");
  const roots = rootsOf(setting("DOCS_SERVER_ROOTS"), root);
  return {
    help: flags.help === true,
    version: flags.version === true,
    transport,
    host,
    port: portOf(flags.port === undefined ? "DOCS_SERVER_PORT" : "--port", flags.port ?? setting("DOCS_SERVER_PORT")),
    ...(token !== undefined && { token }),
    allowedHosts: [...listOf(setting("DOCS_SERVER_ALLOWED_HOSTS")), ...(isWildcard(host) ? [] : [bracketed(host)])],
    readOnly: flags["read-only"] === true || (transport === "http" && token === undefined),
    profile: profileOf(flags.profile),
    structured: flags.structured === true,
    projectRoot: root,
    roots,
    watch: watchedOf(flags.watch ?? listOf(setting("DOCS_SERVER_WATCH")), { projectRoot: root, roots, env }),
    debounceMs: debounceOf(
      flags.debounce === undefined ? "DOCS_SERVER_WATCH_DEBOUNCE" : "--debounce",
      flags.debounce ?? setting("DOCS_SERVER_WATCH_DEBOUNCE"),
    ),
    poll: flags.poll === true || setting("DOCS_SERVER_WATCH_POLL") === "yes",
    ...patternsOf("include", flags.include ?? patternList(setting("DOCS_SERVER_INCLUDE"))),
    ...patternsOf("exclude", flags.exclude ?? patternList(setting("DOCS_SERVER_EXCLUDE"))),
    location: env.DOCS_STORE_URL?.trim() || join(root, INDEX_FOLDER, indexName(env)),
    ...(publicUrl !== undefined && { publicUrl: publicUrlOf(publicUrl) }),
    telemetryContent: setting("DOCS_SERVER_TELEMETRY_CONTENT") === "yes",
    env,
  };
}

interface Flags {
  readonly help?: boolean;
  readonly version?: boolean;
  readonly http?: boolean;
  readonly host?: string;
  readonly port?: string;
  readonly project?: string;
  readonly "read-only"?: boolean;
  readonly watch?: readonly string[];
  readonly debounce?: string;
  readonly poll?: boolean;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly profile?: string;
  readonly structured?: boolean;
}

function parse(args: readonly string[]): Flags {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: "boolean", short: "h" },
        version: { type: "boolean", short: "V" },
        http: { type: "boolean" },
        host: { type: "string" },
        port: { type: "string" },
        project: { type: "string" },
        "read-only": { type: "boolean" },
        watch: { type: "string", multiple: true },
        debounce: { type: "string" },
        poll: { type: "boolean" },
        include: { type: "string", multiple: true },
        exclude: { type: "string", multiple: true },
        profile: { type: "string" },
        structured: { type: "boolean" },
      },
    });
    return values;
  } catch (cause) {
    const message = `${cause instanceof Error ? cause.message.split(". ")[0] : cause} (see docsearch-mcp --help)`;
    throw new DocsearchError("CONFIG_INVALID", message, {
      setting: "options",
      value: args.join(" "),
      expected: "the options of docsearch-mcp --help",
    });
  }
}

function projectFolder(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw invalid("--project", folder, "a folder that exists");
}

function profileOf(profile = "default"): "default" | "chatgpt" {
  if (profile === "default" || profile === "chatgpt") return profile;
  throw invalid("--profile", profile, "default or chatgpt");
}

function portOf(name: string, value = ""): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw invalid(name, value, "a whole number from 0 to 65535");
}

function publicUrlOf(value: string): string {
  if (/^https?:\/\/\S+$/.test(value)) return value.replace(/\/*$/, "/");
  throw invalid("DOCS_SERVER_PUBLIC_URL", value, "an address that begins with http:// or https://");
}

function listOf(value = ""): string[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function rootsOf(value: string | undefined, root: string): string[] {
  const folders = value === undefined ? [root] : listOf(value).map((folder) => resolve(root, folder));
  return folders.map((folder) => {
    try {
      return realpathSync(folder);
    } catch {
      throw invalid("DOCS_SERVER_ROOTS", folder, "folders that exist");
    }
  });
}

/** @throws `CONFIG_INVALID` for what is not there or may not be read */
function watchedOf(paths: readonly string[], reach: Reach): string[] {
  try {
    return [...new Set(paths.map((path) => resolveIndexPath(path, reach)))];
  } catch (cause) {
    // What is wrong with the config file, or with a source of it, says so itself.
    if (isDocsearchError(cause, "CONFIG_INVALID") && cause.details.setting !== "path") throw cause;
    const expected = "folders and files of the project that exist; DOCS_SERVER_ROOTS allows others";
    throw invalid("--watch or DOCS_SERVER_WATCH", paths.join(","), expected, cause);
  }
}

/** Seconds as milliseconds. */
function debounceOf(name: string, value = ""): number {
  const seconds = Number(value);
  if (/^\d+(\.\d+)?$/.test(value) && seconds <= 3600) return seconds * 1000;
  throw invalid(name, value, "seconds from 0 to 3600");
}

/** Patterns of a list; a comma in braces belongs to its pattern. */
function patternList(value: string | undefined): string[] {
  if (value === undefined) return [];
  const parts = value.match(/(?:\{[^{}]*\}|[^,])+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function patternsOf(name: "include" | "exclude", patterns: readonly string[]): Patterns {
  return patterns.length === 0 ? {} : { [name]: patterns };
}

/** An index run over paths, as the options have it. */
export function jobOf(
  { projectRoot, roots, env, location, include, exclude }: ServerOptions,
  paths: readonly string[],
): IndexJob {
  return { paths, projectRoot, roots, env, location, ...(include && { include }), ...(exclude && { exclude }) };
}

/** An address of IPv6 as it stands in a Host header. */
function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::" || host === "[::]";
}

function invalid(setting: string, value: string, expected: string, cause?: unknown): DocsearchError {
  const details = { setting, value, expected };
  return new DocsearchError("CONFIG_INVALID", `${setting} is "${value}"; expected ${expected}`, details, { cause });
}
