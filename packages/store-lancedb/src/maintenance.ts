// What makes an index fast again after many writes, and never changes what it answers. It takes seconds, so no write
// waits for it: it runs beside them, ends between two steps when it is told to, and gives up when a write was faster.

import type { Connection, Table } from "@lancedb/lancedb";
import { mergeSegments, segmentsToMerge } from "./merge-segments.js";
import { timeOfName } from "./names.js";
import { retryConflicts } from "./retry.js";
import { textsOf } from "./rows.js";
import { Snapshot } from "./snapshot.js";
import { isOneOf } from "./sql.js";
import { allTables } from "./tables.js";
import { canBeIndexed } from "./vector-search.js";
import { spaceOf } from "./vector-table.js";
import type { Target } from "./write.js";

/** Rows of a write that did not end are removed after this time, and old versions of the tables. In milliseconds. */
const KEPT_MS = 3_600_000;

/** With fewer rows a column is read as a whole in no time. */
const MANY_ROWS = 10_000;

export interface MaintenanceOptions {
  /** With more vectors of a model an index over them is built; absent: never. */
  readonly vectorIndexAbove: number | undefined;
  readonly signal?: AbortSignal;
}

export async function maintain(
  connection: Connection,
  target: Target,
  generation: string,
  { vectorIndexAbove, signal }: MaintenanceOptions,
): Promise<void> {
  const { tables, vectors, lance } = target;
  const { Index } = lance.lancedb;
  const latest = async (): Promise<Snapshot> => {
    signal?.throwIfAborted();
    return Snapshot.read(connection, generation);
  };
  await removeAbandoned(target, await latest());
  await removeAbandonedSpaces(connection, target, generation);
  for (;;) {
    const { facts } = await latest();
    const names = segmentsToMerge(facts.segments);
    if (names.length === 0) break;
    await tables.posting.checkoutLatest();
    await mergeSegments(target, facts, names);
  }
  const rowsByRevision = [tables.chunk, ...vectors.map(({ table }) => table)];
  for (const table of [tables.document, tables.posting, ...rowsByRevision]) {
    signal?.throwIfAborted();
    await table.checkoutLatest();
    await table.optimize({ cleanupOlderThan: new Date(Date.now() - KEPT_MS) });
  }
  signal?.throwIfAborted();
  await buildIndex(tables.posting, "term", Index.btree(), MANY_ROWS);
  for (const table of rowsByRevision) {
    signal?.throwIfAborted();
    await buildIndex(table, "id", Index.btree(), MANY_ROWS);
    await buildIndex(table, "revision", Index.btree(), MANY_ROWS);
  }
  for (const { space, table } of vectors) {
    if (vectorIndexAbove === undefined || !canBeIndexed(space.embedding)) continue;
    signal?.throwIfAborted();
    if ((await table.countRows("has_vector = 1")) <= vectorIndexAbove) continue;
    await buildIndex(table, "vector", Index.ivfRq({ distanceType: "cosine" }), 0);
  }
}

/** Removes what writes left behind that did not end, or that another one overtook. */
async function removeAbandoned({ tables, vectors, place }: Target, snapshot: Snapshot): Promise<void> {
  const { facts } = snapshot;
  const isOld = (name: string): boolean => timeOfName(name) < Date.now() - KEPT_MS;
  if (facts.shadowed.length > 0) {
    await retryConflicts(place, () => tables.document.delete(isOneOf("revision", facts.shadowed)));
  }
  const alive = new Set(facts.revisions);
  for (const table of [tables.chunk, ...vectors.map((each) => each.table)]) {
    const revisions = new Set(textsOf(await table.query().select(["revision"]).toArrow(), "revision"));
    const dead = [...revisions].filter((revision) => revision !== "" && !alive.has(revision) && isOld(revision));
    if (dead.length > 0) await retryConflicts(place, () => table.delete(isOneOf("revision", dead)));
  }
  const found = await snapshot.tables.posting
    .query()
    .where(`NOT (${isOneOf("segment", [...facts.segments.keys()])})`)
    .select(["segment"])
    .toArrow();
  const segments = [...new Set(textsOf(found, "segment"))].filter(isOld);
  if (segments.length > 0) await retryConflicts(place, () => tables.posting.delete(isOneOf("segment", segments)));
}

/** Removes the tables of spaces that were not added to the index in the end, or are dropped and still there. */
async function removeAbandonedSpaces(connection: Connection, { vectors }: Target, generation: string): Promise<void> {
  const known = new Set(vectors.map(({ space }) => space.name));
  for (const name of await allTables(connection)) {
    const found = spaceOf(name);
    if (found?.generation !== generation || known.has(found.space)) continue;
    if (timeOfName(found.space) < Date.now() - KEPT_MS) await connection.dropTable(name);
  }
}

/** Builds an index over a column that has none yet, when the table has more than `least` rows. */
async function buildIndex(
  table: Table,
  column: string,
  config: ReturnType<Target["lance"]["lancedb"]["Index"]["btree"]>,
  least: number,
): Promise<void> {
  await table.checkoutLatest();
  const indices = await table.listIndices();
  if (indices.some(({ columns }) => columns.includes(column)) || (await table.countRows()) <= least) return;
  await table.createIndex(column, { config });
}
