import { join } from "node:path";
import { DocsearchError, type Env } from "@docsearch/spec";
import type { ModelSourceOptions } from "./model-source.js";
import { progressLines } from "./print-progress.js";

/** What embedder and reranker have in common of the settings. Throws `CONFIG_INVALID`. */
export function sourceFromEnv(env: Env): Omit<ModelSourceOptions, "model" | "maxTokens" | "module"> {
  const dtype = textFrom(env, "DOCS_MODEL_DTYPE");
  const device = textFrom(env, "DOCS_MODEL_DEVICE");
  const threads = countFrom(env, "DOCS_MODEL_THREADS");
  const hub = textFrom(env, "HF_ENDPOINT");
  const cacheHome = textFrom(env, "XDG_CACHE_HOME");
  const cacheDirectory = textFrom(env, "DOCS_MODEL_CACHE") ?? (cacheHome && join(cacheHome, "docsearch", "models"));
  return {
    ...(dtype !== undefined && { dtype }),
    ...(device !== undefined && { device }),
    ...(threads !== undefined && { threads }),
    ...(hub !== undefined && { hub: requireUrl("HF_ENDPOINT", hub) }),
    ...(cacheDirectory !== undefined && { cacheDirectory }),
    allowDownload: switchFrom(env, "DOCS_MODEL_DOWNLOAD", true),
    onProgress: progressLines((line) => process.stderr.write(`docsearch: ${line}\n`)),
  };
}

/** The value of a variable that is set and not blank. */
export function textFrom(env: Env, variable: string): string | undefined {
  return env[variable]?.trim() || undefined;
}

/** A prefix as it stands, since it may end with a space; `none` is the empty one. */
export function prefixFrom(env: Env, variable: string): string | undefined {
  const value = env[variable];
  return value?.trim() === "none" ? "" : value || undefined;
}

/** The whole number of at least 1 in a variable that is set. Throws `CONFIG_INVALID`. */
export function countFrom(env: Env, variable: string): number | undefined {
  const value = textFrom(env, variable);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw invalid(variable, value, "a whole number of at least 1");
  return number;
}

/** One of some words. Throws `CONFIG_INVALID`. */
export function choiceFrom<T extends string>(env: Env, variable: string, choices: readonly T[]): T | undefined {
  const value = textFrom(env, variable);
  if (value === undefined) return undefined;
  if (!(choices as readonly string[]).includes(value)) throw invalid(variable, value, `one of ${choices.join(", ")}`);
  return value as T;
}

function switchFrom(env: Env, variable: string, fallback: boolean): boolean {
  const value = choiceFrom(env, variable, ["yes", "no"] as const);
  return value === undefined ? fallback : value === "yes";
}

function requireUrl(variable: string, value: string): string {
  if (URL.canParse(value) && /^https?:/.test(value)) return value;
  throw invalid(variable, value, "a URL such as https://huggingface.co");
}

function invalid(setting: string, value: string, expected: string): DocsearchError<"CONFIG_INVALID"> {
  return new DocsearchError("CONFIG_INVALID", `${setting} is "${value}"; expected ${expected}`, {
    setting,
    value,
    expected,
  });
}
