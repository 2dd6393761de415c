import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Docsearch, docsearchFromEnv } from "@docsearch/core";
import { DocsearchError, isDocsearchError } from "@docsearch/spec";
import { PACKAGE_ROOT, withSettings } from "./environment.js";
import { describeMismatch } from "./output/describe-mismatch.js";
import { INDEX_FOLDER, projectRoot } from "./project.js";
import type { Flags } from "./setting-flags.js";

export interface OpenIndexOptions {
  readonly mode: "read" | "write";
  readonly onMismatch?: "error" | "recreate";
}

export interface OpenIndex {
  readonly docsearch: Docsearch;
  /** Path or DSN, as the store got it. */
  readonly location: string;
}

/** Opens the index that flags and environment name; by default the nearest one above the working directory. */
export async function openIndex(flags: Flags, options: OpenIndexOptions): Promise<OpenIndex> {
  const folder = join(projectRoot(), INDEX_FOLDER);
  const isNew = !existsSync(folder);
  return withSettings(flags, async (env) => {
    const given = env.DOCS_STORE_URL?.trim() || undefined;
    const location = given ?? join(folder, "index.db");
    try {
      const settings = { ...env, DOCS_STORE_URL: location };
      const docsearch = await docsearchFromEnv(settings, { root: PACKAGE_ROOT, ...options });
      if (isNew && existsSync(folder)) hideFromGit(folder);
      return { docsearch, location };
    } catch (error) {
      throw isDocsearchError(error, "INDEX_MISMATCH") ? shortMismatch(error, location) : error;
    }
  });
}

/** Only when the folder was made just now: who takes the file away wants the index in the repository. */
function hideFromGit(folder: string): void {
  writeFileSync(join(folder, ".gitignore"), "# Made by docsearch; it can be made anew from the documents.\n*\n");
}

function shortMismatch(error: DocsearchError<"INDEX_MISMATCH">, location: string): Error {
  const { stored, requested, command } = error.details;
  const differences = describeMismatch(stored, requested);
  const message = `the index at ${location} was made with other settings: ${differences}. Use the settings of the index, or make it anew: ${command} <paths>`;
  return new DocsearchError("INDEX_MISMATCH", message, error.details, { cause: error });
}
