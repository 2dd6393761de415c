/** Column type of the vectors: 2 or 4 bytes a dimension. */
export type VectorType = "halfvec" | "vector";

/** Where the tables of an index are, and how its vectors are kept. */
export interface Tables {
  /** Schema of the tables, quoted. */
  readonly schema: string;
  /** Absent in an index without vectors. */
  readonly vectors?: VectorColumn;
}

export interface VectorColumn {
  readonly kind: VectorType;
  readonly dimensions: number;
  /** Schema of pgvector, quoted: it need not be on the search path. */
  readonly extensionSchema: string;
  /** Type of the column: `"public".halfvec`. */
  readonly type: string;
}

/** Name of the HNSW index, which is in the schema of its table. */
export const HNSW_INDEX = "vector_hnsw";

export function vectorColumn(kind: VectorType, dimensions: number, extensionSchema: string): VectorColumn {
  return { kind, dimensions, extensionSchema, type: `${extensionSchema}.${quoteName(kind)}` };
}

/** A name as Postgres takes it for itself. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
