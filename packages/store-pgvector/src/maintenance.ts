import type { Database } from "./database.js";
import { isIndexable } from "./extension.js";
import type { Snapshots } from "./snapshot.js";
import { writeState } from "./state.js";
import { hnswIndexName, type Tables, type VectorTable } from "./tables.js";

/** So many chunks or vectors written make it worth while to have the planner's statistics made anew. */
const MANY_ROWS = 1000;

/**
 * What is better done once than after every write. Call it when a writer ends.
 *
 * @param written number of chunks and vectors that this writer wrote
 * @param exactLimit with more vectors an HNSW index is built, which takes a second for some 3,000 vectors; Infinity:
 * never
 */
export async function maintain(
  database: Database,
  snapshots: Snapshots,
  written: number,
  exactLimit: number,
): Promise<void> {
  const { tables, state } = await snapshots.read(async (snapshot) => snapshot);
  if (!state.hnsw && state.vectors > exactLimit && isIndexed(tables)) await buildHnsw(snapshots);
  if (written < MANY_ROWS) return;
  // A server removes dead rows by itself; PGlite has nothing that runs in the background.
  const command = database.shared ? "ANALYZE" : "VACUUM (ANALYZE)";
  for (const name of tableNames(tables)) await database.exec(`${command} ${tables.schema}.${name}`);
}

/** Whether pgvector can index the vectors. */
function isIndexed({ vectors }: Tables): boolean {
  return vectors !== undefined && isIndexable(vectors.kind, vectors.dimensions);
}

function tableNames({ vectors }: Tables): readonly string[] {
  return ["document", "chunk", "posting", ...(vectors === undefined ? [] : [vectors.name])];
}

async function buildHnsw(snapshots: Snapshots): Promise<void> {
  await snapshots.change(async ({ query, exec, tables, state }) => {
    const { schema, vectors } = tables;
    if (state.hnsw || vectors === undefined) return;
    // The graph should fit into memory, or the build takes several times longer.
    await exec(
      `SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '256MB'; ${hnswIndex(schema, vectors)}`,
    );
    await writeState(query, tables, { ...state, hnsw: true });
  });
}

function hnswIndex(schema: string, vectors: VectorTable): string {
  const { name, kind, extensionSchema } = vectors;
  return `CREATE INDEX ${hnswIndexName(vectors)} ON ${schema}.${name} USING hnsw (embedding ${extensionSchema}.${kind}_ip_ops);`;
}
