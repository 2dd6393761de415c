import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ServerOptions } from "./options.js";

/**
 * Names of the sources for the instructions, which clients ask for before the index can be open. They are kept in the
 * user's cache folder between runs: an old name there is harmless, and no file of the project can put words into it.
 */
export class SourceNames {
  readonly #file: string;
  #names: readonly string[] | undefined;

  constructor({ location, env }: Pick<ServerOptions, "location" | "env">) {
    const cache = env.XDG_CACHE_HOME?.trim() || join(env.HOME?.trim() || homedir(), ".cache");
    const key = createHash("sha256").update(location).digest("hex").slice(0, 16);
    this.#file = join(cache, "docsearch", `sources-${key}.json`);
  }

  get(): readonly string[] {
    this.#names ??= read(this.#file);
    return this.#names;
  }

  set(names: readonly string[]): void {
    const isNew = names.join("\n") !== this.get().join("\n");
    this.#names = names;
    if (isNew) write(this.#file, names);
  }
}

function read(file: string): readonly string[] {
  try {
    const names: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

function write(file: string, names: readonly string[]): void {
  try {
    mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, JSON.stringify(names), { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // Without a cache the instructions name the sources only once the index is open.
  }
}
