import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Docsearch, docsearchFromEnv, unknownVariables } from "@docsearch/core";
import { environmentWith } from "./setting-flags.js";

/** Folder in which an index lives, beside what it indexes. */
const INDEX_FOLDER = ".docsearch";
/** Folder of this package: where the backends that it brings are found. */
export const PACKAGE_ROOT: string = fileURLToPath(new URL("..", import.meta.url));

export interface OpenIndexOptions {
  readonly mode: "read" | "write";
  readonly onMismatch?: "error" | "recreate";
}

/** Opens the index that flags and environment name; by default the nearest one above the working directory. */
export async function openIndex(
  flags: Readonly<Record<string, unknown>>,
  options: OpenIndexOptions,
): Promise<Docsearch> {
  const env = environmentWith(flags, process.env);
  for (const { variable, nearest } of unknownVariables(env)) {
    process.stderr.write(`docsearch: ${variable} is not a setting; did you mean ${nearest}?\n`);
  }
  const url = env.DOCS_STORE_URL?.trim() || join(projectRoot(), INDEX_FOLDER, "index.db");
  return docsearchFromEnv({ ...env, DOCS_STORE_URL: url }, { root: PACKAGE_ROOT, ...options });
}

/** The nearest folder with an index, up to the root of the git repository; else the working directory. */
export function projectRoot(): string {
  const start = process.cwd();
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, INDEX_FOLDER))) return folder;
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) return start;
  }
}
