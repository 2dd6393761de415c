import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Docsearch, docsearchFromEnv } from "@docsearch/core";
import { DocsearchError, type Env, isDocsearchError } from "@docsearch/spec";
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
  return withSettings(flags, async (env) => {
    const location = locationOf(env) ?? defaultLocation(options.mode);
    try {
      const settings = { ...env, DOCS_STORE_URL: location };
      return { docsearch: await docsearchFromEnv(settings, { root: PACKAGE_ROOT, ...options }), location };
    } catch (error) {
      throw isDocsearchError(error, "INDEX_MISMATCH") ? shortMismatch(error, location) : error;
    }
  });
}

function locationOf(env: Env): string | undefined {
  return env.DOCS_STORE_URL?.trim() || undefined;
}

/** The place of an index that nobody named. When it is to be written, its folder is made, and hidden from git. */
function defaultLocation(mode: OpenIndexOptions["mode"]): string {
  const folder = join(projectRoot(), INDEX_FOLDER);
  if (mode === "write" && !existsSync(folder)) {
    mkdirSync(folder);
    writeFileSync(join(folder, ".gitignore"), "# Made by docsearch; it can be made anew from the documents.\n*\n");
  }
  return join(folder, "index.db");
}

function shortMismatch(error: DocsearchError<"INDEX_MISMATCH">, location: string): Error {
  const { stored, requested, command } = error.details;
  const differences = describeMismatch(stored, requested);
  const message = `the index at ${location} was made with other settings: ${differences}. Use the settings of the index, or make it anew: ${command} <paths>`;
  return new DocsearchError("INDEX_MISMATCH", message, error.details, { cause: error });
}
