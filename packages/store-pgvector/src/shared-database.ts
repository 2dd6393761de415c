import type { Database } from "./database.js";

/** A database that several stores of this process have open. It is closed when the last of them closes it. */
export class SharedDatabase {
  readonly #database: Database;
  #users = 0;
  #closing: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Ends when the database is closed; `undefined` as long as it can be used. */
  get closing(): Promise<void> | undefined {
    return this.#closing;
  }

  /** The database for one more store. */
  use(): Database {
    this.#users++;
    let isClosed = false;
    return {
      ...this.#database,
      close: async () => {
        if (isClosed) return;
        isClosed = true;
        if (--this.#users > 0) return;
        this.#closing = this.#database.close();
        await this.#closing;
      },
    };
  }
}

/** By path. Postgres serves a folder to one instance of itself, so this process has one for each. */
const folders = new Map<string, Promise<SharedDatabase>>();

/**
 * The database in a folder, which other stores of this process may have open.
 *
 * @param start opens it
 */
export async function shareFolder(path: string, start: () => Promise<Database>): Promise<SharedDatabase> {
  for (;;) {
    const before = folders.get(path);
    const opening = before ?? start().then((database) => new SharedDatabase(database));
    folders.set(path, opening);
    const shared = await opening.catch((error: unknown) => {
      folders.delete(path);
      throw error;
    });
    if (shared.closing === undefined) return shared;
    await shared.closing.catch(() => {});
    if (folders.get(path) === opening) folders.delete(path);
  }
}
