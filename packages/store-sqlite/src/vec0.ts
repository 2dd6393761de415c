import { DocsearchError, type OpenOptions } from "@docsearch/spec";
import type { Scored } from "@docsearch/store-kit";

import { bytesOf } from "./chunk-blocks.js";
import type { ChunkTable } from "./chunk-table.js";
import type { Connection } from "./driver.js";
import { readVectorCount, type State, writeVectorCount } from "./meta.js";
import { type SlotMap, targetOf } from "./slots.js";
import { normalize } from "./vector/index.js";
import type { VectorIndex, VectorWriter } from "./vector-index.js";

/** The most neighbours that a query of vec0 may ask for. */
const MOST_NEIGHBOURS = 4096;
/** Where the number of vectors is kept in `meta`. */
const COUNT_KEY = "vectors";

interface Neighbour {
  readonly slot: number;
  readonly distance: number;
}

/**
 * Makes the functions and tables of sqlite-vec known to a connection. An index that is only read answers by words
 * without them: then the error is returned.
 *
 * @throws `BACKEND_LOAD_FAILED` when it does not load, in other modes
 */
export async function loadVec0(
  connection: Connection,
  mode: OpenOptions["mode"],
): Promise<DocsearchError<"BACKEND_LOAD_FAILED"> | undefined> {
  try {
    const { getLoadablePath } = await import("sqlite-vec");
    connection.loadExtension(getLoadablePath());
    return undefined;
  } catch (cause) {
    const error = new DocsearchError(
      "BACKEND_LOAD_FAILED",
      `The SQLite extension sqlite-vec did not load: ${cause instanceof Error ? cause.message : String(cause)}. Run: npm install sqlite-vec@0.1.9, or use another vectorIndex.`,
      { package: "sqlite-vec" },
      { cause },
    );
    if (mode !== "read") throw error;
    return error;
  }
}

/**
 * Vectors at full precision in a table of sqlite-vec, which other programs can query too. Exact, and some twenty times
 * slower than the scan of int8.
 */
export class Vec0Index implements VectorIndex {
  readonly capability = "exact";
  readonly tolerance = 1e-5;
  readonly #connection: Connection;
  readonly #missing: DocsearchError | undefined;

  /** @param missing why the extension is not there, in an index that is only read */
  constructor(connection: Connection, missing: DocsearchError | undefined) {
    this.#connection = connection;
    this.#missing = missing;
  }

  writer(): VectorWriter {
    // vec0 takes keys as 64-bit integers alone, and does not give the room of a deleted row to another one.
    const insert = this.#connection.prepare("INSERT INTO chunk_vector (slot, embedding) VALUES (?, ?)");
    const select = this.#connection.prepare<{ embedding: Uint8Array }>(
      "SELECT embedding FROM chunk_vector WHERE slot = ?",
    );
    const remove = this.#connection.prepare("DELETE FROM chunk_vector WHERE slot = ?");
    return {
      put: (slot, vector) => insert.run(BigInt(slot), bytesOf(unitVector(vector))),
      copy: (from, to) => {
        const stored = select.get(BigInt(from));
        if (stored !== undefined) insert.run(BigInt(to), stored.embedding);
      },
      putNone: () => {},
      remove: (slot) => remove.run(BigInt(slot)),
      finish: () => writeVectorCount(this.#connection, COUNT_KEY, this.count()),
    };
  }

  renumber(map: SlotMap): void {
    const writer = this.writer();
    for (const slot of this.#slots()) {
      writer.copy(slot, targetOf(map, slot));
      writer.remove(slot);
    }
  }

  count(): number {
    if (this.#missing !== undefined) return readVectorCount(this.#connection, COUNT_KEY);
    return this.#connection.prepare<{ n: number }>("SELECT count(*) AS n FROM chunk_vector").get()!.n;
  }

  search(
    query: Float32Array,
    limit: number,
    table: ChunkTable,
    _state: State,
    allowed: Uint8Array | undefined,
  ): readonly Scored[] {
    if (this.#missing !== undefined) throw this.#missing;
    if (!(limit >= 1)) return [];
    const vector = bytesOf(unitVector(query));
    const filter = allowed === undefined ? undefined : slotList(table, allowed);
    const wanted = Math.floor(limit);
    let neighbours: readonly Neighbour[];
    // One more than is asked for shows whether others tie with the last.
    for (let k = wanted + 1; ; k *= 2) {
      const all = k > MOST_NEIGHBOURS;
      neighbours = all ? this.#all(vector, filter) : this.#nearest(vector, k, filter);
      if (all || neighbours.length < k || neighbours[wanted - 1]!.distance < neighbours.at(-1)!.distance) break;
    }
    const last = neighbours[wanted - 1]?.distance ?? Number.POSITIVE_INFINITY;
    return neighbours
      .filter(({ distance }) => distance <= last)
      .map(({ slot, distance }) => ({ index: slot, score: 1 - distance }));
  }

  check(table: ChunkTable): string[] {
    if (this.#missing !== undefined) return [`The vectors cannot be searched. ${this.#missing.message}`];
    const faults: string[] = [];
    const [counted, count] = [readVectorCount(this.#connection, COUNT_KEY), this.count()];
    if (count !== counted) faults.push(`${counted} vectors are counted, and there are ${count}.`);
    for (const slot of this.#slots()) {
      if (!table.holds(slot)) faults.push(`There is a vector in slot ${slot}, where no chunk is.`);
    }
    return faults;
  }

  #slots(): number[] {
    return this.#connection
      .prepare<{ slot: number }>("SELECT slot FROM chunk_vector")
      .all()
      .map(({ slot }) => slot);
  }

  #nearest(vector: Uint8Array, k: number, filter: string | undefined): readonly Neighbour[] {
    const sql = `SELECT slot, distance FROM chunk_vector WHERE embedding MATCH ? AND k = ?`;
    if (filter === undefined) return this.#connection.prepare<Neighbour>(sql).all(vector, BigInt(k));
    // Only a condition on the key inside the query itself is applied before the nearest are taken.
    return this.#connection
      .prepare<Neighbour>(`${sql} AND slot IN (SELECT value FROM json_each(?))`)
      .all(vector, BigInt(k), filter);
  }

  #all(vector: Uint8Array, filter: string | undefined): readonly Neighbour[] {
    const condition = filter === undefined ? "" : "WHERE slot IN (SELECT value FROM json_each(?))";
    const select = this.#connection.prepare<Neighbour>(
      `SELECT slot, vec_distance_cosine(embedding, ?) AS distance FROM chunk_vector ${condition} ORDER BY distance`,
    );
    return filter === undefined ? select.all(vector) : select.all(vector, filter);
  }
}

function unitVector(vector: Float32Array): Float32Array<ArrayBuffer> {
  return Float32Array.from(normalize(vector));
}

/** Slots of the allowed chunks as a JSON array. */
function slotList(table: ChunkTable, allowed: Uint8Array): string {
  const slots: number[] = [];
  for (let chunk = 0; chunk < table.size; chunk++) if (allowed[chunk] === 1) slots.push(table.first + chunk);
  return JSON.stringify(slots);
}
