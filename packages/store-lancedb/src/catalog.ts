// One row says which tables are the index. It is changed by a single commit, which succeeds only when nobody changed it
// meanwhile: so an index takes the place of another in one step, on object stores too.

import { setTimeout as sleep } from "node:timers/promises";
import type { Connection, Table } from "@lancedb/lancedb";
import { textColumn } from "./columns.js";
import { isConflict } from "./errors.js";
import type { Generation } from "./generation.js";
import { FORMAT_VERSION, formatMismatch, indexMissing } from "./identity.js";
import type { Lance } from "./lance.js";
import { newName } from "./names.js";
import { retryConflicts } from "./retry.js";
import { textsOf } from "./rows.js";
import { quote } from "./sql.js";
import { allTables } from "./tables.js";

export const CATALOG = "catalog";

/** A table that is listed and not there yet is being made by another process, or is damaged. In milliseconds. */
const CREATION_WAITS: readonly number[] = [25, 50, 100, 200, 400, 800];

export interface Entry {
  readonly current: Generation;
  /** What was in its place before the last rebuild. */
  readonly previous?: Generation;
}

/** An entry as it was read. Each change gives it another stamp. */
export interface StampedEntry extends Entry {
  readonly stamp: string;
}

export class Catalog {
  readonly #table: Table;
  readonly #place: string;
  #version = -1;
  #entry: StampedEntry | undefined;

  private constructor(table: Table, place: string) {
    this.#table = table;
    this.#place = place;
  }

  /** @throws `INDEX_MISSING` */
  static async open(connection: Connection, place: string): Promise<Catalog> {
    for (let attempt = 0; ; attempt++) {
      try {
        return new Catalog(await connection.openTable(CATALOG), place);
      } catch (error) {
        if (!(await allTables(connection)).includes(CATALOG)) throw indexMissing(place);
        const wait = CREATION_WAITS[attempt];
        if (wait === undefined || !/was not found/i.test(String(error))) throw error;
        await sleep(wait);
      }
    }
  }

  /** Makes the catalog with its first entry. Returns whether it did: another process may have been first. */
  static async create(connection: Connection, lance: Lance, entry: Entry): Promise<boolean> {
    const { arrow } = lance;
    const schema = new arrow.Schema(["stamp", "entry"].map((name) => new arrow.Field(name, new arrow.Utf8(), true)));
    const row = { stamp: textColumn(lance, [newName()]), entry: textColumn(lance, [encode(entry)]) };
    try {
      await connection.createTable(CATALOG, new arrow.Table(schema, row), { mode: "create" });
      return true;
    } catch (error) {
      if (isConflict(error) || /already exists/i.test(String(error))) return false;
      throw error;
    }
  }

  /**
   * The entry as it is now.
   *
   * @throws `INDEX_FORMAT`
   */
  async read(): Promise<StampedEntry> {
    await this.#table.checkoutLatest();
    const version = await this.#table.version();
    if (version !== this.#version || this.#entry === undefined) {
      const found = await this.#table.query().select(["stamp", "entry"]).toArrow();
      const entry = decode(textsOf(found, "entry")[0], this.#place);
      this.#entry = { ...entry, stamp: textsOf(found, "stamp")[0]! };
      this.#version = version;
    }
    return this.#entry;
  }

  /** Puts an entry in the place of one that was read. Returns whether it did: another process may have been faster. */
  async replace({ stamp }: StampedEntry, entry: Entry): Promise<boolean> {
    const { rowsUpdated } = await retryConflicts(this.#place, () =>
      this.#table.update({
        where: `stamp = ${quote(stamp)}`,
        valuesSql: { stamp: quote(newName()), entry: quote(encode(entry)) },
      }),
    );
    return rowsUpdated === 1;
  }

  /**
   * Changes the index that answers. Returns whether it did.
   *
   * @param change gives it as it shall be, or `undefined` to leave it; called again when another process was faster
   */
  async change(change: (current: Generation) => Generation | undefined): Promise<boolean> {
    for (;;) {
      const before = await this.read();
      const current = change(before.current);
      if (current === undefined) return false;
      const { previous } = before;
      if (await this.replace(before, { current, ...(previous && { previous }) })) return true;
    }
  }
}

function encode(entry: Entry): string {
  return JSON.stringify({ format: FORMAT_VERSION, ...entry });
}

function decode(text: string | undefined, place: string): Entry {
  if (text === undefined) throw new Error("the catalog is empty: the index is damaged, and its row not found");
  const { format, ...entry } = JSON.parse(text) as Entry & { readonly format: number };
  if (format !== FORMAT_VERSION) throw formatMismatch(format, place);
  return entry;
}
