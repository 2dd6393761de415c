import { realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Env } from "@docsearch/spec";
import { isInside } from "../project.js";
import { configError, readConfig, type SourceConfig } from "./config-file.js";
import { isTrusted, realPath } from "./trusted-paths.js";

/** A source of a project, and whether it may be read. */
export interface ProjectSource extends SourceConfig {
  /** Name of its collection. */
  readonly name: string;
  /** Absolute path, as the config file has it. Documents are named by it. */
  readonly root: string;
  /** The same with links followed; also of what is not there. */
  readonly real: string;
  /** `outside`: it leads out of the project, and the user has not said that it may. */
  readonly access: "inside" | "trusted" | "outside";
}

export interface ProjectSources {
  /** Path of the config file. */
  readonly file: string;
  /** By this the user's trust knows the file: its name in the real path of the project. */
  readonly identity: string;
  /** In the order of the file. */
  readonly sources: readonly ProjectSource[];
}

/**
 * The sources that the config file of a project names; `undefined` when there is no such file. What a source leads to is
 * looked up now: a link that was made since the user trusted the file leads to another path, and is not trusted.
 *
 * @throws `CONFIG_INVALID` like `readConfig`
 */
export function projectSources(projectRoot: string, env: Env): ProjectSources | undefined {
  const config = readConfig(projectRoot);
  if (config === undefined) return undefined;
  const realRoot = realpathSync(projectRoot);
  const identity = join(realRoot, basename(config.file));
  const sources = [...config.sources].map(([name, source]) => placeOf(name, source, projectRoot, realRoot));
  const outside = sources.filter(({ isOutside }) => isOutside).map(({ real }) => real);
  const trusted = outside.length > 0 && isTrusted(env, identity, outside);
  return {
    file: config.file,
    identity,
    sources: sources.map(({ isOutside, ...source }) => ({
      ...source,
      access: !isOutside ? "inside" : trusted ? "trusted" : "outside",
    })),
  };
}

/** Those of the sources that may be read. */
export function readableSources(sources: ProjectSources | undefined): readonly ProjectSource[] {
  return sources?.sources.filter(({ access }) => access !== "outside") ?? [];
}

/** @throws `CONFIG_INVALID` for the first source that may not be read */
export function requireReadable(config: ProjectSources): void {
  const refused = config.sources.find(({ access }) => access === "outside");
  if (refused !== undefined) throw refusalOf(config, refused);
}

/** Names a source that may not be read, and the command that allows it. */
export function refusalOf(
  { file }: Pick<ProjectSources, "file">,
  { name, path }: Pick<ProjectSource, "name" | "path">,
): Error {
  const expected = "a path in the project, or the user's word that this one may be read: docsearch trust";
  return configError(
    `sources.${name}.path in ${file} is ${path}, which leads out of the project; expected ${expected}`,
    {
      setting: `sources.${name}.path`,
      value: path,
      expected,
    },
  );
}

type Placed = Omit<ProjectSource, "access"> & { readonly isOutside: boolean };

function placeOf(name: string, source: SourceConfig, projectRoot: string, realRoot: string): Placed {
  const root = resolve(projectRoot, source.path);
  const real = realPath(root);
  const isOutside = !isInside(projectRoot, root) || !isInside(realRoot, real);
  return { ...source, name, root, real, isOutside };
}
