import type { Database } from "./database.js";
import { isIndexable } from "./extension.js";
import { lockForWriting } from "./lock.js";
import { readState, writeState } from "./state.js";
import { HNSW_INDEX, type Tables } from "./tables.js";

/** So many chunks written make it worth while to have the planner's statistics made anew. */
const MANY_CHUNKS = 1000;

/**
 * What is better done once than after every write. Call it when a writer ends.
 *
 * @param written number of chunks that this writer wrote
 * @param exactLimit with more vectors an HNSW index is built, which takes a second for some 3,000 vectors; 0: never
 */
export async function maintain(database: Database, tables: Tables, written: number, exactLimit: number): Promise<void> {
  if (exactLimit > 0) await buildHnsw(database, tables, exactLimit);
  if (written < MANY_CHUNKS) return;
  const names = ["document", "chunk", "posting", ...(tables.vectors === undefined ? [] : ["vector"])];
  // A server removes dead rows by itself; PGlite has nothing that runs in the background.
  const command = database.shared ? "ANALYZE" : "VACUUM (ANALYZE)";
  for (const name of names) await database.exec(`${command} ${tables.schema}.${name}`);
}

async function buildHnsw(database: Database, { schema, vectors }: Tables, exactLimit: number): Promise<void> {
  if (vectors === undefined || !isIndexable(vectors.kind, vectors.dimensions)) return;
  const { extensionSchema, kind } = vectors;
  await database.transaction("write", async (transaction) => {
    const before = await readState(transaction.query, schema);
    if (before.hnsw || before.vectors <= exactLimit) return;
    await lockForWriting(transaction, schema);
    const state = await readState(transaction.query, schema);
    if (state.hnsw) return;
    // The graph should fit into memory, or the build takes several times longer.
    await transaction.exec(`SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '256MB';
      CREATE INDEX ${HNSW_INDEX} ON ${schema}.vector USING hnsw (embedding ${extensionSchema}.${kind}_ip_ops);`);
    await writeState(transaction.query, schema, { ...state, hnsw: true });
  });
}
