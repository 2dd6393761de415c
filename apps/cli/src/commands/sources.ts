import { statSync } from "node:fs";
import { resolve } from "node:path";
import { DocsearchError, isDocsearchError } from "@docsearch/spec";
import { addSource, isInside, readSources, removeSource, type SourceConfig } from "../config-file.js";
import { withStoredIndex } from "../open-index.js";
import { escapeLine } from "../output/escape.js";
import { counted } from "../output/numbers.js";
import { printJson } from "../output/print-json.js";
import { warn } from "../output/warn.js";
import { CONFIG_FILE, nameInProject, projectRoot } from "../project.js";
import type { Flags } from "../setting-flags.js";

interface SourcesFlags {
  readonly json?: boolean;
}

export async function sourcesCommand(_operands: readonly string[], { json = false }: SourcesFlags): Promise<void> {
  const sources = readSources(projectRoot()) ?? {};
  if (json) printJson({ sources });
  else for (const [name, source] of Object.entries(sources)) process.stdout.write(lineOf(name, source));
  if (Object.keys(sources).length === 0) {
    warn(
      `${CONFIG_FILE} names no sources; docsearch index takes the working directory. Add one: docsearch sources add <name> <path>`,
    );
  }
}

function lineOf(name: string, { path, include = [], exclude = [] }: SourceConfig): string {
  const patterns = [...include.map((one) => `--include ${one}`), ...exclude.map((one) => `--exclude ${one}`)];
  return `${escapeLine([name.padEnd(12), path, ...patterns].join("  "))}\n`;
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
  const expected = "a folder or file of the project that is there";
  if (!isInside(root, file) || statSync(file, { throwIfNoEntry: false }) === undefined) {
    throw new DocsearchError("CONFIG_INVALID", `${path} cannot be a source; expected ${expected}`, {
      setting: "path",
      value: path,
      expected,
    });
  }
  const source = { path: nameInProject(root, file) || ".", ...(include && { include }), ...(exclude && { exclude }) };
  addSource(root, name, source);
  if (json) printJson({ name, ...source });
  else process.stdout.write(`${escapeLine(name)} is a source now; docsearch index brings it into the index\n`);
}

export async function sourcesRemoveCommand(operands: readonly string[], flags: Flags): Promise<void> {
  const [name = ""] = operands;
  const root = projectRoot();
  const sources = readSources(root) ?? {};
  if (sources[name] === undefined) {
    const known = Object.keys(sources).join(", ") || "none";
    throw new DocsearchError("NOT_FOUND", `there is no source ${name}; known: ${known}`, { what: "source", name });
  }
  const deleted = await removeDocuments(name, flags);
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
