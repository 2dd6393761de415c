import { DocsearchError } from "@docsearch/spec";
import type { Connection } from "@lancedb/lancedb";
import { type DocumentName, readNames } from "./document-rows.js";
import { chunkCount, type Facts, readFacts } from "./facts.js";
import { textsOf } from "./rows.js";
import { openTables, type Tables } from "./tables.js";

/** How often to begin anew when another process writes meanwhile. */
const TRIES = 50;

/** One state of an index. Its handles go on showing it, whatever is written. */
export class Snapshot {
  readonly generation: string;
  /** Version of `document`. */
  readonly version: number;
  readonly tables: Tables;
  readonly facts: Facts;
  #dead: Promise<readonly string[]> | undefined;
  #indexes: Promise<ReadonlySet<string>> | undefined;
  readonly #names = new Map<number, DocumentName>();

  private constructor(generation: string, version: number, tables: Tables, facts: Facts) {
    this.generation = generation;
    this.version = version;
    this.tables = tables;
    this.facts = facts;
  }

  static async read(connection: Connection, generation: string): Promise<Snapshot> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const tables = await openTables(connection, generation);
      const version = await tables.document.version();
      const facts = await readFacts(tables.document);
      // Chunks are removed after the documents that they belonged to. While these are there, so are those.
      const { document } = await openTables(connection, generation);
      if ((await document.version()) === version) return new Snapshot(generation, version, tables, facts);
    }
    throw new DocsearchError(
      "STORE_FAILED",
      "Other processes write to the index without a pause, and no state of it could be read. Try again.",
      { operation: "read" },
    );
  }

  /**
   * Revisions that have chunks and are not there, in code unit order: what a write that has not ended brought, or one
   * that was killed.
   */
  deadRevisions(): Promise<readonly string[]> {
    this.#dead ??= this.#findDead();
    return this.#dead;
  }

  async #findDead(): Promise<readonly string[]> {
    const { chunk } = this.tables;
    if ((await chunk.countRows()) === chunkCount(this.facts)) return [];
    const alive = new Set(this.facts.revisions);
    const found = new Set(textsOf(await chunk.query().select(["revision"]).toArrow(), "revision"));
    return [...found].filter((revision) => !alive.has(revision)).sort();
  }

  /** Whether the vectors have an index. */
  async hasVectorIndex(): Promise<boolean> {
    this.#indexes ??= this.tables.chunk
      .listIndices()
      .then((indices) => new Set(indices.flatMap(({ columns }) => columns)));
    return (await this.#indexes).has("vector");
  }

  /** Ids of documents and of their chunks, by the index of the document. */
  async names(documents: Iterable<number>): Promise<ReadonlyMap<number, DocumentName>> {
    const unknown = [...new Set(documents)].filter((index) => !this.#names.has(index));
    if (unknown.length > 0) {
      for (const [index, name] of await readNames(this.tables.document, this.facts, unknown)) {
        this.#names.set(index, name);
      }
    }
    return this.#names;
  }
}
