import { DocsearchError } from "@docsearch/spec";
import type { Connection } from "@lancedb/lancedb";
import { type DocumentName, readNames } from "./document-rows.js";
import { type Facts, isThere, readFacts } from "./facts.js";
import { textsOf } from "./rows.js";
import { isOneOf, isStorable } from "./sql.js";
import { openDocuments, openTables, type Tables } from "./tables.js";

/** How often to begin anew when another process writes meanwhile. */
const TRIES = 50;

/** One state of an index. Its handles go on showing it, whatever is written. */
export class Snapshot {
  readonly generation: string;
  /** Version of `document`. */
  readonly version: number;
  readonly tables: Tables;
  readonly facts: Facts;
  readonly #names = new Map<number, DocumentName>();
  /** Index of the document by chunk id, as far as it was asked for. */
  readonly #documentOf = new Map<string, number>();

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
      const document = await openDocuments(connection, generation);
      if ((await document.version()) === version) return new Snapshot(generation, version, tables, facts);
    }
    throw new DocsearchError(
      "STORE_FAILED",
      "Other processes write to the index without a pause, and no state of it could be read. Try again.",
      { operation: "read" },
    );
  }

  /** Indexes of the documents of chunks, by chunk id; chunks that are not there are left out. */
  async documentsOf(chunkIds: Iterable<string>): Promise<ReadonlyMap<string, number>> {
    const wanted = [...new Set(chunkIds)];
    const unknown = wanted.filter((id) => !this.#documentOf.has(id) && isStorable(id));
    if (unknown.length > 0 && this.facts.ids.length > 0) {
      const columns = ["id", "document_id", "revision"];
      const found = await this.tables.chunk.query().where(isOneOf("id", unknown)).select(columns).toArrow();
      const [ids, documentIds, revisions] = columns.map((name) => textsOf(found, name));
      ids!.forEach((id, row) => {
        const documentId = documentIds![row]!;
        if (isThere(this.facts, documentId, revisions![row]!)) {
          this.#documentOf.set(id, this.facts.indexOfId.get(documentId)!);
        }
      });
    }
    return new Map(
      wanted.flatMap((id) => {
        const document = this.#documentOf.get(id);
        return document === undefined ? [] : [[id, document]];
      }),
    );
  }

  /** Ids of documents and of their chunks, by the index of the document. */
  async names(documents: Iterable<number>): Promise<ReadonlyMap<number, DocumentName>> {
    const unknown = [...new Set(documents)].filter((index) => !this.#names.has(index));
    if (unknown.length > 0) {
      for (const [index, name] of await readNames(this.tables.document, this.facts, unknown)) {
        this.#names.set(index, name);
        for (const id of name.chunkIds) this.#documentOf.set(id, index);
      }
    }
    return this.#names;
  }
}
