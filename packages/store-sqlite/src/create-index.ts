import { type Connection, transaction } from "./driver.js";
import { type Identity, newNumbering, readIdentity, writeIdentity, writeState, writeVectorCount } from "./meta.js";
import { createTables, dropTables } from "./schema.js";
import { hasSpaceTable, readSpaces, restoreSpaces } from "./space-table.js";

/**
 * Drops every table and makes those of an empty index, in one transaction. The rows are not looked at, so it does not
 * matter what is in them.
 *
 * @param isDone asked within the transaction; when another process has just done it, nothing is dropped
 */
export function createIndex(connection: Connection, identity: Identity, isDone: () => boolean): void {
  inEmptiedDatabase(connection, () => {
    if (isDone()) return;
    dropTables(connection);
    createEmpty(connection, identity);
  });
}

/**
 * Makes an index empty and leaves all else as it is: what it was made with, and its spaces.
 *
 * @param check called within the transaction; what it throws leaves the index as it is
 */
export function emptyIndex(connection: Connection, check: () => void): void {
  inEmptiedDatabase(connection, () => {
    check();
    const identity = readIdentity(connection);
    const spaces = hasSpaceTable(connection) ? readSpaces(connection) : undefined;
    dropTables(connection);
    createEmpty(connection, identity);
    if (spaces !== undefined) restoreSpaces(connection, spaces);
  });
}

function createEmpty(connection: Connection, identity: Identity): void {
  createTables(connection, identity.schema, identity.layout);
  writeIdentity(connection, identity);
  writeState(connection, { generation: 0, numbering: newNumbering(), chunks: 0, livePostings: 0 });
  writeVectorCount(connection, "vectors", 0);
}

function inEmptiedDatabase(connection: Connection, body: () => void): void {
  // Dropping tables one by one would look for rows that refer to them.
  connection.exec("PRAGMA foreign_keys = OFF");
  try {
    transaction(connection, "IMMEDIATE", body);
  } finally {
    connection.exec("PRAGMA foreign_keys = ON");
  }
}
