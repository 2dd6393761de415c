import { FIELD_COUNT } from "@docsearch/store-kit";
import type { Connection, Table } from "@lancedb/lancedb";
import type * as Arrow from "apache-arrow";
import type { Lance } from "./lance.js";

/** The tables of one index. */
export const TABLE_NAMES = ["document", "chunk", "posting"] as const;

type TableName = (typeof TABLE_NAMES)[number];

export type Tables = Readonly<Record<TableName, Table>>;

/** Columns of `document` and `chunk` that a filter looks at. They are those of the document in both. */
const FILTER_FIELDS = ["document_id", "collection", "path", "media_type", "metadata"] as const;

/** Name of a table of a generation; the generation is the index with all its tables. */
function tableName(table: TableName, generation: string): string {
  return `${table}_${generation}`;
}

/** The generation of a table, by its name; `undefined` when it is none of ours. */
export function generationOf(name: string): string | undefined {
  return /^(?:document|chunk|posting)_(g[0-9a-z]+)$/.exec(name)?.[1];
}

/**
 * document: one row for each document that is there; a commit to it makes documents visible, and nothing else does.
 * `revision` names what was written of the document: its chunks have the same. `segment` and `number` say where its
 * postings are; `segment_size` is the number of documents that the segment was written with. `lengths`: of its chunks added up, by field, then of the document as a whole; in half units.
 *
 * chunk: the chunks of all revisions that are there or were lately; vectors are of unit length. `terms`: how many postings
 * it has.
 *
 * posting: the occurrences of a term in the documents of one segment, see posting-codec. `chunks`: how many hold it.
 */
export function schemasOf({ arrow }: Lance, dimensions: number | undefined): Record<TableName, Arrow.Schema> {
  const text = (name: string): Arrow.Field => new arrow.Field(name, new arrow.Utf8(), true);
  const integer = (name: string): Arrow.Field => new arrow.Field(name, new arrow.Int32(), true);
  const list = (name: string, length: number, type: Arrow.DataType): Arrow.Field =>
    new arrow.Field(name, new arrow.FixedSizeList(length, new arrow.Field("item", type, true)), true);
  return {
    document: new arrow.Schema([
      ...FILTER_FIELDS.map(text),
      ...["record", "outline", "chunk_ids", "revision", "segment"].map(text),
      ...["segment_size", "number", "chunks", "vectors"].map(integer),
      list("lengths", 2 * FIELD_COUNT, new arrow.Float64()),
    ]),
    chunk: new arrow.Schema([
      ...["id", "revision", "text", "details"].map(text),
      ...["ordinal", "terms"].map(integer),
      ...FILTER_FIELDS.map(text),
      ...(dimensions === undefined ? [] : [list("vector", dimensions, new arrow.Float32())]),
    ]),
    posting: new arrow.Schema([
      text("term"),
      text("segment"),
      integer("chunks"),
      new arrow.Field("bytes", new arrow.Binary(), true),
    ]),
  };
}

export async function createTables(
  connection: Connection,
  lance: Lance,
  generation: string,
  dimensions: number | undefined,
): Promise<void> {
  const schemas = schemasOf(lance, dimensions);
  for (const name of TABLE_NAMES) await connection.createEmptyTable(tableName(name, generation), schemas[name]);
}

/** The tables as they are now. A handle shows the same state until it is told to look again, or writes. */
export async function openTables(connection: Connection, generation: string): Promise<Tables> {
  const [document, chunk, posting] = await Promise.all(
    TABLE_NAMES.map((name) => connection.openTable(tableName(name, generation))),
  );
  return { document: document!, chunk: chunk!, posting: posting! };
}

/** Removes the tables of generations, as far as they are there. */
export async function dropTables(connection: Connection, generations: readonly string[]): Promise<void> {
  if (generations.length === 0) return;
  for (const name of await allTables(connection)) {
    const generation = generationOf(name);
    if (generation !== undefined && generations.includes(generation)) await connection.dropTable(name);
  }
}

/** Names of all tables at a place. */
export async function allTables(connection: Connection): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const last = names.at(-1);
    const page = await connection.tableNames([], { limit: 1000, ...(last !== undefined && { startAfter: last }) });
    names.push(...page);
    if (page.length < 1000) return names;
  }
}
