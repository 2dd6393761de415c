import type { Database } from "./database.js";
import type { Location } from "./location.js";
import type { VectorType } from "./tables.js";

/** How an index is kept and searched. */
export interface StoreSettings {
  /** Where the database is, or one that is open already and stays so. */
  readonly database: Location | Database;
  readonly schema: string;
  readonly poolSize: number;
  /** For a new index; absent: what suits the database. */
  readonly vectorType: VectorType | undefined;
  /** See `PgvectorStoreOptions.vectorIndex`. */
  readonly vectorIndex: "hnsw" | "exact";
  readonly exactLimit: number;
}
