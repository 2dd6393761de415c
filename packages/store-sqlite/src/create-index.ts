import { type Connection, transaction } from "./driver.js";
import { type Identity, newNumbering, writeIdentity, writeState, writeVectorCount } from "./meta.js";
import { createTables, dropTables } from "./schema.js";

/**
 * Drops every table and makes those of an empty index, in one transaction. The rows are not looked at, so it does not
 * matter what is in them.
 *
 * @param isDone asked within the transaction; when another process has just done it, nothing is dropped
 */
export function createIndex(connection: Connection, identity: Identity, isDone: () => boolean = () => false): void {
  // Dropping tables one by one would look for rows that refer to them.
  connection.exec("PRAGMA foreign_keys = OFF");
  try {
    transaction(connection, "IMMEDIATE", () => {
      if (isDone()) return;
      dropTables(connection);
      createTables(connection, identity.schema, identity.layout);
      writeIdentity(connection, identity);
      writeState(connection, { generation: 0, numbering: newNumbering(), chunks: 0, livePostings: 0 });
      writeVectorCount(connection, 0);
    });
  } finally {
    connection.exec("PRAGMA foreign_keys = ON");
  }
}
