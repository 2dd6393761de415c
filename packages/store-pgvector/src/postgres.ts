import { setTimeout as sleep } from "node:timers/promises";
import { DocsearchError } from "@docsearch/spec";
import { BEGIN, type Database, type Transaction } from "./database.js";
import { isConflict, isConnectionLoss, messageOf } from "./errors.js";

/** What is needed of a `Pool` of the package pg. */
export interface PoolLike {
  connect(): Promise<ClientLike>;
  query(sql: string): Promise<unknown>;
}

/** What is needed of its clients. */
export interface ClientLike {
  query(sql: string, parameters?: unknown[]): Promise<{ readonly rows: unknown[] }>;
  release(error?: Error): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** Pauses before another try after the connection was lost, in milliseconds. */
const PAUSES_MS: readonly number[] = [100, 400, 1500];

const CONNECT_TIMEOUT_MS = 10_000;

/** Connects to a server when the first transaction begins. */
export async function connectServer(dsn: string, name: string, poolSize: number): Promise<Database> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: dsn,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "docsearch",
    allowExitOnIdle: true,
  });
  // A connection that is lost while idle is taken out of the pool; the next transaction gets another one.
  pool.on("error", () => {});
  return poolDatabase(pool, name, () => pool.end());
}

/**
 * A database through a pool of connections.
 *
 * @param close ends the pool, where it is ours
 */
export function poolDatabase(pool: PoolLike, name: string, close: () => Promise<void>): Database {
  return {
    name,
    shared: true,
    durable: true,
    prefersHalf: true,
    transaction: (mode, body) => retrying(name, () => inTransaction(pool, mode, body)),
    exec: (sql) => retrying(name, async () => void (await pool.query(sql))),
    close,
  };
}

async function inTransaction<T>(
  pool: PoolLike,
  mode: "read" | "write",
  body: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on("error", onError);
  try {
    await client.query(BEGIN[mode]);
    const result = await body(transactionOf(client));
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((reason: unknown) => {
      broken ??= reason instanceof Error ? reason : new Error(String(reason));
    });
    throw error;
  } finally {
    client.off("error", onError);
    // A connection that failed is closed and not given to the next one.
    client.release(broken);
  }
}

function transactionOf(client: ClientLike): Transaction {
  return {
    query: async <Row extends object>(sql: string, parameters: readonly unknown[] = []) =>
      (await client.query(sql, [...parameters])).rows as Row[],
    exec: async (sql) => void (await client.query(sql)),
  };
}

/**
 * Runs `body` again after the connection was lost. Every change replaces or deletes whole documents, or fills what is
 * lacking, so twice is once.
 */
async function retrying<T>(name: string, body: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await body();
    } catch (error) {
      if (!isConnectionLoss(error) && !isConflict(error)) throw error;
      const pause = PAUSES_MS[attempt];
      if (pause === undefined) {
        throw new DocsearchError(
          "STORE_FAILED",
          `${name} cannot be reached: ${messageOf(error)}. It was tried ${PAUSES_MS.length + 1} times. Start Postgres, check the network, or correct DOCS_STORE_URL.`,
          { operation: "connect" },
          { cause: error },
        );
      }
      await sleep(pause);
    }
  }
}
