import type { IndexSchema } from "@docsearch/spec";
import type { Connection, Table } from "@lancedb/lancedb";
import type { Catalog } from "./catalog.js";
import type { Generation, StoredSpace } from "./generation.js";
import { spaceOfStore } from "./identity.js";
import { Snapshot } from "./snapshot.js";
import { openDocuments } from "./tables.js";
import { VectorState } from "./vector-state.js";
import { openVectors } from "./vector-table.js";

/** What says which tables to use; or those of an index that is not published yet. */
export type Source = { readonly catalog: Catalog } | { readonly own: Generation };

/** The index that answers now, and the store's own space in it; `undefined` in a store without vectors. */
export interface Current {
  readonly generation: Generation;
  readonly space: StoredSpace | undefined;
}

/** A handle that is only asked for the latest version of its table. */
interface Probe {
  readonly name: string;
  readonly table: Table;
}

/** Follows an index that other processes change: every call gives what is there now. */
export class Latest {
  readonly #connection: Connection;
  readonly #source: Source;
  readonly #schema: IndexSchema;
  readonly #place: string;
  #documents: Probe | undefined;
  #vectors: Probe | undefined;
  #snapshot: Snapshot | undefined;
  #state: VectorState | undefined;

  /** @param schema of the store */
  constructor(connection: Connection, source: Source, schema: IndexSchema, place: string) {
    this.#connection = connection;
    this.#source = source;
    this.#schema = schema;
    this.#place = place;
  }

  /** @throws `INDEX_MISMATCH` when it is another index by now, or the store's space is gone */
  async current(): Promise<Current> {
    const generation = "own" in this.#source ? this.#source.own : (await this.#source.catalog.read()).current;
    return { generation, space: spaceOfStore(generation, this.#schema, this.#place) };
  }

  async snapshot(): Promise<Snapshot> {
    const { generation } = await this.current();
    return this.#snapshotOf(generation.name);
  }

  /** The vectors of the store's space; `undefined` in a store without. */
  async vectors(): Promise<VectorState | undefined> {
    const { generation, space } = await this.current();
    if (space === undefined) return undefined;
    // First the vectors: when the documents are the same after it, so were their rows.
    const version = await this.#vectorVersion(generation.name, space);
    const snapshot = await this.#snapshotOf(generation.name);
    if (
      this.#state?.snapshot !== snapshot ||
      this.#state.space.name !== space.name ||
      this.#state.version !== version
    ) {
      [this.#state] = await this.#readStates([space]);
    }
    return this.#state;
  }

  /** The vectors of all models. */
  async allVectors(): Promise<{ readonly generation: Generation; readonly states: readonly VectorState[] }> {
    const { generation } = await this.current();
    return { generation, states: await this.#readStates(generation.spaces) };
  }

  /** Makes the next call read everything anew. */
  forget(): void {
    this.#documents = undefined;
    this.#vectors = undefined;
    this.#snapshot = undefined;
    this.#state = undefined;
  }

  async #readStates(spaces: readonly StoredSpace[]): Promise<VectorState[]> {
    for (;;) {
      const snapshot = await this.snapshot();
      const states = await Promise.all(spaces.map((space) => VectorState.read(this.#connection, snapshot, space)));
      if ((await this.snapshot()) === snapshot) return states;
    }
  }

  async #snapshotOf(generation: string): Promise<Snapshot> {
    if (this.#documents?.name !== generation) {
      this.#documents = { name: generation, table: await openDocuments(this.#connection, generation) };
    }
    const version = await latestVersion(this.#documents);
    if (this.#snapshot?.generation !== generation || this.#snapshot.version !== version) {
      this.#snapshot = await Snapshot.read(this.#connection, generation);
    }
    return this.#snapshot;
  }

  async #vectorVersion(generation: string, space: StoredSpace): Promise<number> {
    if (this.#vectors?.name !== space.name) {
      const { table } = await openVectors(this.#connection, generation, space);
      this.#vectors = { name: space.name, table };
    }
    return latestVersion(this.#vectors);
  }
}

async function latestVersion({ table }: Probe): Promise<number> {
  await table.checkoutLatest();
  return table.version();
}
