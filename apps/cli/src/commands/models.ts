import { embedderFromEnv, knownEmbeddersFile, namesEmbedder, readKnownEmbedders, storedSchema } from "@docsearch/core";
import { DocsearchError, type Env, isDocsearchError } from "@docsearch/spec";
import { environmentOf, PACKAGE_ROOT } from "../environment.js";
import { interruptible } from "../interrupt.js";
import { type EmbedderSpeed, measureEmbedder } from "../measure-embedder.js";
import { type LocalModels, localModels } from "../model-table.js";
import { namedStore } from "../open-index.js";
import { escapeLine } from "../output/escape.js";
import { grouped, sized } from "../output/numbers.js";
import { printJson } from "../output/print-json.js";
import { warn } from "../output/warn.js";
import type { Flags } from "../setting-flags.js";

interface ModelsFlags extends Flags {
  readonly measure?: boolean;
  readonly json?: boolean;
}

/** An embedder that can be tried here. */
interface Candidate {
  readonly name: string;
  readonly settings: Env;
}

type Measured = { readonly name: string } & (EmbedderSpeed | { readonly error: string });

const STATIC = "static";
const UNNAMED: Env = { DOCS_EMBEDDER_BACKEND: undefined, DOCS_EMBEDDER_MODEL: undefined, DOCS_EMBEDDER_URL: undefined };

export async function modelsCommand(_operands: readonly string[], flags: ModelsFlags): Promise<void> {
  const env = environmentOf(flags);
  const named = readKnownEmbedders(knownEmbeddersFile(env));
  const local = await localModels(env);
  const active = await activeEmbedder(flags);
  const configured = { name: configuredName(env), isNamed: namesEmbedder(env) };
  let measured: readonly Measured[] | undefined;
  if (flags.measure) {
    const candidates = candidatesOf(env, named, local);
    await interruptible(
      async (signal) => {
        measured = await measureAll(env, candidates, signal);
      },
      () => "stopped; nothing was measured to the end",
    );
  }
  if (flags.json) {
    printJson({
      configured,
      index: active ?? null,
      named,
      cache: local === undefined ? null : { directory: local.directory, models: local.cached },
      known: local?.known ?? [],
      ...(measured !== undefined && { measured }),
    });
    return;
  }
  const lines = [
    `configured   ${configured.name}${configured.isNamed ? ", by the environment" : ", as nothing names another"}`,
    ...(active === undefined
      ? []
      : [`index        answers with ${active}${configured.isNamed ? "" : ", which goes before"}`]),
    ...named.map(
      ({ id, settings }) => `named here   ${settings.DOCS_EMBEDDER_MODEL ?? settings.DOCS_EMBEDDER_BACKEND} (${id})`,
    ),
    ...(local === undefined ? [] : [`cache        ${local.directory}, ${sized(totalBytes(local))}`]),
    "",
    ...knownTable(local),
    ...(measured === undefined ? [] : ["", ...measuredTable(measured)]),
  ];
  process.stdout.write(lines.map((line) => `${escapeLine(line)}\n`).join(""));
  if (local === undefined) {
    warn("larger models on this machine: npm install @docsearch/transformers @huggingface/transformers@4.3.1");
  }
}

function configuredName(env: Env): string {
  const backend = env.DOCS_EMBEDDER_BACKEND?.trim() || STATIC;
  const model = env.DOCS_EMBEDDER_MODEL?.trim() ?? "";
  return model === "" ? backend : `${backend} ${model}`;
}

/** `undefined` where there is no index. */
async function activeEmbedder(flags: Flags): Promise<string | undefined> {
  try {
    return (await storedSchema((await namedStore(flags)).store)).embedding?.id ?? "words alone";
  } catch (error) {
    if (isDocsearchError(error, "INDEX_MISSING")) return undefined;
    throw error;
  }
}

function totalBytes({ cached }: LocalModels): number {
  return cached.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** What ships, what is configured, what was named before, and what was downloaded. */
function candidatesOf(
  env: Env,
  named: readonly { readonly id: string; readonly settings: Env }[],
  local: LocalModels | undefined,
): readonly Candidate[] {
  const all: Candidate[] = [{ name: STATIC, settings: { ...UNNAMED, DOCS_EMBEDDER_BACKEND: STATIC } }];
  if (namesEmbedder(env)) all.push({ name: configuredName(env), settings: {} });
  for (const { id, settings } of named)
    all.push({
      name: settings.DOCS_EMBEDDER_MODEL ?? settings.DOCS_EMBEDDER_BACKEND ?? id,
      settings: { ...UNNAMED, ...settings },
    });
  for (const { name } of local?.cached ?? []) {
    all.push({ name, settings: { ...UNNAMED, DOCS_EMBEDDER_BACKEND: "transformers", DOCS_EMBEDDER_MODEL: name } });
  }
  return all.filter(({ name }, i) => all.findIndex((other) => other.name === name) === i);
}

async function measureAll(
  env: Env,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const { name, settings } of candidates) {
    // What is measured is what is here: nothing is downloaded for it.
    const own = { ...env, DOCS_MODEL_DOWNLOAD: "no", ...settings };
    try {
      const factory = await embedderFromEnv(own, { root: PACKAGE_ROOT });
      if (factory === undefined) continue;
      measured.push({ name, ...(await measureEmbedder(factory, signal)) });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DocsearchError) && !isDocsearchError(error)) throw error;
      measured.push({ name, error: error.message });
    }
  }
  return measured;
}

function knownTable(local: LocalModels | undefined): string[] {
  const here = (name: string): string => {
    const cached = local?.cached.find((model) => model.name === name);
    return cached === undefined ? "-" : sized(cached.bytes);
  };
  const rows = [
    ["model", "dimensions", "tokens", "about", "here", "query prefix"],
    ["static, ships with docsearch", "256", "any", "13 MB", "13 MB", "-"],
    ...(local?.known ?? []).map(({ name, dimensions, maxTokens, megabytes, queryPrefix }) => [
      name,
      String(dimensions),
      grouped(maxTokens),
      `${megabytes} MB`,
      here(name),
      queryPrefix === "" ? "-" : JSON.stringify(queryPrefix),
    ]),
    ...(local?.cached ?? [])
      .filter(({ name }) => !local?.known.some((model) => model.name === name))
      .map(({ name, bytes }) => [name, "-", "-", "-", sized(bytes), "-"]),
  ];
  return columns(rows);
}

function measuredTable(measured: readonly Measured[]): string[] {
  return columns([
    ["measured here", "first vector", "query", "passages of 1,500 characters"],
    ...measured.map((row) =>
      "error" in row
        ? [row.name, row.error]
        : [
            row.name,
            `${Math.round(row.firstMs)} ms`,
            milliseconds(row.queryMs),
            `${grouped(Math.round(row.passagesPerSecond))} a second`,
          ],
    ),
  ]);
}

function milliseconds(value: number): string {
  return `${value.toPrecision(2)} ms`;
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) =>
    Math.max(...rows.map((row) => (i < row.length - 1 ? (row[i] ?? "").length : 0))),
  );
  return rows.map((row) => row.map((cell, i) => (i < row.length - 1 ? cell.padEnd(widths[i] ?? 0) : cell)).join("  "));
}
