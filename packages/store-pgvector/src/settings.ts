import type { Database } from "./database.js";
import type { Location } from "./location.js";
import type { VectorType } from "./tables.js";

/** How an index is kept and searched. */
export interface StoreSettings {
  /** Where the database is, or one that is open already and stays so. */
  readonly database: Location | Database;
  readonly schema: string;
  readonly poolSize: number;
  /** For the vectors of a new index or model; absent: what suits the database. */
  readonly vectorType: VectorType | undefined;
  /** See `PgvectorStoreOptions.vectorIndex`. */
  readonly vectorIndex: "hnsw" | "exact";
  readonly exactLimit: number;
}

/** Column type of vectors that are to come. */
export function vectorTypeFor({ vectorType }: StoreSettings, { prefersHalf }: Database): VectorType {
  return vectorType ?? (prefersHalf ? "halfvec" : "vector");
}
