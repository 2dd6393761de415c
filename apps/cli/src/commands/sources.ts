import { statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import {
  addSource,
  type ProjectSource,
  projectSources,
  removeSource,
  type SourceConfig,
} from "@docsearch/service/config";
import { CONFIG_FILES, nameInProject } from "@docsearch/service/project";
import { DocsearchError, isDocsearchError } from "@docsearch/spec";
import { withStoredIndex } from "../open-index.js";
import { escapeLine } from "../output/escape.js";
import { counted } from "../output/numbers.js";
import { printJson } from "../output/print-json.js";
import { warn } from "../output/warn.js";
import { projectRoot } from "../project.js";
import type { Flags } from "../setting-flags.js";

interface SourcesFlags {
  readonly json?: boolean;
}

export async function sourcesCommand(_operands: readonly string[], { json = false }: SourcesFlags): Promise<void> {
  const config = projectSources(projectRoot(), process.env);
  const sources = config?.sources ?? [];
  if (json) printJson({ sources: Object.fromEntries(sources.map((source) => [source.name, jsonOf(source)])) });
  else for (const source of sources) process.stdout.write(lineOf(source));
  if (sources.some(({ access }) => access === "outside")) {
    warn("a source that leads out of the project is not read until docsearch trust allows it");
  }
  if (sources.length === 0) {
    warn(
      `${config?.file ?? CONFIG_FILES[0]} names no sources; docsearch index takes the working directory. Add one: docsearch sources add <name> <path>`,
    );
  }
}

function lineOf({ name, path, include = [], exclude = [], access }: ProjectSource): string {
  const patterns = [...include.map((one) => `--include ${one}`), ...exclude.map((one) => `--exclude ${one}`)];
  const mark = { inside: [], trusted: ["(outside, trusted)"], outside: ["(outside, not trusted)"] }[access];
  return `${escapeLine([name.padEnd(12), path, ...patterns, ...mark].join("  "))}\n`;
}

/** A source as the config file has it; one outside the project also with whether it is trusted. */
function jsonOf({ path, include, exclude, access }: ProjectSource): object {
  return {
    path,
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(access !== "inside" && { trusted: access === "trusted" }),
  };
}

interface AddFlags {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly json?: boolean;
}

export async function sourcesAddCommand(operands: readonly string[], flags: AddFlags): Promise<void> {
  const { include, exclude, json = false } = flags;
  const [name = "", path = ""] = operands;
  const root = projectRoot();
  const file = resolve(path);
  const expected = "a folder or file that is there";
  if (statSync(file, { throwIfNoEntry: false }) === undefined) {
    throw new DocsearchError("CONFIG_INVALID", `${path} cannot be a source; expected ${expected}`, {
      setting: "path",
      value: path,
      expected,
    });
  }
  const source: SourceConfig = {
    path: pathFrom(root, file, path),
    ...(include && { include }),
    ...(exclude && { exclude }),
  };
  addSource(root, name, source);
  const isRefused = projectSources(root, process.env)?.sources.some(
    (one) => one.name === name && one.access === "outside",
  );
  if (json) printJson({ name, ...source });
  else if (isRefused !== true)
    process.stdout.write(`${escapeLine(name)} is a source now; docsearch index brings it into the index\n`);
  else
    process.stdout.write(
      `${escapeLine(name)} is a source now, outside the project: docsearch trust allows to read it, then docsearch index brings it into the index\n`,
    );
}

/** How the config file names a path: from its folder, unless it lies outside and was given from the top. */
function pathFrom(root: string, file: string, given: string): string {
  const name = nameInProject(root, file) || ".";
  if (!isAbsolute(name) || isAbsolute(given)) return name;
  return relative(root, file).split(sep).join("/");
}

export async function sourcesRemoveCommand(operands: readonly string[], flags: Flags): Promise<void> {
  const [name = ""] = operands;
  const root = projectRoot();
  const names = projectSources(root, process.env)?.sources.map((source) => source.name) ?? [];
  const deleted = await removeDocuments(name, flags);
  // One that was taken out of the file by hand may have left its documents.
  if (!names.includes(name) && deleted === 0) {
    const known = names.join(", ") || "none";
    throw new DocsearchError("NOT_FOUND", `there is no source ${name}; known: ${known}`, { what: "source", name });
  }
  removeSource(root, name);
  if (flags.json === true) printJson({ removed: name, documents: deleted });
  else
    process.stdout.write(`${escapeLine(name)} is no source any more; ${counted(deleted, "document")} left the index\n`);
}

/** Takes the documents of a collection out of the index, if there is one. Returns how many there were. */
async function removeDocuments(collection: string, flags: Flags): Promise<number> {
  const filter = { op: "in", field: "collection", values: [collection] } as const;
  try {
    return await withStoredIndex(flags, "write", async (store) => {
      const documents = await store.listDocuments({ limit: Number.MAX_SAFE_INTEGER, filter });
      const changes = documents.map(({ id }) => ({ type: "delete", documentId: id }) as const);
      return (await store.write(changes)).deleted;
    });
  } catch (error) {
    if (isDocsearchError(error, "INDEX_MISSING")) return 0;
    throw error;
  }
}
