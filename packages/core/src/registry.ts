import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import { DocsearchError, type Provider, type ProviderKinds } from "@docsearch/spec";
import { memoryStore } from "./memory-store/memory-store.js";

/** The npm scope of the packages below and of every install hint. */
export const SCOPE = "@docsearch";

/** A backend that can be selected by name. Nothing is imported to list it. */
export interface RegistryRow {
  readonly kind: keyof ProviderKinds;
  readonly name: string;
  readonly package: string;
}

const ROWS: readonly RegistryRow[] = [
  { kind: "store", name: "sqlite", package: `${SCOPE}/store-sqlite` },
  { kind: "store", name: "pgvector", package: `${SCOPE}/store-pgvector` },
  { kind: "store", name: "lancedb", package: `${SCOPE}/store-lancedb` },
  { kind: "embedder", name: "static", package: `${SCOPE}/embedder-static` },
  { kind: "embedder", name: "transformers", package: `${SCOPE}/transformers` },
  { kind: "embedder", name: "openai", package: `${SCOPE}/embedder-openai` },
  { kind: "reranker", name: "transformers", package: `${SCOPE}/transformers/reranker` },
  { kind: "reranker", name: "http", package: `${SCOPE}/embedder-openai/reranker` },
  { kind: "embedding-cache", name: "sqlite", package: `${SCOPE}/store-sqlite/embedding-cache` },
  { kind: "chunker", name: "markdown", package: `${SCOPE}/chunker-markdown` },
  { kind: "chunker", name: "code", package: `${SCOPE}/chunker-code` },
];

const MEMORY: Provider<"store"> = { specVersion: 1, kind: "store", name: "memory", fromEnv: () => memoryStore() };

export interface Registry {
  /** Names that `load` knows, besides module specifiers. */
  names(kind: keyof ProviderKinds): readonly string[];
  /**
   * The provider of a name or module specifier. A specifier contains `/` or starts with `@`, `.` or `file:`;
   * it must come from the environment or from code, never from a file in an indexed folder.
   *
   * @throws `BACKEND_UNKNOWN`, `BACKEND_NOT_INSTALLED`, `BACKEND_LOAD_FAILED`, `SPEC_VERSION_UNSUPPORTED`
   */
  load<K extends keyof ProviderKinds>(kind: K, nameOrSpecifier: string): Promise<Provider<K>>;
  /** Adds a backend of the application's own; it goes before a built-in one of the same name. */
  register(provider: Provider): void;
}

/**
 * Knows the backends as names of packages, and imports one when it is asked for. Packages are resolved from the
 * application's folder, not from this one: under a package manager that keeps packages apart, an import from
 * here would not find what the application installed (docs/adr/0004).
 *
 * @param root folder of the application
 */
export function createRegistry({ root }: { readonly root: string }): Registry {
  const registered: Provider[] = [MEMORY];

  return {
    names: (kind) => {
      const own = registered.filter((provider) => provider.kind === kind).map(({ name }) => name);
      return [...new Set([...own, ...ROWS.filter((row) => row.kind === kind).map(({ name }) => name)])].sort();
    },
    register: (provider) => {
      registered.unshift(provider);
    },
    async load(kind, nameOrSpecifier) {
      const own = registered.find((provider) => provider.kind === kind && provider.name === nameOrSpecifier);
      if (own !== undefined) return own as Provider<typeof kind>;
      const row = ROWS.find((candidate) => candidate.kind === kind && candidate.name === nameOrSpecifier);
      if (row === undefined && !isSpecifier(nameOrSpecifier)) {
        const known = this.names(kind);
        throw new DocsearchError(
          "BACKEND_UNKNOWN",
          `there is no ${kind} named "${nameOrSpecifier}"; known: ${known.join(", ")}, or a module specifier such as ./my-${kind}.js`,
          { name: nameOrSpecifier, known },
        );
      }
      const provider = await importProvider(root, row?.package ?? nameOrSpecifier);
      checkProvider(provider, kind, nameOrSpecifier);
      return provider as Provider<typeof kind>;
    },
  };
}

function isSpecifier(name: string): boolean {
  return name.includes("/") || name.startsWith("@") || name.startsWith(".") || name.startsWith("file:");
}

async function importProvider(root: string, specifier: string): Promise<unknown> {
  const location = resolve(root, specifier);
  try {
    const module = (await import(location)) as { readonly provider?: unknown };
    return module.provider;
  } catch (cause) {
    if (cause instanceof DocsearchError) throw cause;
    throw new DocsearchError(
      "BACKEND_LOAD_FAILED",
      `${specifier} is there but did not load: ${messageOf(cause)}`,
      {
        package: specifier,
      },
      { cause },
    );
  }
}

/** URL of a module: from the application's folder, else from this package's own dependencies. */
function resolve(root: string, specifier: string): string {
  if (specifier.startsWith("file:")) return specifier;
  if (specifier.startsWith(".") || isAbsolute(specifier)) {
    const path = isAbsolute(specifier) ? specifier : join(root, specifier);
    if (existsSync(path)) return pathToFileURL(path).href;
    throw new DocsearchError("BACKEND_LOAD_FAILED", `${specifier} cannot be loaded: there is no file ${path}`, {
      package: specifier,
    });
  }
  for (const base of [join(root, "package.json"), import.meta.url]) {
    try {
      return pathToFileURL(createRequire(base).resolve(specifier)).href;
    } catch (cause) {
      if ((cause as { readonly code?: unknown }).code === "MODULE_NOT_FOUND") continue;
      throw new DocsearchError(
        "BACKEND_LOAD_FAILED",
        `${specifier} cannot be resolved: ${messageOf(cause)}`,
        {
          package: specifier,
        },
        { cause },
      );
    }
  }
  const install = `npm install ${packageName(specifier)}`;
  throw new DocsearchError("BACKEND_NOT_INSTALLED", `${specifier} is not installed in ${root}; run: ${install}`, {
    package: specifier,
    install,
  });
}

/** The package of a specifier that may name one of its entries: `@scope/name/entry`. */
function packageName(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function checkProvider(provider: unknown, kind: string, name: string): asserts provider is Provider {
  const found = provider as Partial<Provider> | undefined;
  if (found === undefined || typeof found.fromEnv !== "function" || found.kind !== kind) {
    throw new DocsearchError("BACKEND_LOAD_FAILED", `${name} has no export "provider" of kind "${kind}"`, {
      package: name,
    });
  }
  if (found.specVersion !== 1) {
    throw new DocsearchError(
      "SPEC_VERSION_UNSUPPORTED",
      `${name} follows version ${String(found.specVersion)} of the contracts; this docsearch knows version 1`,
      { found: found.specVersion, supported: [1] },
    );
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
