import type { IndexSchema } from "@docsearch/spec";
import type { Database, Transaction } from "./database.js";
import { findPgvector } from "./extension.js";
import { identityMismatch, indexMissing, readIdentity } from "./identity.js";
import type { StoreSettings } from "./settings.js";
import { type Tables, vectorColumn } from "./tables.js";

/** Where an index is. */
export interface Place {
  readonly database: Database;
  /** Quoted. */
  readonly schema: string;
  readonly settings: StoreSettings;
}

/** The index at a place, for messages. */
export function placeName(database: Database, settings: StoreSettings): string {
  return settings.schema === "docsearch" ? database.name : `${database.name}, schema ${settings.schema}`;
}

/** Reads what is there, and changes nothing. */
export async function inspect(
  transaction: Transaction,
  { database, schema, settings }: Place,
  wanted: IndexSchema,
): Promise<Tables> {
  const stored = await readIdentity(transaction, schema);
  const place = placeName(database, settings);
  if (stored === undefined) throw indexMissing(place);
  const mismatch = identityMismatch(stored, wanted, place, false);
  if (mismatch !== undefined) throw mismatch;
  if (wanted.embedding === null || stored.vectorType === null) return { schema };
  const extensionSchema = await findPgvector(transaction, database.name, false);
  return { schema, vectors: vectorColumn(stored.vectorType, wanted.embedding.dimensions, extensionSchema) };
}
