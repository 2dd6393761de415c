import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { DocsearchError } from "@docsearch/spec";
import { CONFIG_FILES, isInside } from "../project.js";
import type { ConfigText } from "./config-text.js";
import { parseJson } from "./parse-json.js";
import { parseYaml } from "./parse-yaml.js";

/** Files that are indexed as a collection of their own. */
export interface SourceConfig {
  /** Folder or file, from the folder of the config file, or absolute. */
  readonly path: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

export interface ProjectConfig {
  /** Path of the file. */
  readonly file: string;
  /** By the names of their collections. */
  readonly sources: ReadonlyMap<string, SourceConfig>;
  /** Line of a key, 1-based, by the keys that lead to it. */
  lineOf(path: readonly string[]): number;
}

const MOST_BYTES = 256_000;
const MOST_NAME = 100;
const SOURCE_KEYS = ["path", "include", "exclude"];

// The config file is data alone: nothing in it runs, and nothing outside the project is read for it.

/**
 * What the config file of a project says; `undefined` when there is none.
 *
 * @throws `CONFIG_INVALID` for what is not understood, with the line, and when there are two such files
 */
export function readConfig(projectRoot: string): ProjectConfig | undefined {
  const found = CONFIG_FILES.flatMap((name) => {
    const file = join(projectRoot, name);
    const text = readText(file, projectRoot);
    return text === undefined ? [] : [{ file, text }];
  });
  const [first, second] = found;
  if (first === undefined) return undefined;
  if (second !== undefined) {
    const both = `${first.file} and ${second.file} are there both`;
    throw configError(`${both}; expected one of them: put the sources of both into one and delete the other`, {
      setting: basename(first.file),
      value: basename(second.file),
      expected: "one config file",
    });
  }
  return parseConfig(first.text, first.file);
}

/**
 * Reads the text of a config file.
 *
 * @throws `CONFIG_INVALID` with the line of what is not understood
 */
export function parseConfig(text: string, file: string): ProjectConfig {
  const parsed = parseText(text, file);
  const check = new Check(file, parsed);
  const config = check.object(
    [],
    parsed.value ?? {},
    'an object such as { "sources": { "docs": { "path": "docs" } } }',
  );
  check.keys([], config, ["sources", "$schema"], "no key but sources");
  const sources = check.object(["sources"], config.sources ?? {}, 'an object such as { "docs": { "path": "docs" } }');
  const all = Object.entries(sources).map(([name, source]) => [name, check.source(name, source)] as const);
  return { file, sources: new Map(all), lineOf: parsed.lineOf };
}

/**
 * Says what is wrong with a source before it is written to a file.
 *
 * @throws `CONFIG_INVALID`
 */
export function checkSource(file: string, name: string, source: SourceConfig): void {
  new Check(file, undefined).source(name, source);
}

export function isYaml(file: string): boolean {
  return !file.endsWith(".json");
}

export function configError(
  message: string,
  details: { readonly setting: string; readonly value: string; readonly expected: string },
): DocsearchError {
  return new DocsearchError("CONFIG_INVALID", message, details);
}

class Check {
  readonly #file: string;
  readonly #text: ConfigText | undefined;

  constructor(file: string, text: ConfigText | undefined) {
    this.#file = file;
    this.#text = text;
  }

  source(name: string, value: unknown): SourceConfig {
    const at = ["sources", name];
    if (name === "" || name.trim() !== name || name.length > MOST_NAME || /\p{Cc}/u.test(name)) {
      throw this.#wrong(at, name, `a name of at most ${MOST_NAME} characters without blanks around it`);
    }
    const source = this.object(at, value, 'an object such as { "path": "docs" }');
    this.keys(at, source, SOURCE_KEYS, `one of ${SOURCE_KEYS.join(", ")}`);
    const { path } = source;
    if (typeof path !== "string" || path === "")
      throw this.#wrong([...at, "path"], path, "the path of a folder or file");
    if (path.includes("\0") || /^~|^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
      const expected = "a path from the folder of this file, or an absolute one; ~ and addresses stand for nothing";
      throw this.#wrong([...at, "path"], path, expected);
    }
    for (const key of ["include", "exclude"]) {
      const patterns = source[key];
      const isList = Array.isArray(patterns) && patterns.every((one) => typeof one === "string");
      if (patterns !== undefined && !isList) throw this.#wrong([...at, key], patterns, "a list of patterns");
    }
    return source as unknown as SourceConfig;
  }

  object(at: readonly string[], value: unknown, expected: string): Record<string, unknown> {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw this.#wrong(at, value, expected);
  }

  keys(at: readonly string[], value: Record<string, unknown>, known: readonly string[], expected: string): void {
    const unknown = Object.keys(value).find((key) => !known.includes(key));
    if (unknown !== undefined) throw this.#wrong([...at, unknown], value[unknown], expected);
  }

  #wrong(at: readonly string[], found: unknown, expected: string): DocsearchError {
    const value = (typeof found === "string" ? found : (JSON.stringify(found) ?? "missing")).slice(0, 200);
    const key = at.join(".");
    const line = this.#text === undefined ? "" : `:${this.#text.lineOf(at)}`;
    const where = `${key === "" ? "" : `${key} in `}${this.#file}${line}`;
    return configError(`${where} is ${value}; expected ${expected}`, {
      setting: key || basename(this.#file),
      value,
      expected,
    });
  }
}

function parseText(text: string, file: string): ConfigText {
  try {
    return isYaml(file) ? parseYaml(text.replace(/^\ufeff/, "")) : parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const expected = isYaml(file) ? "YAML of plain data" : "JSON";
    throw configError(`${file} cannot be read: ${error.message}; expected ${expected}`, {
      setting: basename(file),
      value: error.message,
      expected,
    });
  }
}

/** The text of a file of the project; `undefined` when it is not there. */
function readText(file: string, projectRoot: string): string | undefined {
  let opened: number;
  try {
    // A pipe of that name must not make anybody wait.
    opened = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw unreadable(file, String(message.split(",")[0]));
  }
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile() || stats.size > MOST_BYTES) throw unreadable(file, "it is something else");
    if (!isInside(realpathSync(projectRoot), realpathSync(file))) {
      throw unreadable(file, "it is a link that leads out of the project");
    }
    return readFileSync(opened, "utf8");
  } finally {
    closeSync(opened);
  }
}

function unreadable(file: string, reason: string): DocsearchError {
  const expected = `a file of at most ${MOST_BYTES / 1000} kB in the project`;
  return configError(`${file} cannot be read: ${reason}; expected ${expected}`, {
    setting: basename(file),
    value: reason,
    expected,
  });
}
