import { codeUnitKey, EntryReader, FIELD_COUNT, textOfKey } from "@docsearch/store-kit";
import type { Query } from "./database.js";
import { addLengths, readDocumentLengths } from "./posting-codec.js";
import { textColumn } from "./records.js";
import type { Snapshot } from "./snapshot.js";
import { readSpaces, readVectorCounts } from "./space-table.js";
import type { State } from "./state.js";
import { vectorTableName } from "./tables.js";

/** How many rows are read at a time. */
const PAGE_ROWS = 5000;

interface ChunkFacts {
  readonly document: number;
  readonly terms: number;
  postings: number;
}

/** Everything that the tables must agree on, one sentence for each fault. Call it in a transaction. */
export async function checkIndex(snapshot: Snapshot): Promise<string[]> {
  const { query, state } = snapshot;
  const { schema } = snapshot.tables;
  const faults: string[] = [];
  const chunks = new Map<number, ChunkFacts>();
  await checkDocuments(query, schema, state, faults);
  await readChunks(query, schema, chunks);
  if (chunks.size !== state.chunks) faults.push(`${state.chunks} chunks are counted, and there are ${chunks.size}.`);
  await checkPostings(query, schema, chunks, faults);
  for (const [slot, { terms, postings }] of chunks) {
    if (postings !== terms) faults.push(`The chunk in slot ${slot} has ${terms} terms, and ${postings} postings.`);
    if (slot >= state.nextSlot) faults.push(`The slot ${slot} of a chunk is not below ${state.nextSlot}.`);
  }
  await checkSpaces(snapshot, faults);
  return faults;
}

async function checkDocuments(query: Query, schema: string, state: State, faults: string[]): Promise<void> {
  let last = 0;
  let count = 0;
  let [chunkLengths, documentLengths] = [zeros(), zeros()];
  for (;;) {
    const rows = await query<{
      slot: number;
      id: string;
      sort_key: Uint8Array;
      chunks: number;
      found: number;
      chunk_lengths: number[];
      document_lengths: number[];
    }>(
      `SELECT slot, ${textColumn("id", "id")}, sort_key, chunks, chunk_lengths, document_lengths,
         (SELECT count(*)::int FROM ${schema}.chunk WHERE chunk.document = document.slot) AS found
       FROM ${schema}.document WHERE slot > $1 ORDER BY slot LIMIT ${PAGE_ROWS}`,
      [last],
    );
    for (const { slot, id, sort_key, chunks, found } of rows) {
      if (chunks !== found) faults.push(`Document ${id} should have ${chunks} chunks, and has ${found}.`);
      if (Buffer.compare(codeUnitKey(id), sort_key) !== 0) faults.push(`Document ${id} is sorted by another id.`);
      if (slot >= state.nextSlot) faults.push(`The slot ${slot} of document ${id} is not below ${state.nextSlot}.`);
    }
    chunkLengths = addLengths(
      chunkLengths,
      rows.map((row) => row.chunk_lengths),
      [],
    );
    documentLengths = addLengths(
      documentLengths,
      rows.map((row) => row.document_lengths),
      [],
    );
    count += rows.length;
    if (rows.length < PAGE_ROWS) break;
    last = rows.at(-1)!.slot;
  }
  if (count !== state.documents) faults.push(`${state.documents} documents are counted, and there are ${count}.`);
  if (String(chunkLengths) !== String(state.chunkLengths)) faults.push("The lengths of the chunks do not add up.");
  if (String(documentLengths) !== String(state.documentLengths))
    faults.push("The lengths of the documents do not add up.");
}

async function readChunks(query: Query, schema: string, chunks: Map<number, ChunkFacts>): Promise<void> {
  let last = 0;
  for (;;) {
    const rows = await query<{ slot: number; document: number; terms: number }>(
      `SELECT slot, document, terms FROM ${schema}.chunk WHERE slot > $1 ORDER BY slot LIMIT ${PAGE_ROWS}`,
      [last],
    );
    for (const { slot, document, terms } of rows) chunks.set(slot, { document, terms, postings: 0 });
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1)!.slot;
  }
}

