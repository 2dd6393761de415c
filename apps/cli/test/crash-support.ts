import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeChunker } from "@docsearch/chunker-code";
import { markdownChunker } from "@docsearch/chunker-markdown";
import { createDocsearch, type Docsearch, type SearchResult } from "@docsearch/core";
import { staticEmbedder } from "@docsearch/embedder-static";
import type { StoreFactory, StoreStats, VectorStore } from "@docsearch/spec";
import { sqliteStore } from "@docsearch/store-sqlite";

/** Small, so that the corpus makes more chunks than one transaction takes. */
export const CHUNK_SIZE = 150;
export const FILES = 150;

const GUIDES = join(import.meta.dirname, "../../../node_modules/bun-types/docs/guides");

const QUERIES = [
  "how do I run my tests again when a file changes",
  "read a file as a string",
  '"bun test"',
  "start a web server over https",
  "environment variables",
  "Bun.spawn",
  "hash a password",
  "deploy with docker",
  "convert a stream to a buffer",
  "install a package from a private registry",
];

/** Real documentation: the first guides of Bun. */
export function writeCorpus(folder: string): void {
  for (const file of markdownIn(GUIDES).slice(0, FILES)) cpSync(join(GUIDES, file), join(folder, file));
}

/** Makes a corpus what it may have been: some files are not there yet, some read otherwise, some went since. */
export function ageCorpus(folder: string): void {
  for (const [index, file] of markdownIn(folder).entries()) {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    if (index % 10 === 1) writeFileSync(join(folder, `gone-${index}.md`), text);
    if (index % 5 === 0) rmSync(path);
    else if (index % 5 < 3) writeFileSync(path, `${text.replace(/^## .*$/m, "## Before")}\nOld end.\n`);
  }
}

function markdownIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((file) => /\.mdx?$/.test(file)).sort();
}

/** What an index keeps of a document. */
export interface Stored {
  readonly contentHash: string;
  readonly chunks: number;
  /** Record, outline and chunks as JSON, which is fast to compare. */
  readonly json: string;
}

export interface Snapshot {
  readonly documents: ReadonlyMap<string, Stored>;
  readonly stats: StoreStats;
  readonly answers: readonly (readonly SearchResult[])[];
}

export async function snapshot(docsearch: Docsearch, store: VectorStore): Promise<Snapshot> {
  const answers: (readonly SearchResult[])[] = [];
  for (const query of QUERIES) answers.push((await docsearch.search({ query, limit: 10 })).results);
  return { documents: await storedDocuments(store), stats: await store.stats(), answers };
}

export async function storedDocuments(store: VectorStore): Promise<Map<string, Stored>> {
  const stored = new Map<string, Stored>();
  for (const document of await store.listDocuments({ limit: 10_000 })) {
    const [outline, ids] = await Promise.all([store.getOutline(document.id), store.getChunkIds(document.id)]);
    const json = JSON.stringify({ document, outline, chunks: await store.getChunks(ids) });
    stored.set(document.id, { contentHash: document.contentHash, chunks: ids.length, json });
  }
  return stored;
}

/** Opens an index as the command does, with a view of the store behind it. */
export async function withIndex<T>(
  path: string,
  mode: "read" | "write",
  body: (docsearch: Docsearch, store: VectorStore) => Promise<T>,
): Promise<T> {
  let store: VectorStore | undefined;
  const sqlite = sqliteStore({ path });
  const captured: StoreFactory = {
    ...sqlite,
    open: async (...options) => {
      store = await sqlite.open(...options);
      return store;
    },
  };
  const docsearch = await createDocsearch({
    store: captured,
    embedder: staticEmbedder(),
    chunkers: [markdownChunker(), codeChunker()],
    chunking: { maxSize: CHUNK_SIZE },
    mode,
  });
  try {
    return await body(docsearch, store as VectorStore);
  } finally {
    await docsearch.close();
  }
}

/** Bytes of the write-ahead log, into which a transaction is written before it counts. */
export function logSize(index: string): number {
  return statSync(`${index}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Whether pages of the write-ahead log have been copied into the database, or were about to be: from then on the
 * database needs the whole log. The index of the log says so, in its `nBackfill` and `nBackfillAttempted`
 * (https://www.sqlite.org/walformat.html).
 */
export function checkpointHasBegun(index: string): boolean {
  const logIndex = readFileSync(`${index}-shm`);
  return [96, 128].some((offset) => logIndex.readUInt32LE(offset) !== 0);
}

/**
 * Whether the write-ahead log ends in the middle of a transaction: frames behind the last one that commits
 * (https://www.sqlite.org/walformat.html).
 */
export function endsWithinTransaction(index: string): boolean {
  if (logSize(index) < 32) return false;
  const log = readFileSync(`${index}-wal`);
  const frameBytes = 24 + log.readUInt32BE(8);
  let isCommitted = true;
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes) {
    // Frames with other salts are left from before the last checkpoint.
    if (log.compare(log, 16, 24, at + 8, at + 16) !== 0) break;
    isCommitted = log.readUInt32BE(at + 4) !== 0;
  }
  return !isCommitted;
}

/** A small generator of random numbers from 0 to 1 (Tommy Ettinger, Mulberry32). */
export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
