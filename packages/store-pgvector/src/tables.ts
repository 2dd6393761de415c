/** Column type of the vectors: 2 or 4 bytes a dimension. */
export type VectorType = "halfvec" | "vector";

/** Where the tables of an index are, and those of its vectors that an open store works with. */
export interface Tables {
  /** Schema of the tables, quoted. */
  readonly schema: string;
  /** Whether `vector_space` has the models and their counts: from the second model on. Before it `state` has the counts. */
  readonly hasSpaceTable: boolean;
  /** The vectors of the store's own model. Absent in a store without vectors. */
  readonly vectors?: VectorTable;
  /** Numbers of the spaces of other models. */
  readonly others: readonly number[];
  /** Numbers of the spaces whose model has nothing to say about a row of `chunk`, as SQL. */
  readonly silent: string;
}

/** A table with the vectors of one model. */
export interface VectorTable {
  /** Number of the space; 0 for the model that the index began with. */
  readonly space: number;
  /** Without its schema. */
  readonly name: string;
  readonly kind: VectorType;
  readonly dimensions: number;
  /** Schema of pgvector, quoted: it need not be on the search path. */
  readonly extensionSchema: string;
  /** Type of the column: `"public".halfvec`. */
  readonly type: string;
}

/** @param extensionSchema quoted */
export function vectorTable(space: number, kind: VectorType, dimensions: number, extensionSchema: string): VectorTable {
  const type = `${extensionSchema}.${quoteName(kind)}`;
  return { space, name: vectorTableName(space), kind, dimensions, extensionSchema, type };
}

/** Name of the table of a space, without its schema. */
export function vectorTableName(space: number): string {
  return space === 0 ? "vector" : `vector_${space}`;
}

/** Name of the HNSW index of a table of vectors, which is in the same schema. */
export function hnswIndexName({ name }: VectorTable): string {
  return `${name}_hnsw`;
}

/** A name as Postgres takes it for itself. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
