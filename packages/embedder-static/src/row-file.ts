import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { isDocsearchError } from "@docsearch/spec";
import { loadFailed } from "./load-error.js";

/** So many rows are read one by one; for more, the whole table is read at once. */
const MOST_SINGLE_ROWS = 256;

/**
 * `rows.i8`, read as far as it is needed: a query takes the rows of its dozen tokens, some kilobytes, and the thirteen
 * megabytes of the table come with the first documents.
 */
export class RowFile {
  readonly #path: string;
  /** Where the rows go: the whole table's room, zero where nothing was read yet. */
  readonly #rows: Int8Array;
  readonly #dimensions: number;
  /** 1 for each row that was read. */
  readonly #present: Uint8Array;
  /** Absent when all is read, and when closed. */
  #file: number | undefined;

  /** Opens the file. Throws `BACKEND_LOAD_FAILED` when it is not there or its size is not that of `rows`. */
  constructor(path: string, rows: Int8Array, dimensions: number) {
    this.#path = path;
    this.#rows = rows;
    this.#dimensions = dimensions;
    this.#present = new Uint8Array(rows.length / dimensions);
    this.#guard(() => {
      this.#file = openSync(path, "r");
      const { size } = fstatSync(this.#file);
      if (size === rows.length) return;
      this.close();
      throw loadFailed(`${path} holds ${size} bytes where config.json promises ${rows.length}, vocab times dim`);
    });
  }

  /** Makes sure that the rows of the first `count` of `ids` are there. Throws `BACKEND_LOAD_FAILED`. */
  need(ids: Int32Array, count: number): void {
    if (this.#file === undefined) return;
    let missing = 0;
    for (let i = 0; i < count; i++) if (this.#present[ids[i]!] === 0) missing++;
    if (missing > MOST_SINGLE_ROWS) {
      this.needAll();
      return;
    }
    for (let i = 0; missing > 0 && i < count; i++) {
      const id = ids[i]!;
      if (this.#present[id] === 1) continue;
      this.#read(id * this.#dimensions, this.#dimensions);
      this.#present[id] = 1;
      missing--;
    }
  }

  /** Reads the whole table, and closes the file. Throws `BACKEND_LOAD_FAILED`. */
  needAll(): void {
    if (this.#file === undefined) return;
    this.#read(0, this.#rows.length);
    this.close();
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #read(from: number, length: number): void {
    this.#guard(() => {
      for (let filled = 0; filled < length; ) {
        const bytes = readSync(this.#file!, this.#rows, from + filled, length - filled, from + filled);
        if (bytes === 0)
          throw loadFailed(`${this.#path} ended after ${from + filled} of its ${this.#rows.length} bytes`);
        filled += bytes;
      }
    });
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw isDocsearchError(error) ? error : loadFailed(`${this.#path} cannot be read`, error);
    }
  }
}
