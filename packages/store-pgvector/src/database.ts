/** One statement with parameters `$1`, `$2` and so on. Arrays of text, numbers and null go in as arrays. */
export type Query = <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>;

/** A transaction that is open. */
export interface Transaction {
  readonly query: Query;
  /** Statements without parameters. */
  readonly exec: (sql: string) => Promise<void>;
}

/**
 * A Postgres database, whichever way it is reached. Nothing is kept in a session between two transactions: behind a
 * pooler, and in PGlite, another one may get it. So settings are `SET LOCAL`, statements have no names, locks belong to
 * transactions, and every table is named with its schema.
 */
export interface Database {
  /** For messages. */
  readonly name: string;
  /** Whether other processes can have it open. */
  readonly shared: boolean;
  /** Whether what was written is there after `close`. */
  readonly durable: boolean;
  /** Whether vectors take half precision unless said otherwise; where the arithmetic is emulated they should not. */
  readonly prefersHalf: boolean;
  /**
   * Runs `body` in a transaction: all of it sees one state of the database. Rolls back when `body` rejects. When the
   * connection is lost, the transaction is begun anew with another one, so `body` may run several times.
   */
  transaction<T>(mode: "read" | "write", body: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Statements that Postgres takes outside of a transaction only. */
  exec(sql: string): Promise<void>;
  close(): Promise<void>;
}

export const BEGIN: Readonly<Record<"read" | "write", string>> = {
  read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
  write: "BEGIN ISOLATION LEVEL READ COMMITTED",
};
