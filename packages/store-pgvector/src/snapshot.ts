import type { IndexSchema } from "@docsearch/spec";
import type { Transaction } from "./database.js";
import { isMissingTable } from "./errors.js";
import { inspect, type Place } from "./inspect.js";
import { lockForWriting } from "./lock.js";
import { readState, type State } from "./state.js";
import type { Tables } from "./tables.js";

/** One state of the index, as a transaction sees it. */
export interface Snapshot extends Transaction {
  readonly tables: Tables;
  readonly state: State;
}

interface Known {
  readonly tables: Tables;
  readonly epoch: string | undefined;
}

type Body<T> = (snapshot: Snapshot) => Promise<T>;

/** The transactions of an open store. Each finds out whether the index still has the vectors that were opened. */
export class Snapshots {
  readonly #place: Place;
  readonly #schema: IndexSchema;
  /** What was last found, and in which epoch. */
  #known: Known | undefined;

  /** @param tables as they were when the index was opened */
  constructor(place: Place, schema: IndexSchema, tables: Tables) {
    this.#place = place;
    this.#schema = schema;
    this.#known = { tables, epoch: undefined };
  }

  /** Runs `body` on one state of the index. */
  read<T>(body: Body<T>): Promise<T> {
    return this.#run("read", body);
  }

  /** The same, and keeps other writers out. */
  change<T>(body: Body<T>): Promise<T> {
    return this.#run("write", body);
  }

  async #run<T>(mode: "read" | "write", body: Body<T>): Promise<T> {
    try {
      return await this.#transaction(mode, body);
    } catch (error) {
      if (!isMissingTable(error)) throw error;
      // The index was removed or made anew, or a model was dropped. If it still is the one that was opened, go on.
      this.#known = undefined;
      return await this.#transaction(mode, body);
    }
  }

  #transaction<T>(mode: "read" | "write", body: Body<T>): Promise<T> {
    return this.#place.database.transaction(mode, async (transaction) => {
      if (mode === "write") await lockForWriting(transaction, this.#place.schema);
      let known = this.#known;
      let state = known && (await readState(transaction.query, known.tables));
      if (known === undefined || state === undefined || state.epoch !== known.epoch) {
        const tables = await inspect(transaction, this.#place, this.#schema, "any");
        state = await readState(transaction.query, tables);
        known = { tables, epoch: state.epoch };
        this.#known = known;
      }
      return body({ ...transaction, tables: known.tables, state });
    });
  }
}
