import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markdownChunker } from "@docsearch/chunker-markdown";
import { createDocsearch, type Docsearch } from "@docsearch/core";
import { indexPlaces } from "@docsearch/service/index-places";
import { StatCache, watchFiles } from "@docsearch/source-fs";
import type { StoreFactory, VectorStore } from "@docsearch/spec";
import { sqliteStore } from "@docsearch/store-sqlite";
import { type Place, placesOf } from "../src/places.js";
import { storedDocuments } from "./crash-support.js";

interface Opened {
  readonly docsearch: Docsearch;
  readonly store: VectorStore;
}

/** An index of words with a view of the store behind it. */
async function open(factory: StoreFactory): Promise<Opened> {
  let store: VectorStore | undefined;
  const captured: StoreFactory = {
    ...factory,
    open: async (...options) => {
      store = await factory.open(...options);
      return store;
    },
  };
  const docsearch = await createDocsearch({
    store: captured,
    chunkers: [markdownChunker()],
    chunking: { maxSize: 200 },
  });
  return { docsearch, store: store as VectorStore };
}

/** What an index holds: a line for each document, with a hash of its record, outline and chunks. */
async function contents({ store }: Opened): Promise<string> {
  return [...(await storedDocuments(store))].map(([id, { json }]) => `${id} ${hash("sha256", json)}`).join("\n");
}

/** What a first index of a folder holds. */
export async function freshContents(folder: string): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), "docsearch-fresh-"));
  const fresh = await open(sqliteStore({ path: join(place, "index.db") }));
  try {
    await bringUpToDate(fresh, placesOf([folder], {}, folder), folder, new AbortController().signal);
    return await contents(fresh);
  } finally {
    await fresh.docsearch.close();
    rmSync(place, { recursive: true });
  }
}

async function bringUpToDate(
  { docsearch }: Opened,
  places: Place[],
  projectRoot: string,
  signal: AbortSignal,
): Promise<number> {
  const options = { places, projectRoot, prune: false, onEvent: () => {}, signal };
  const report = await indexPlaces(docsearch, options);
  return report.replaced + report.empty + report.deleted;
}

export interface Watch extends Opened {
  /** Runs until now, those that changed something, and whether two ever ran at a time. */
  readonly seen: { runs: number; changing: number; overlapped: boolean };
  contents(): Promise<string>;
  stop(): Promise<void>;
}

/** Watches a folder as `docsearch watch` does, in this process. */
export async function startWatch(folder: string, index: string, debounceMs: number): Promise<Watch> {
  const opened = await open(sqliteStore({ path: index }));
  const end = new AbortController();
  const statCache = StatCache.load(`${index}.stat`);
  const places = placesOf([folder], { statCache }, folder);
  const seen = { runs: 0, changing: 0, overlapped: false };
  let active = 0;
  const options = { trees: [{ root: folder, env: process.env }], debounceMs, signal: end.signal };
  const done = watchFiles(options, async () => {
    if (++active > 1) seen.overlapped = true;
    if ((await bringUpToDate(opened, places, folder, end.signal)) > 0) seen.changing++;
    seen.runs++;
    active--;
  }).catch((error: unknown) => {
    if (!end.signal.aborted) throw error;
  });
  return {
    ...opened,
    seen,
    contents: () => contents(opened),
    async stop() {
      end.abort();
      await done;
      await opened.docsearch.close();
    },
  };
}
