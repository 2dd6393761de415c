import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { DocsearchError } from "@docsearch/spec";
import { parseJsonc } from "./jsonc.js";
import { CONFIG_FILE, nameInProject } from "./project.js";
import { setJsonMember } from "./set-json-member.js";

/** Files that are indexed as a collection of their own. */
export interface SourceConfig {
  /** Folder or file, from the folder of the config file. */
  readonly path: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

export type Sources = Readonly<Record<string, SourceConfig>>;

const MOST_BYTES = 1_000_000;

// The config file is data alone: nothing in it runs, and nothing outside the project is read for it.

/**
 * The sources that the config file of a project names, by collection; `undefined` when there is no such file.
 *
 * @throws `CONFIG_INVALID` for what is not understood, and for a source outside the project
 */
export function readSources(projectRoot: string): Sources | undefined {
  const file = join(projectRoot, CONFIG_FILE);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile() || stats.size > MOST_BYTES) throw invalid(file, "", "something else", "a file of at most 1 MB");
  const config = parseConfig(readFileSync(file, "utf8"), file);
  if (!isObject(config))
    throw invalid(file, "", config, 'an object such as { "sources": { "docs": { "path": "docs" } } }');
  for (const key of Object.keys(config)) {
    if (key !== "sources" && key !== "$schema") throw invalid(file, key, config[key], "no key but sources");
  }
  const { sources = {} } = config;
  if (!isObject(sources)) throw invalid(file, "sources", sources, 'an object such as { "docs": { "path": "docs" } }');
  for (const [name, source] of Object.entries(sources)) checkSource(file, projectRoot, name, source);
  return sources as Sources;
}

/** Adds a source to the config file, which is made if need be. The rest of the file stays byte for byte. */
export function addSource(projectRoot: string, name: string, source: SourceConfig): void {
  const file = join(projectRoot, CONFIG_FILE);
  checkSource(file, projectRoot, name, source);
  if (readSources(projectRoot)?.[name] !== undefined) {
    throw invalid(file, `sources.${name}`, "there already", `a new name, or docsearch sources remove ${name} before`);
  }
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  writeFileSync(file, setJsonMember(text, "sources", name, { ...source }));
}

/** Takes a source out of the config file; comments in the file are lost. */
export function removeSource(projectRoot: string, name: string): void {
  const { [name]: _, ...sources } = readSources(projectRoot) ?? {};
  writeFileSync(join(projectRoot, CONFIG_FILE), `${JSON.stringify({ sources }, null, 2)}\n`);
}

function checkSource(file: string, projectRoot: string, name: string, source: unknown): void {
  const setting = `sources.${name}`;
  if (name === "" || name.trim() !== name) throw invalid(file, setting, name, "a name without blanks around it");
  if (!isObject(source)) throw invalid(file, setting, source, 'an object such as { "path": "docs" }');
  for (const key of Object.keys(source)) {
    if (!["path", "include", "exclude"].includes(key)) {
      throw invalid(file, `${setting}.${key}`, source[key], "one of path, include, exclude");
    }
  }
  const { path } = source;
  if (typeof path !== "string" || path === "")
    throw invalid(file, `${setting}.path`, path, "the path of a folder or file");
  if (!isInside(projectRoot, path)) {
    const expected = `a path inside ${projectRoot}. What lies outside is only read when it is named: docsearch index ${path}`;
    throw invalid(file, `${setting}.path`, path, expected);
  }
  for (const key of ["include", "exclude"]) {
    const patterns = source[key];
    const isList = Array.isArray(patterns) && patterns.every((one) => typeof one === "string");
    if (patterns !== undefined && !isList) throw invalid(file, `${setting}.${key}`, patterns, "a list of patterns");
  }
}

/** Whether a path lies in the project, also once links are followed. */
export function isInside(projectRoot: string, path: string): boolean {
  const file = resolve(projectRoot, path);
  const isBelow = (root: string, one: string): boolean => nameInProject(root, one) !== one.split(sep).join("/");
  if (!existsSync(file)) return isBelow(projectRoot, file);
  return isBelow(projectRoot, file) && isBelow(realpathSync(projectRoot), realpathSync(file));
}

function parseConfig(text: string, file: string): unknown {
  try {
    parseJsonc(text);
    return JSON.parse(plainJson(text));
  } catch (error) {
    throw invalid(file, "", error instanceof Error ? error.message : String(error), "JSON");
  }
}

/** JSON without comments, and without commas before closing brackets. */
function plainJson(text: string): string {
  return text
    .replace(/^\ufeff/, "")
    .replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) => (part.startsWith('"') ? part : " "))
    .replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (part) => (part === "," ? "" : part));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(file: string, key: string, found: unknown, expected: string): DocsearchError {
  const value = typeof found === "string" ? found : (JSON.stringify(found) ?? "missing");
  const where = key === "" ? file : `${key} in ${file}`;
  const message = `${where} is ${value}; expected ${expected}`;
  return new DocsearchError("CONFIG_INVALID", message, { setting: key || CONFIG_FILE, value, expected });
}
