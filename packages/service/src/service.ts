import type { Docsearch } from "@docsearch/core";
import { type CallOptions, isDocsearchError } from "@docsearch/spec";
import { type ChunkData, getChunk } from "./get-chunk.js";
import type { Answer, Inputs, ProgressOptions } from "./inputs.js";
import { IndexJobs, type JobData, type JobsData, type RunJob } from "./jobs.js";
import { listSources, type SourcesData } from "./list-sources.js";
import { type OutlineData, outline } from "./outline.js";
import { type ReadData, readLines } from "./read.js";
import { type RemoveData, removeSource } from "./remove.js";
import { type OnSearch, type SearchData, search } from "./search.js";

export interface ServiceOptions {
  /** Opens the index; called on first use, and again after it failed or was made anew. */
  readonly open: (mode: "read" | "write") => Promise<Docsearch>;
  /** Another value when there is another index at the place, as after it was deleted and made anew. Default: always the same. */
  readonly stamp?: () => string;
  /** Resolves a path that a caller wants indexed, or throws. */
  readonly resolvePath: (path: string) => string;
  readonly runJob: RunJob;
  readonly onSearch?: OnSearch;
}

/** What the apps do with an index, free of transport. Inputs are checked ones: see `parseInput`. */
export interface Service {
  search(input: Inputs["search"], call?: CallOptions): Promise<Answer<SearchData>>;
  getChunk(input: Inputs["get_chunk"], call?: CallOptions): Promise<Answer<ChunkData>>;
  read(input: Inputs["read"], call?: CallOptions): Promise<Answer<ReadData>>;
  outline(input: Inputs["outline"], call?: CallOptions): Promise<Answer<OutlineData>>;
  listSources(input: Inputs["list_sources"], call?: CallOptions): Promise<Answer<SourcesData>>;
  indexPath(input: Inputs["index_path"], options?: ProgressOptions): Promise<Answer<JobData>>;
  indexStatus(input: Inputs["index_status"]): Answer<JobsData>;
  removeSource(input: Inputs["remove_source"], call?: CallOptions): Promise<Answer<RemoveData>>;
  /** For what has no operation of its own, such as completion. */
  withIndex<T>(body: (docsearch: Docsearch) => Promise<T>): Promise<T>;
  /** Answers whoever waits for an index job, at once. */
  stopWaiting(): void;
  /** Cancels the jobs and closes the index. */
  close(): Promise<void>;
}

/** Nothing is opened before the first call that needs the index. */
export function createService({ open, stamp = () => "", resolvePath, runJob, onSearch }: ServiceOptions): Service {
  const jobs = new IndexJobs(runJob);
  let opened: Promise<Docsearch> | undefined;
  let openedStamp = "";

  /** Runs `body` on the open index; opens it anew, once, when it was made anew or closed meanwhile. */
  async function withIndex<T>(body: (docsearch: Docsearch) => Promise<T>): Promise<T> {
    if (opened !== undefined && stamp() !== openedStamp) forget(opened);
    const current = opened ?? reopen();
    try {
      return await body(await current);
    } catch (error) {
      if (!isStale(error)) throw error;
      if (opened === current) forget(current);
      return body(await (opened ?? reopen()));
    }
  }

  function forget(current: Promise<Docsearch>): void {
    opened = undefined;
    void current.then((docsearch) => docsearch.close()).catch(() => {});
  }

  function reopen(): Promise<Docsearch> {
    openedStamp = stamp();
    const opening = open("read");
    opened = opening;
    // An index that is not there yet may be there at the next call.
    opening.catch(() => {
      if (opened === opening) opened = undefined;
    });
    return opening;
  }

  return {
    search: (input, call = {}) => withIndex((docsearch) => search(docsearch, input, call, onSearch)),
    getChunk: (input, call = {}) => withIndex((docsearch) => getChunk(docsearch, input, call)),
    read: (input, call = {}) => withIndex((docsearch) => readLines(docsearch, input, call)),
    outline: (input, call = {}) => withIndex((docsearch) => outline(docsearch, input, call)),
    listSources: (_input, call = {}) => withIndex((docsearch) => listSources(docsearch, call)),
    indexPath: async ({ path, wait_ms }, options = {}) => jobs.start(resolvePath(path), path, wait_ms, options),
    indexStatus: (input) => jobs.status(input),
    async removeSource(input, call = {}) {
      // Writing would make an index where there is none.
      await withIndex((docsearch) => docsearch.status(call));
      const docsearch = await open("write");
      try {
        return await removeSource(docsearch, input, call);
      } finally {
        await docsearch.close();
      }
    },
    withIndex,
    stopWaiting: () => jobs.stopWaiting(),
    async close() {
      await jobs.close();
      const current = opened;
      opened = undefined;
      await current?.then(
        (docsearch) => docsearch.close(),
        () => {},
      );
    },
  };
}

/** The index is another one than the one that was opened, or has been closed. */
function isStale(error: unknown): boolean {
  return isDocsearchError(error, "CLOSED") || isDocsearchError(error, "INDEX_MISMATCH");
}
