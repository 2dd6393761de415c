// An index names the model that it answers with by its id alone, and an index may come from anybody. So what is loaded,
// from which folder or server, is read from a file of the user's: embedders that the user has named on this machine.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { DocsearchError, type Env } from "@docsearch/spec";

/** An embedder that the user has named before. */
export interface KnownEmbedder {
  readonly id: string;
  readonly dimensions: number;
  /** The variables that make it, without keys. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Naming one of these chooses an embedder; the others say how it works. */
const NAMING = ["DOCS_EMBEDDER_BACKEND", "DOCS_EMBEDDER_MODEL", "DOCS_EMBEDDER_URL"] as const;
const SECRET = "DOCS_EMBEDDER_API_KEY";
const OF_MODELS = ["DOCS_MODEL_DTYPE", "DOCS_MODEL_DEVICE"];

/** The file of the user of an environment: in `XDG_CONFIG_HOME`, else in `~/.config`. */
export function knownEmbeddersFile(env: Env): string {
  const config = env.XDG_CONFIG_HOME?.trim() || join(env.HOME?.trim() || homedir(), ".config");
  return join(config, "docsearch", "embedders.json");
}

/** Whether the environment says which embedder is wanted. */
export function namesEmbedder(env: Env): boolean {
  return NAMING.some((variable) => (env[variable]?.trim() ?? "") !== "");
}

/** The settings of an environment that make its embedder. */
export function embedderSettings(env: Env): Record<string, string> {
  const isOne = (variable: string): boolean =>
    (variable.startsWith("DOCS_EMBEDDER_") && variable !== SECRET) || OF_MODELS.includes(variable);
  return Object.fromEntries(
    Object.entries(env).flatMap(([variable, value]) =>
      isOne(variable) && value !== undefined && value.trim() !== "" ? [[variable, value]] : [],
    ),
  );
}

/** What a file knows; nothing when there is no file. Throws `CONFIG_INVALID` for a file that is none of ours. */
export function readKnownEmbedders(file: string): readonly KnownEmbedder[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  const known = parse(text);
  if (known !== undefined) return known;
  const expected = 'a JSON object with "embedders", as docsearch embed writes it';
  throw new DocsearchError("CONFIG_INVALID", `${file} cannot be read; expected ${expected}. Delete it to begin anew.`, {
    setting: file,
    value: text.slice(0, 40),
    expected,
  });
}

/** Adds an embedder to the file, or replaces what is known under its id. The file is replaced in one step. */
export function rememberEmbedder(file: string, embedder: KnownEmbedder): void {
  const others = readKnownEmbedders(file).filter(({ id }) => id !== embedder.id);
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.${process.pid}`;
  // A URL may have more in it than an address.
  writeFileSync(next, `${JSON.stringify({ embedders: [...others, embedder] }, null, 2)}\n`, { mode: 0o600 });
  renameSync(next, file);
}

function parse(text: string): readonly KnownEmbedder[] | undefined {
  try {
    const { embedders } = JSON.parse(text) as { readonly embedders?: unknown };
    return Array.isArray(embedders) && embedders.every(isKnownEmbedder) ? embedders : undefined;
  } catch {
    return undefined;
  }
}

function isKnownEmbedder(value: unknown): value is KnownEmbedder {
  const { id, dimensions, settings } = (value ?? {}) as Partial<KnownEmbedder>;
  if (typeof id !== "string" || typeof dimensions !== "number") return false;
  return (
    typeof settings === "object" && settings !== null && Object.values(settings).every((s) => typeof s === "string")
  );
}
