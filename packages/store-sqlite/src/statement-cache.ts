import type { Connection, Statement } from "./driver.js";

/** Prepares each text once. SQLite itself prepares a statement again when the tables have changed. */
export function cachedPrepare(prepare: (sql: string) => unknown): Connection["prepare"] {
  const statements = new Map<string, unknown>();
  return <Row>(sql: string): Statement<Row> => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = prepare(sql);
      statements.set(sql, statement);
    }
    return statement as Statement<Row>;
  };
}
