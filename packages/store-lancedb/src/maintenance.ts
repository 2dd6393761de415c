// What makes an index fast again after many writes, and never changes what it answers. It takes seconds, so no write
// waits for it: it runs beside them, ends between two steps when it is told to, and gives up when a write was faster.

import type { Connection } from "@lancedb/lancedb";
import { mergeSegments, segmentsToMerge } from "./merge-segments.js";
import { timeOfName } from "./names.js";
import { retryConflicts } from "./retry.js";
import { textsOf } from "./rows.js";
import { Snapshot } from "./snapshot.js";
import { isOneOf } from "./sql.js";
import { TABLE_NAMES } from "./tables.js";
import type { Target } from "./write.js";

/** Rows of a write that did not end are removed after this time, and old versions of the tables. In milliseconds. */
const KEPT_MS = 3_600_000;

/** With fewer rows a column is read as a whole in no time. */
const MANY_ROWS = 10_000;

export interface MaintenanceOptions {
  /** With more vectors an index over them is built; absent: never. */
  readonly vectorIndexAbove: number | undefined;
  readonly signal?: AbortSignal;
}

export async function maintain(
  connection: Connection,
  target: Target,
  generation: string,
  { vectorIndexAbove, signal }: MaintenanceOptions,
): Promise<void> {
  const { tables, lance } = target;
  const { Index } = lance.lancedb;
  const latest = async (): Promise<Snapshot> => {
    signal?.throwIfAborted();
    return Snapshot.read(connection, generation);
  };
  await removeAbandoned(target, await latest());
  for (;;) {
    const { facts } = await latest();
    const names = segmentsToMerge(facts.segments);
    if (names.length === 0) break;
    await tables.posting.checkoutLatest();
    await mergeSegments(target, facts, names);
  }
  for (const name of TABLE_NAMES) {
    signal?.throwIfAborted();
    await tables[name].checkoutLatest();
    await tables[name].optimize({ cleanupOlderThan: new Date(Date.now() - KEPT_MS) });
  }
  const { facts } = await latest();
  await buildIndex(target, "posting", "term", Index.btree(), MANY_ROWS);
  signal?.throwIfAborted();
  await buildIndex(target, "chunk", "id", Index.btree(), MANY_ROWS);
  await buildIndex(target, "chunk", "revision", Index.btree(), MANY_ROWS);
  signal?.throwIfAborted();
  if (vectorIndexAbove !== undefined && facts.vectors > vectorIndexAbove) {
    await buildIndex(target, "chunk", "vector", Index.ivfRq({ distanceType: "cosine" }), 0);
  }
}

/** Removes what writes left behind that did not end, or that another one overtook. */
async function removeAbandoned({ tables, place }: Target, snapshot: Snapshot): Promise<void> {
  const { facts } = snapshot;
  const isOld = (name: string): boolean => timeOfName(name) < Date.now() - KEPT_MS;
  if (facts.shadowed.length > 0) {
    await retryConflicts(place, () => tables.document.delete(isOneOf("revision", facts.shadowed)));
  }
  const dead = (await snapshot.deadRevisions()).filter(isOld);
  if (dead.length > 0) await retryConflicts(place, () => tables.chunk.delete(isOneOf("revision", dead)));
  const found = await snapshot.tables.posting
    .query()
    .where(`NOT (${isOneOf("segment", [...facts.segments.keys()])})`)
    .select(["segment"])
    .toArrow();
  const segments = [...new Set(textsOf(found, "segment"))].filter(isOld);
  if (segments.length > 0) await retryConflicts(place, () => tables.posting.delete(isOneOf("segment", segments)));
}

/** Builds an index over a column that has none yet, when the table has more than `least` rows. */
async function buildIndex(
  { tables }: Target,
  name: (typeof TABLE_NAMES)[number],
  column: string,
  config: ReturnType<Target["lance"]["lancedb"]["Index"]["btree"]>,
  least: number,
): Promise<void> {
  const table = tables[name];
  await table.checkoutLatest();
  const indices = await table.listIndices();
  if (indices.some(({ columns }) => columns.includes(column)) || (await table.countRows()) <= least) return;
  await table.createIndex(column, { config });
}
