import type { Transaction } from "./database.js";
import { LOCK_TIMEOUT_MS } from "./errors.js";

/**
 * Waits until no other process writes to the index, and keeps the others out until the transaction ends. Rejects with
 * SQLSTATE 55P03 when that takes too long.
 *
 * @param schema of the tables, quoted
 */
export async function lockForWriting({ query, exec }: Transaction, schema: string): Promise<void> {
  await exec(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`docsearch ${schema}`]);
}
