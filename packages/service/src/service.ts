import type { Docsearch, SearchRequest } from "@docsearch/core";
import { type CallOptions, type DocumentRecord, isDocsearchError } from "@docsearch/spec";
import type { Coverage } from "./coverage.js";
import { type ChunkData, getChunk } from "./get-chunk.js";
import type { Answer, Inputs, ProgressOptions } from "./inputs.js";
import { IndexJobs, type JobData, type JobsData, type RunJob } from "./jobs.js";
import { type FreshnessOf, listSources, type SourcesData } from "./list-sources.js";
import { type OutlineData, outline } from "./outline.js";
import { type ReadData, readLines } from "./read.js";
import { type RemoveData, removeSource } from "./remove.js";
import { type OnSearch, type SearchData, search } from "./search.js";
import { withStaleNote } from "./stale-note.js";
import type { WatchData } from "./watch-data.js";

export interface ServiceOptions {
  /** Opens the index; called on first use, and again after it failed or was made anew. */
  readonly open: (mode: "read" | "write") => Promise<Docsearch>;
  /** Another value when there is another index at the place, as after it was deleted and made anew. Default: always the same. */
  readonly stamp?: () => string;
  /** Resolves a path that a caller wants indexed, or throws. */
  readonly resolvePath: (path: string) => string;
  readonly runJob: RunJob;
  /** Runs what changes the index when nobody else does; by default at once. */
  readonly inTurn?: <T>(body: () => Promise<T>, call: CallOptions) => Promise<T>;
  readonly onSearch?: OnSearch;
  readonly freshnessOf?: FreshnessOf;
  /** What an index that is not whole can answer for, such as while a run fills it. */
  readonly coverageOf?: (docsearch: Docsearch, call: CallOptions) => Promise<Coverage | undefined>;
  /** How it stands with the watching of files; absent where nothing is watched. */
  readonly watch?: () => WatchData | undefined;
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
  /** Documents that fit a query, best first: for clients that fetch whole documents. */
  findDocuments(query: string, limit: number, call?: CallOptions): Promise<readonly DocumentRecord[]>;
  /** For what has no operation of its own, such as completion. */
  withIndex<T>(body: (docsearch: Docsearch) => Promise<T>): Promise<T>;
  /** Answers whoever waits for an index job, at once. */
  stopWaiting(): void;
  /** Cancels the jobs and closes the index. */
  close(): Promise<void>;
}

/** Nothing is opened before the first call that needs the index. */
export function createService(options: ServiceOptions): Service {
  const { open, stamp = () => "", resolvePath, runJob, onSearch = () => {}, freshnessOf } = options;
  const { inTurn = (body) => body(), watch = () => undefined, coverageOf = async () => undefined } = options;
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
    search: (input, call = {}) =>
      withIndex(async (docsearch) => {
        const coverage = await coverageOf(docsearch, call);
        const remarks = coverage === undefined ? [] : [coverage.message];
        const answer = await search(docsearch, input, call, onSearch, remarks);
        if (freshnessOf === undefined || answer.data.results.length > 0) return answer;
        return withStaleNote(answer, docsearch, freshnessOf, call);
      }),
    getChunk: (input, call = {}) => withIndex((docsearch) => getChunk(docsearch, input, call)),
    read: (input, call = {}) => withIndex((docsearch) => readLines(docsearch, input, call)),
    outline: (input, call = {}) => withIndex((docsearch) => outline(docsearch, input, call)),
    listSources: (_input, call = {}) =>
      withIndex(async (docsearch) => {
        const coverage = await coverageOf(docsearch, call);
        return listSources(docsearch, call, { freshnessOf, watch: watch(), coverage: coverage?.message });
      }),
    indexPath: async ({ path, wait_ms }, options = {}) => jobs.start(resolvePath(path), path, wait_ms, options),
    indexStatus: (input) => jobs.status(input, watch()),
    async removeSource(input, call = {}) {
      // Writing would make an index where there is none.
      await withIndex((docsearch) => docsearch.status(call));
      return inTurn(async () => {
        const docsearch = await open("write");
        try {
          return await removeSource(docsearch, input, call);
        } finally {
          await docsearch.close();
        }
      }, call);
    },
    findDocuments: (query, limit, call = {}) =>
      withIndex(async (docsearch) => {
        const request: SearchRequest = { query, limit, groupBy: "document", ...call };
        const response = await docsearch.search(request);
        onSearch(request, response);
        return response.results.map(({ document }) => document);
      }),
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
