import type { Connection } from "./driver.js";
import { isBusy } from "./errors.js";

/** Shrinks the file when more than a quarter of it is unused, and empties the write-ahead log. */
export function giveBackSpace(connection: Connection): void {
  // Whoever works with the index now does this when he closes it.
  connection.exec("PRAGMA busy_timeout = 0");
  const { freelist_count: free } = connection.prepare<{ freelist_count: number }>("PRAGMA freelist_count").get()!;
  const { page_count: pages } = connection.prepare<{ page_count: number }>("PRAGMA page_count").get()!;
  try {
    if (free * 4 > pages) connection.exec("PRAGMA incremental_vacuum");
    connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}
