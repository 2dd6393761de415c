import { hashParts } from "../indexing/hash.js";
import type { SearchRequest } from "./search-request.js";

/** Where a page of results begins. */
interface PageStart {
  /** Results before it, when the page before was made. */
  readonly offset: number;
  /** The last chunk before it: where the index has changed, the page begins behind it all the same. */
  readonly lastChunkId: string;
}

/** Parts of a request that make another list, with what they are where they are absent; the size of pages does not. */
const OF_THE_LIST = {
  query: "",
  queryFilters: true,
  mode: "hybrid",
  filter: null,
  groupBy: "chunk",
  mergeAdjacent: false,
  fusion: null,
  rules: null,
} as const satisfies Partial<Record<keyof SearchRequest, unknown>>;

/** Text to go on with; it holds nothing of the query. */
export function writeCursor({ offset, lastChunkId }: PageStart, request: SearchRequest): string {
  return [offset, listHash(request), lastChunkId].join(".");
}

/** `undefined` when it is no cursor, or one of another search. */
export function readCursor(cursor: string, request: SearchRequest): PageStart | undefined {
  const [, offset, hash, lastChunkId] = /^(\d{1,9})\.([\w-]+)\.(.+)$/s.exec(cursor) ?? [];
  if (offset === undefined || lastChunkId === undefined || hash !== listHash(request)) return undefined;
  return { offset: Number(offset), lastChunkId };
}

function listHash(request: SearchRequest): string {
  const parts = Object.entries(OF_THE_LIST).map(([key, byDefault]) =>
    JSON.stringify(request[key as keyof typeof OF_THE_LIST] ?? byDefault),
  );
  return hashParts(parts).slice(0, 8);
}
