import type { IndexSchema } from "@docsearch/spec";
import type { Database, Transaction } from "./database.js";
import { findPgvector } from "./extension.js";
import { hasSpaceOf, identityMismatch, indexMissing, readIdentity } from "./identity.js";
import { hasSilentColumn, SPACES_FORMAT_VERSION } from "./schema.js";
import type { StoreSettings } from "./settings.js";
import { type Tables, vectorTable } from "./tables.js";

/** Where an index is. */
export interface Place {
  readonly database: Database;
  /** Quoted. */
  readonly schema: string;
  readonly settings: StoreSettings;
}

/** The index at a place, for messages. */
export function placeName({ database, settings }: Pick<Place, "database" | "settings">): string {
  return settings.schema === "docsearch" ? database.name : `${database.name}, schema ${settings.schema}`;
}

/**
 * Reads what is there, and changes nothing.
 *
 * @param which `active`: the index must answer with the model that is wanted; `any`: it must have its vectors
 * @throws `INDEX_MISSING`, `INDEX_FORMAT`, `INDEX_MISMATCH`
 */
export async function inspect(
  transaction: Transaction,
  place: Place,
  wanted: IndexSchema,
  which: "active" | "any",
): Promise<Tables> {
  const { database, schema } = place;
  const stored = await readIdentity(transaction, schema);
  if (stored === undefined) throw indexMissing(placeName(place));
  if (which === "active" || !hasSpaceOf(stored, wanted)) {
    const mismatch = identityMismatch(stored, wanted, placeName(place));
    if (mismatch !== undefined) throw mismatch;
  }
  const own = stored.spaces.find(({ embedding }) => embedding.id === wanted.embedding?.id);
  const silent = (await hasSilentColumn(transaction.query, schema)) ? "chunk.silent" : "'{}'::integer[]";
  const common = {
    schema,
    silent,
    hasSpaceTable: stored.format === SPACES_FORMAT_VERSION,
    others: stored.spaces.filter((space) => space !== own).map(({ number }) => number),
  };
  if (own === undefined) return common;
  const extensionSchema = await findPgvector(transaction, database.name, false);
  return { ...common, vectors: vectorTable(own.number, own.kind, own.embedding.dimensions, extensionSchema) };
}
