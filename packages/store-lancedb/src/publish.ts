import { isDocsearchError } from "@docsearch/spec";
import type { Connection } from "@lancedb/lancedb";
import { CATALOG, Catalog, type StampedEntry } from "./catalog.js";
import type { Generation } from "./generation.js";
import type { Lance } from "./lance.js";
import { dropTables } from "./tables.js";

/** Puts a generation in the place of the index that answers, which becomes the previous one. */
export async function publish(connection: Connection, lance: Lance, own: Generation, place: string): Promise<void> {
  for (;;) {
    const found = await readEntry(connection, place);
    if (found === undefined) {
      if (await Catalog.create(connection, lance, { current: own })) return;
      continue;
    }
    const { catalog, entry } = found;
    if (!(await catalog.replace(entry, { current: own, previous: entry.current }))) continue;
    if (entry.previous !== undefined) await dropTables(connection, [entry.previous.name]);
    return;
  }
}

/** The catalog and what it says; `undefined` when there is none, or it cannot be read and was removed. */
async function readEntry(
  connection: Connection,
  place: string,
): Promise<{ readonly catalog: Catalog; readonly entry: StampedEntry } | undefined> {
  try {
    const catalog = await Catalog.open(connection, place);
    return { catalog, entry: await catalog.read() };
  } catch (error) {
    if (!isDocsearchError(error, "INDEX_MISSING")) await connection.dropTable(CATALOG);
    return undefined;
  }
}
