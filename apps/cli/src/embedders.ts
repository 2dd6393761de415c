import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type KnownEmbedder, knownEmbeddersFile, readKnownEmbedders } from "@docsearch/core";
import { DocsearchError, type Env, type VectorSpace } from "@docsearch/spec";
import type { Flags } from "./setting-flags.js";

export interface EmbedderFlags extends Flags {
  readonly model?: string;
  readonly backend?: string;
}

/** The flags `--model` and `--backend` as the settings that they stand for. */
export function asSettingFlags({ model, backend, ...flags }: EmbedderFlags): Flags {
  return {
    ...flags,
    ...(model !== undefined && { embedderModel: model }),
    ...(backend !== undefined && { embedder: backend }),
  };
}

/**
 * The environment of the embedder that is asked for. A model without a backend or a server is the one that was named so
 * on this machine before, where that is one alone. Else it is one of transformers when it is a folder or has the form of
 * a name on the hub, and OpenAI's when it is called like those.
 *
 * @throws `CONFIG_INVALID` when the backend cannot be told
 */
export function withBackend(env: Env): Env {
  const model = env.DOCS_EMBEDDER_MODEL?.trim() ?? "";
  if (model === "" || (env.DOCS_EMBEDDER_BACKEND?.trim() ?? "") !== "") return withAbsoluteModel(env);
  if (model === "static") return { ...env, DOCS_EMBEDDER_BACKEND: "static", DOCS_EMBEDDER_MODEL: undefined };
  const known = mayBeKnown(model, env) ? knownAs(model, env) : [];
  if (known.length === 1) return withKnown(env, known[0]?.settings ?? {});
  const backend = backendOf(model, env);
  if (backend !== undefined) return withAbsoluteModel({ ...env, DOCS_EMBEDDER_BACKEND: backend });
  const expected =
    known.length > 1
      ? `one of those that were named so on this machine: --model ${known.map(({ id }) => id).join(" or ")}`
      : "--backend transformers, openai or static beside it";
  throw new DocsearchError(
    "CONFIG_INVALID",
    `the backend of the model ${model} cannot be told from its name; expected ${expected}`,
    {
      setting: "--model",
      value: model,
      expected,
    },
  );
}

/** A server that is named, and a folder that is there, say themselves what is meant. */
function mayBeKnown(model: string, env: Env): boolean {
  return (env.DOCS_EMBEDDER_URL?.trim() ?? "") === "" && !existsSync(join(model, "config.json"));
}

/**
 * The embedders of this machine that a name means: an id, a model as it was named, or else its short name. Those with
 * the same settings are one, whatever the server answered at the time.
 */
function knownAs(wanted: string, env: Env): readonly KnownEmbedder[] {
  const all = readKnownEmbedders(knownEmbeddersFile(env));
  const exact = all.filter(({ id, settings }) => id === wanted || settings.DOCS_EMBEDDER_MODEL === wanted);
  const found = exact.length > 0 ? exact : all.filter((known) => nameOf(known.id, known) === wanted);
  const bySettings = new Map(found.map((known) => [JSON.stringify(Object.entries(known.settings).sort()), known]));
  return [...bySettings.values()];
}

/** The settings of a known embedder, under those that are given now. */
function withKnown(env: Env, settings: Readonly<Record<string, string>>): Env {
  const given = Object.entries(env).filter(([, value]) => (value?.trim() ?? "") !== "");
  return { ...settings, ...Object.fromEntries(given), DOCS_EMBEDDER_MODEL: settings.DOCS_EMBEDDER_MODEL };
}

function backendOf(model: string, env: Env): string | undefined {
  if ((env.DOCS_EMBEDDER_URL?.trim() ?? "") !== "") return "openai";
  if (existsSync(join(model, "config.json"))) return existsSync(join(model, "rows.i8")) ? "static" : "transformers";
  if (/^text-embedding-/.test(model)) return "openai";
  return /^[\w.-]+\/[\w.-]+$/.test(model) ? "transformers" : undefined;
}

/** A folder is written down as it is found from anywhere. */
function withAbsoluteModel(env: Env): Env {
  const model = env.DOCS_EMBEDDER_MODEL?.trim() ?? "";
  return model !== "" && env.DOCS_EMBEDDER_BACKEND !== "openai" && existsSync(join(model, "config.json"))
    ? { ...env, DOCS_EMBEDDER_MODEL: resolve(model) }
    : env;
}

/** A space with the settings of its embedder, where the user has named it before. */
export interface NamedSpace extends VectorSpace {
  /** Short, for people: the model as it was named, else its id. */
  readonly name: string;
  readonly known?: KnownEmbedder;
}

/** Spaces with their names; those that would have the same one are called by their ids. */
export function nameSpaces(spaces: readonly VectorSpace[], env: Env): readonly NamedSpace[] {
  const all = readKnownEmbedders(knownEmbeddersFile(env));
  const named = spaces.map((space) => {
    const known = all.find(({ id }) => id === space.embedding.id);
    return { ...space, name: nameOf(space.embedding.id, known), ...(known !== undefined && { known }) };
  });
  return named.map((space) =>
    named.filter(({ name }) => name === space.name).length > 1 ? { ...space, name: space.embedding.id } : space,
  );
}

/** The settings that load a space's model; `undefined` when they are not known. */
export function settingsOf({ embedding, known }: NamedSpace): Env | undefined {
  if (known !== undefined) return known.settings;
  // The one without settings is the one that ships with docsearch.
  return embedding.id.startsWith("static/")
    ? { DOCS_EMBEDDER_BACKEND: "static", DOCS_EMBEDDER_MODEL: undefined, DOCS_EMBEDDER_URL: undefined }
    : undefined;
}

function nameOf(id: string, known: KnownEmbedder | undefined): string {
  const model = known?.settings.DOCS_EMBEDDER_MODEL;
  if (model !== undefined) return model.split(/[/\\]/).findLast((part) => part !== "") ?? model;
  return /^[\w-]+/.exec(id)?.[0] ?? id;
}

/**
 * The space that a name means: its embedder's id, the model as it was named, or a part of either that no other has.
 *
 * @throws `NOT_FOUND`
 */
export function findSpace(spaces: readonly NamedSpace[], wanted: string): NamedSpace {
  const texts = (space: NamedSpace): readonly string[] => [
    space.embedding.id,
    space.name,
    space.known?.settings.DOCS_EMBEDDER_MODEL ?? space.name,
  ];
  const exact = spaces.filter((space) => texts(space).includes(wanted));
  const found = exact.length > 0 ? exact : spaces.filter((space) => texts(space).some((text) => text.includes(wanted)));
  if (found.length === 1 && found[0] !== undefined) return found[0];
  const names = (found.length > 1 ? found : spaces)
    .map(({ name, embedding: { id } }) => (name === id ? id : `${name} (${id})`))
    .join(", ");
  const message =
    found.length > 1
      ? `${wanted} means more than one model of the index: ${names}`
      : `the index has no vectors of ${wanted}; it has those of ${names || "no model"}; new ones: docsearch embed --model ${wanted}`;
  throw new DocsearchError("NOT_FOUND", message, { what: "vector space", name: wanted });
}
