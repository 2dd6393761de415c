import type { Connection } from "@lancedb/lancedb";
import { Catalog, type Entry } from "../src/catalog.js";
import { type Lance, loadLance } from "../src/lance.js";
import { openTables } from "../src/tables.js";
import { openVectors } from "../src/vector-table.js";
import type { Target } from "../src/write.js";

export interface Inside {
  readonly lance: Lance;
  readonly connection: Connection;
  readonly entry: Entry;
  /** Name of the index that answers. */
  readonly generation: string;
  readonly target: Target;
}

/** What an index consists of, as its tables are now. */
export async function inside(url: string): Promise<Inside> {
  const lance = await loadLance();
  const connection = await lance.lancedb.connect(url);
  const entry = await (await Catalog.open(connection, url)).read();
  const { name: generation, spaces } = entry.current;
  const tables = await openTables(connection, generation);
  const vectors = await Promise.all(spaces.map((space) => openVectors(connection, generation, space)));
  return { lance, connection, entry, generation, target: { lance, tables, vectors, own: spaces[0], place: url } };
}
