import type { Connection, Table } from "@lancedb/lancedb";
import type { StoredSpace } from "./generation.js";
import type { Snapshot } from "./snapshot.js";
import { openVectors, readCoverage } from "./vector-table.js";

/** What of an index a model was asked about. */
export interface Coverage {
  readonly vectors: number;
  /** Chunks that it was asked about. */
  readonly answered: number;
  /** The same by revision; those that are not here have none. */
  readonly answeredOf: ReadonlyMap<string, number>;
}

/** The vectors of one model in one state of an index. Its handle goes on showing it, whatever is written. */
export class VectorState {
  readonly snapshot: Snapshot;
  readonly space: StoredSpace;
  readonly table: Table;
  readonly version: number;
  #coverage: Promise<Coverage> | undefined;
  #hasIndex: Promise<boolean> | undefined;

  private constructor(snapshot: Snapshot, space: StoredSpace, table: Table, version: number) {
    this.snapshot = snapshot;
    this.space = space;
    this.table = table;
    this.version = version;
  }

  /** The vectors of a snapshot: they are, when that is still the latest afterwards. */
  static async read(connection: Connection, snapshot: Snapshot, space: StoredSpace): Promise<VectorState> {
    const { table } = await openVectors(connection, snapshot.generation, space);
    return new VectorState(snapshot, space, table, await table.version());
  }

  coverage(): Promise<Coverage> {
    this.#coverage ??= this.#readCoverage();
    return this.#coverage;
  }

  async #readCoverage(): Promise<Coverage> {
    const { revisions, has } = await readCoverage(this.table);
    const alive = new Set(this.snapshot.facts.revisions);
    const answeredOf = new Map<string, number>();
    let vectors = 0;
    let answered = 0;
    revisions.forEach((revision, row) => {
      if (!alive.has(revision)) return;
      answered++;
      vectors += has[row]!;
      answeredOf.set(revision, (answeredOf.get(revision) ?? 0) + 1);
    });
    return { vectors, answered, answeredOf };
  }

  /** Whether there is an index over the vectors. */
  hasIndex(): Promise<boolean> {
    this.#hasIndex ??= this.table.listIndices().then((all) => all.some(({ columns }) => columns.includes("vector")));
    return this.#hasIndex;
  }
}