/** Reads every posting, and counts those of each chunk. */
async function checkPostings(
  query: Query,
  schema: string,
  chunks: ReadonlyMap<number, ChunkFacts>,
  faults: string[],
): Promise<void> {
  let last: readonly [term: string, document: number] = ["\\x", 0];
  for (;;) {
    const rows = await query<{ term: Uint8Array; key: string; document: number; chunks: number; entry: Uint8Array }>(
      `SELECT term, '\\x' || encode(term, 'hex') AS key, document, chunks, entry FROM ${schema}.posting
       WHERE (term, document) > ($1::text::bytea, $2::int) ORDER BY term, document LIMIT ${PAGE_ROWS}`,
      last,
    );
    for (const { term, document, chunks: count, entry } of rows) {
      if (!isSound(entry, document, count, chunks)) {
        faults.push(`The postings of "${textOfKey(term)}" in document ${document} are damaged.`);
      }
    }
    if (rows.length < PAGE_ROWS) return;
    const { key, document } = rows.at(-1)!;
    last = [key, document];
  }
}

/** Whether an entry is whole, and speaks of chunks of its document. */
function isSound(entry: Uint8Array, document: number, count: number, chunks: ReadonlyMap<number, ChunkFacts>): boolean {
  const reader = new EntryReader(entry);
  if (reader.next() !== document || reader.next() !== count) return false;
  readDocumentLengths(reader, new Float64Array(FIELD_COUNT));
  for (let i = 0; i < count; i++) {
    if (reader.done) return false;
    const chunk = chunks.get(reader.next());
    if (chunk === undefined || chunk.document !== document) return false;
    chunk.postings++;
    for (let mask = reader.next(); mask > 0; mask &= mask - 1) {
      reader.next();
      reader.next();
    }
  }
  return reader.done;
}

/** The vectors of every model, and what chunks say of the models. */
async function checkSpaces(snapshot: Snapshot, faults: string[]): Promise<void> {
  const { query, tables } = snapshot;
  const { schema, silent } = tables;
  const { spaces } = await readSpaces(snapshot);
  const counts = await readVectorCounts(snapshot);
  for (const { number, embedding } of spaces) {
    const of = spaces.length > 1 ? ` of ${embedding.id}` : "";
    const [row] = await query<{ vectors: number; lost: number; contradicted: number }>(
      `SELECT count(*)::int AS vectors,
         (count(*) FILTER (WHERE chunk.document IS DISTINCT FROM vector.document))::int AS lost,
         (count(*) FILTER (WHERE $1::int = ANY (${silent})))::int AS contradicted
       FROM ${schema}.${vectorTableName(number)} AS vector LEFT JOIN ${schema}.chunk ON chunk.slot = vector.chunk`,
      [number],
    );
    const { vectors, lost, contradicted } = row!;
    const counted = counts.get(number);
    if (vectors !== counted) faults.push(`${counted} vectors${of} are counted, and there are ${vectors}.`);
    if (lost > 0) faults.push(`${lost} vectors${of} belong to no chunk, or to one of another document.`);
    if (contradicted > 0) faults.push(`${contradicted} vectors${of} belong to chunks that should have none.`);
  }
  const [unknown] = await query<{ chunks: number }>(
    `SELECT count(*)::int AS chunks FROM ${schema}.chunk WHERE NOT ${silent} <@ $1::int[]`,
    [spaces.map(({ number }) => number)],
  );
  const { chunks } = unknown!;
  if (chunks > 0) faults.push(`${chunks} chunks speak of a model that the index does not have.`);
}

function zeros(): number[] {
  return Array.from({ length: FIELD_COUNT }, () => 0);
}
