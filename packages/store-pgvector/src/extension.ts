import { DocsearchError } from "@docsearch/spec";
import type { Transaction } from "./database.js";
import { codeOf } from "./errors.js";
import { quoteName, type VectorType } from "./tables.js";

/** The first version with iterative scans, without which a filter loses hits. */
const LEAST_VERSION = [0, 8] as const;

const MOST_DIMENSIONS = 16_000;

const CREATE = "CREATE EXTENSION vector";

/**
 * Makes sure of pgvector, and creates the extension in the database where it is only installed.
 *
 * @param mayCreate false: it must be there
 * @returns the schema that holds its types and operators, quoted
 * @throws `BACKEND_NOT_INSTALLED` with the command that mends it
 */
export async function findPgvector(transaction: Transaction, name: string, mayCreate: boolean): Promise<string> {
  const found =
    (await readExtension(transaction)) ?? (mayCreate ? await createExtension(transaction, name) : undefined);
  if (found === undefined) throw notInstalled(`${name} has no pgvector. Its owner can run: ${CREATE}`, CREATE);
  const [major = 0, minor = 0] = found.version.split(".").map(Number);
  if (major < LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor < LEAST_VERSION[1])) {
    const update = "ALTER EXTENSION vector UPDATE";
    throw notInstalled(
      `${name} has pgvector ${found.version}, and ${LEAST_VERSION.join(".")} or newer is needed. Install it on the server, then run: ${update}`,
      update,
    );
  }
  return quoteName(found.schema);
}

interface Extension {
  readonly version: string;
  readonly schema: string;
}

async function readExtension(transaction: Transaction): Promise<Extension | undefined> {
  const [row] = await transaction.query<Extension>(
    `SELECT extversion AS version, nspname AS schema
     FROM pg_catalog.pg_extension JOIN pg_catalog.pg_namespace n ON n.oid = extnamespace WHERE extname = 'vector'`,
  );
  return row;
}

async function createExtension(transaction: Transaction, name: string): Promise<Extension | undefined> {
  const available = await transaction.query("SELECT 1 FROM pg_catalog.pg_available_extensions WHERE name = 'vector'");
  if (available.length === 0) {
    throw notInstalled(
      `The server of ${name} has no pgvector. Install it there (https://github.com/pgvector/pgvector#installation), then run in the database: ${CREATE}`,
      CREATE,
    );
  }
  try {
    await transaction.exec("CREATE EXTENSION IF NOT EXISTS vector");
  } catch (cause) {
    if (codeOf(cause) !== "42501") throw cause;
    throw notInstalled(
      `The user of ${name} may not create extensions. Someone who may can run: ${CREATE}`,
      CREATE,
      cause,
    );
  }
  return readExtension(transaction);
}

function notInstalled(message: string, install: string, cause?: unknown): DocsearchError {
  return new DocsearchError("BACKEND_NOT_INSTALLED", message, { package: "pgvector", install }, { cause });
}

/** @throws `CONFIG_INVALID` when pgvector cannot store vectors of that size */
export function assertStorable(dimensions: number): void {
  if (dimensions >= 1 && dimensions <= MOST_DIMENSIONS) return;
  throw new DocsearchError(
    "CONFIG_INVALID",
    `The embedder makes vectors of ${dimensions} dimensions, and pgvector stores 1 to ${MOST_DIMENSIONS}. Use an embedder with fewer.`,
    { setting: "embedding.dimensions", value: String(dimensions), expected: `1 to ${MOST_DIMENSIONS}` },
  );
}

/** Whether pgvector can index vectors of that size by HNSW. */
export function isIndexable(type: VectorType, dimensions: number): boolean {
  return dimensions <= (type === "halfvec" ? 4000 : 2000);
}
