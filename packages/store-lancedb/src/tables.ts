import { FIELD_COUNT } from "@docsearch/store-kit";
import type { Connection, Table } from "@lancedb/lancedb";
import type * as Arrow from "apache-arrow";
import { FILTER_FIELDS, fieldsOf } from "./fields.js";
import type { Generation } from "./generation.js";
import type { Lance } from "./lance.js";
import { createVectorTable, spaceOf } from "./vector-table.js";

/** The tables of one index; there is one more for each of its models. */
const TABLE_NAMES = ["document", "chunk", "posting"] as const;

type TableName = (typeof TABLE_NAMES)[number];

export type Tables = Readonly<Record<TableName, Table>>;

/** Name of a table of a generation; the generation is the index with all its tables. */
function tableName(table: TableName, generation: string): string {
  return `${table}_${generation}`;
}

/** The generation of a table, by its name; `undefined` when it is none of ours. */
export function generationOf(name: string): string | undefined {
  return /^(?:document|chunk|posting)_(g[0-9a-z]+)$/.exec(name)?.[1] ?? spaceOf(name)?.generation;
}

/**
 * document: one row for each document that is there; a commit to it makes documents visible, and nothing else does.
 * `revision` names what was written of the document: its chunks and their vectors have the same. `segment` and `number`
 * say where its postings are; `segment_size` is the number of documents that the segment was written with. `lengths`: of
 * its chunks added up, by field, then of the document as a whole; in half units.
 *
 * chunk: the chunks of all revisions that are there or were lately. `terms`: how many postings it has.
 *
 * posting: the occurrences of a term in the documents of one segment, see posting-codec. `chunks`: how many hold it.
 */
export function schemasOf(lance: Lance): Record<TableName, Arrow.Schema> {
  const { arrow } = lance;
  const { text, integer, list } = fieldsOf(lance);
  return {
    document: new arrow.Schema([
      ...FILTER_FIELDS.map(text),
      ...["record", "outline", "chunk_ids", "revision", "segment"].map(text),
      ...["segment_size", "number", "chunks"].map(integer),
      list("lengths", 2 * FIELD_COUNT, new arrow.Float64()),
    ]),
    chunk: new arrow.Schema([
      ...["id", "document_id", "revision", "text", "details"].map(text),
      ...["ordinal", "terms"].map(integer),
    ]),
    posting: new arrow.Schema([
      text("term"),
      text("segment"),
      integer("chunks"),
      new arrow.Field("bytes", new arrow.Binary(), true),
    ]),
  };
}

export async function createTables(connection: Connection, lance: Lance, generation: Generation): Promise<void> {
  const schemas = schemasOf(lance);
  for (const name of TABLE_NAMES) await connection.createEmptyTable(tableName(name, generation.name), schemas[name]);
  for (const space of generation.spaces) await createVectorTable(connection, lance, generation.name, space);
}

/**
 * The tables as they are now. A handle shows the same state until it is told to look again, or writes. That of
 * `document` comes first, so that what it names is in the others.
 */
export async function openTables(connection: Connection, generation: string): Promise<Tables> {
  const document = await openDocuments(connection, generation);
  const [chunk, posting] = await Promise.all(
    (["chunk", "posting"] as const).map((name) => connection.openTable(tableName(name, generation))),
  );
  return { document, chunk: chunk!, posting: posting! };
}

export function openDocuments(connection: Connection, generation: string): Promise<Table> {
  return connection.openTable(tableName("document", generation));
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
