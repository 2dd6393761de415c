import { EntryReader, FIELD_COUNT } from "@docsearch/store-kit";
import type * as Arrow from "apache-arrow";
import { documentOfChunk, type Facts, readFacts } from "./facts.js";
import { bytesOf, numbersOf, textsOf, vectorsOf } from "./rows.js";
import type { Snapshot } from "./snapshot.js";
import type { VectorState } from "./vector-state.js";

/** Chunks as they are counted while everything is read, by number of the chunk. */
interface Counts {
  readonly rows: Int32Array;
  readonly terms: Int32Array;
  readonly postings: Int32Array;
}

/**
 * Everything that the tables must agree on, one sentence for each fault.
 *
 * @param vectors of all models
 */
export async function checkIndex(snapshot: Snapshot, vectors: readonly VectorState[]): Promise<string[]> {
  const faults: string[] = [];
  const { facts } = snapshot;
  const size = facts.firstChunk.at(-1)!;
  const counts: Counts = {
    rows: new Int32Array(size),
    terms: new Int32Array(size),
    postings: new Int32Array(size),
  };
  await checkDocuments(snapshot, faults);
  const numbers = await chunkNumbers(snapshot);
  await checkChunks(snapshot, numbers, counts, faults);
  for (const state of vectors) await checkVectors(state, numbers, faults);
  await checkPostings(snapshot, counts, faults);
  facts.ids.forEach((id, index) => {
    for (let chunk = facts.firstChunk[index]!; chunk < facts.firstChunk[index + 1]!; chunk++) {
      const place = chunk - facts.firstChunk[index]!;
      if (counts.rows[chunk] !== 1)
        faults.push(`Chunk ${place} of document ${id} is there ${counts.rows[chunk]} times.`);
      else if (counts.terms[chunk] !== counts.postings[chunk]) {
        faults.push(
          `Chunk ${place} of document ${id} has ${counts.terms[chunk]} terms, and ${counts.postings[chunk]} postings.`,
        );
      }
    }
  });
  return faults;
}

async function checkDocuments(snapshot: Snapshot, faults: string[]): Promise<void> {
  const { facts, tables } = snapshot;
  const again = await readFacts(tables.document);
  if (String(again.firstChunk) !== String(facts.firstChunk)) faults.push("The documents changed while they were read.");
  for (const [index, { chunkIds }] of await snapshot.names(facts.ids.keys())) {
    const count = facts.firstChunk[index + 1]! - facts.firstChunk[index]!;
    if (chunkIds.length !== count) {
      faults.push(`Document ${facts.ids[index]} should have ${count} chunks, and names ${chunkIds.length}.`);
    }
  }
}

/** Number of each chunk by its id. */
async function chunkNumbers(snapshot: Snapshot): Promise<Map<string, number>> {
  const { facts } = snapshot;
  const numbers = new Map<string, number>();
  for (const [index, { chunkIds }] of await snapshot.names(facts.ids.keys())) {
    for (const [place, id] of chunkIds.entries()) numbers.set(id, facts.firstChunk[index]! + place);
  }
  return numbers;
}

async function checkChunks(
  { facts, tables }: Snapshot,
  numbers: ReadonlyMap<string, number>,
  counts: Counts,
  faults: string[],
): Promise<void> {
  for await (const batch of tables.chunk.query().select(["id", "document_id", "revision", "terms"])) {
    const found = batch as unknown as Arrow.Table;
    const terms = numbersOf(found, "terms");
    for (const { row, id, document } of rowsThere(facts, found)) {
      const chunk = numbers.get(id);
      if (chunk === undefined || documentOfChunk(facts, chunk) !== document) {
        faults.push(`Chunk ${id} is not one that its document ${facts.ids[document]} names.`);
        continue;
      }
      counts.rows[chunk]!++;
      counts.terms[chunk] = terms[row]!;
    }
  }
}

async function checkVectors(
  { snapshot: { facts }, space, table }: VectorState,
  numbers: ReadonlyMap<string, number>,
  faults: string[],
): Promise<void> {
  const model = space.embedding.id;
  const seen = new Set<string>();
  for await (const batch of table.query().select(["id", "document_id", "revision", "has_vector", "vector"])) {
    const found = batch as unknown as Arrow.Table;
    const [has, vectors] = [numbersOf(found, "has_vector"), vectorsOf(found, "vector")];
    for (const { row, id, document } of rowsThere(facts, found)) {
      const chunk = numbers.get(id);
      if (chunk === undefined || documentOfChunk(facts, chunk) !== document) {
        faults.push(
          `There is a vector of ${model} for chunk ${id}, which document ${facts.ids[document]} does not name.`,
        );
      }
      if (seen.has(id)) faults.push(`Chunk ${id} has more than one vector of ${model}.`);
      seen.add(id);
      const vector = vectors[row];
      if ((vector !== undefined) !== (has[row] === 1)) {
        faults.push(`Whether chunk ${id} has a vector of ${model} is noted wrongly.`);
      }
      const length = vector?.reduce((sum, component) => sum + component * component, 0) ?? 1;
      if (!(Math.abs(length - 1) < 1e-4)) faults.push(`The vector of ${model} for chunk ${id} is not of unit length.`);
    }
  }
}

/** The rows whose revision is there, of a table with one for each chunk; others are on their way in or out. */
function rowsThere(
  facts: Facts,
  found: Arrow.Table,
): readonly { readonly row: number; readonly id: string; readonly document: number }[] {
  const [ids, documentIds, revisions] = ["id", "document_id", "revision"].map((name) => textsOf(found, name));
  return ids!
    .map((id, row) => ({ row, id, document: facts.indexOfId.get(documentIds![row]!) ?? -1 }))
    .filter(({ row, document }) => facts.revisions[document] === revisions![row]);
}

/** Reads every posting, and counts those of each chunk. */
async function checkPostings({ facts, tables }: Snapshot, { postings }: Counts, faults: string[]): Promise<void> {
  for await (const batch of tables.posting.query().select(["term", "segment", "chunks", "bytes"])) {
    const found = batch as unknown as Arrow.Table;
    const [terms, segments] = [textsOf(found, "term"), textsOf(found, "segment")];
    const [counts, bytes] = [numbersOf(found, "chunks"), bytesOf(found, "bytes")];
    segments.forEach((name, row) => {
      if (!facts.segments.has(name)) return;
      if (countPostings(facts, name, bytes[row]!, postings) !== counts[row]) {
        faults.push(`The postings of "${terms[row]}" in segment ${name} are damaged.`);
      }
    });
  }
}

/** Counts the postings of each chunk. Returns how many there are; `undefined` when the bytes are not sound. */
function countPostings(facts: Facts, name: string, bytes: Uint8Array, postings: Int32Array): number | undefined {
  const { documents } = facts.segments.get(name)!;
  const reader = new EntryReader(bytes);
  let total = 0;
  while (!reader.done) {
    const document = documents[reader.next()] ?? -1;
    const count = reader.next();
    total += count;
    for (let i = 0; i < count; i++) {
      const place = reader.next();
      const mask = reader.next();
      if (!(mask > 0 && mask < 1 << FIELD_COUNT)) return undefined;
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        reader.next();
        reader.next();
      }
      if (document < 0) continue;
      const chunk = facts.firstChunk[document]! + place;
      if (chunk >= facts.firstChunk[document + 1]!) return undefined;
      postings[chunk]!++;
    }
  }
  return total;
}
