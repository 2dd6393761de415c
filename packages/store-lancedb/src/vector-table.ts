import type { DocumentRecord } from "@docsearch/spec";
import type { Connection, Table } from "@lancedb/lancedb";
import type * as Arrow from "apache-arrow";
import { integerColumn, textColumn, vectorColumn } from "./columns.js";
import { FILTER_FIELDS, fieldsOf } from "./fields.js";
import type { StoredSpace } from "./generation.js";
import type { Lance } from "./lance.js";
import { filterColumns } from "./records.js";
import { numbersOf, textsOf, vectorsOf } from "./rows.js";
import { isOneOf } from "./sql.js";

/** An open table with the vectors of one model. */
export interface VectorTable {
  readonly space: StoredSpace;
  readonly table: Table;
}

/** What a model says about a chunk. */
export interface VectorRow {
  readonly chunkId: string;
  readonly document: DocumentRecord;
  readonly revision: string;
  /** Of unit length; `undefined`: it has nothing to say. */
  readonly vector: Float32Array | undefined;
}

/** The row that every filling changes, so that of two at the same time one must look again. */
export const GUARD: VectorRow = {
  chunkId: "",
  document: { id: "", collection: "", contentHash: "", mediaType: "", metadata: {} },
  revision: "",
  vector: undefined,
};

/** Name of the table with the vectors of a model. */
function vectorTableName(generation: string, space: string): string {
  return `vector_${generation}_${space}`;
}

/** Generation and space of a table of vectors, by its name; `undefined` when it is another table. */
export function spaceOf(name: string): { readonly generation: string; readonly space: string } | undefined {
  const [, generation, space] = /^vector_(g[0-9a-z]+)_([0-9a-z]+)$/.exec(name) ?? [];
  return generation === undefined || space === undefined ? undefined : { generation, space };
}

/**
 * vector: what one model says about the chunks of all revisions that are there or were lately. A chunk without a row is
 * lacking. `has_vector`: 1, or 0 where the model was asked and has nothing to say; vectors are of unit length. The row
 * without a revision belongs to no chunk: see `GUARD`.
 */
function vectorSchema(lance: Lance, dimensions: number): Arrow.Schema {
  const { arrow } = lance;
  const { text, integer, list } = fieldsOf(lance);
  return new arrow.Schema([
    ...["id", "revision"].map(text),
    ...FILTER_FIELDS.map(text),
    integer("has_vector"),
    list("vector", dimensions, new arrow.Float32()),
  ]);
}

/** Begins the table of a model. It is part of the index when the catalog says so. */
export async function createVectorTable(
  connection: Connection,
  lance: Lance,
  generation: string,
  { name, embedding }: StoredSpace,
): Promise<void> {
  const rows = vectorRows(lance, embedding.dimensions, [GUARD]);
  await connection.createTable(vectorTableName(generation, name), rows, { mode: "create" });
}

/** The table as it is now: see `openTables`. */
export async function openVectors(
  connection: Connection,
  generation: string,
  space: StoredSpace,
): Promise<VectorTable> {
  return { space, table: await connection.openTable(vectorTableName(generation, space.name)) };
}

export async function dropVectors(connection: Connection, generation: string, space: string): Promise<void> {
  await connection.dropTable(vectorTableName(generation, space));
}

/** Rows of `vector`. */
export function vectorRows(lance: Lance, dimensions: number, rows: readonly VectorRow[]): Arrow.Table {
  const text = (read: (row: VectorRow) => string): Arrow.Vector => textColumn(lance, rows.map(read));
  return new lance.arrow.Table(vectorSchema(lance, dimensions), {
    id: text(({ chunkId }) => chunkId),
    revision: text(({ revision }) => revision),
    ...filterColumns(
      lance,
      rows.map(({ document }) => document),
    ),
    has_vector: integerColumn(
      lance,
      rows.map(({ vector }) => (vector === undefined ? 0 : 1)),
    ),
    vector: vectorColumn(
      lance,
      dimensions,
      rows.map(({ vector }) => vector),
    ),
  });
}

/** What a model says about the chunks of revisions, by chunk id; those that it lacks are left out. */
export async function readAnswers(
  table: Table,
  revisions: readonly string[],
): Promise<Map<string, Float32Array | undefined>> {
  if (revisions.length === 0) return new Map();
  const found = await table.query().where(isOneOf("revision", revisions)).select(["id", "vector"]).toArrow();
  const vectors = vectorsOf(found, "vector");
  return new Map(textsOf(found, "id").map((id, row) => [id, vectors[row]]));
}

/** Ids of the chunks of revisions that a model was asked about. */
export async function readAnswered(table: Table, revisions: readonly string[]): Promise<Set<string>> {
  if (revisions.length === 0) return new Set();
  return new Set(textsOf(await table.query().where(isOneOf("revision", revisions)).select(["id"]).toArrow(), "id"));
}

/** Revision and `has_vector` of every row. */
export async function readCoverage(
  table: Table,
): Promise<{ readonly revisions: readonly string[]; readonly has: readonly number[] }> {
  const found = await table.query().select(["revision", "has_vector"]).toArrow();
  return { revisions: textsOf(found, "revision"), has: numbersOf(found, "has_vector") };
}
