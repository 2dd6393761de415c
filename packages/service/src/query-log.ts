// An entry of its own: a search that is logged must not load the schemas of the tools.
export type { QueryLogEntry } from "./query-log/entry.js";
export { findGaps, type Gap, type GapReport } from "./query-log/gaps.js";
export { createQueryLog, type QueryLog, type QueryLogOptions } from "./query-log/query-log.js";
export { type QueryLogContent, readQueryLog } from "./query-log/read-query-log.js";
