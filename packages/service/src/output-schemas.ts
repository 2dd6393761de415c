import * as z from "zod/v4";
import type { OperationName } from "./inputs.js";

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const line = count;
const headings = z.array(z.string());

const trust = z.enum(["project", "third-party"]);

const counts = z.object({
  scanned: count,
  unchanged: count,
  replaced: count,
  deleted: count,
  chunks: count,
  failed: count,
  remarks: z.array(z.string()).optional(),
});

const job = z.object({
  jobId: z.string(),
  state: z.enum(["queued", "running", "done", "failed", "cancelled"]),
  path: z.string(),
  documents: count,
  holder: z.string().optional(),
  counts: counts.optional(),
  error: z.string().optional(),
});

const watch = z.object({
  state: z.enum(["starting", "waiting", "watching", "indexing", "failed"]),
  paths: z.array(z.string()),
  holder: z.string().optional(),
  lastRun: z.object({ endedAt: z.string(), counts }).optional(),
  error: z.string().optional(),
});

/** Shapes of the objects that come with the texts. */
const SCHEMAS: Readonly<Record<OperationName, z.ZodType>> = {
  search: z.object({
    results: z.array(
      z.object({
        rank: count,
        path: z.string(),
        source: z.string(),
        trust,
        startLine: line,
        endLine: line,
        headingPath: headings,
        chunkId: z.string(),
        score: z.number(),
        text: z.string(),
        isCut: z.boolean(),
      }),
    ),
    found: count,
    isAll: z.boolean(),
    offset: count,
    nextOffset: count.optional(),
    warnings: z.array(z.string()),
    maskedSecrets: count,
  }),
  get_chunk: z.object({
    path: z.string(),
    source: z.string(),
    trust,
    title: z.string().optional(),
    chunks: z.array(
      z.object({ chunkId: z.string(), startLine: line, endLine: line, headingPath: headings, text: z.string() }),
    ),
    related: z.array(
      z.object({
        relation: z.enum(["definition", "mention"]),
        name: z.string().optional(),
        path: z.string(),
        line,
        chunkId: z.string(),
      }),
    ),
    nextLine: line.optional(),
    maskedSecrets: count,
  }),
  read: z.object({
    path: z.string(),
    source: z.string(),
    trust,
    title: z.string().optional(),
    startLine: line,
    endLine: line,
    totalLines: count,
    text: z.string(),
    nextLine: line.optional(),
    maskedSecrets: count,
  }),
  outline: z.object({
    path: z.string().optional(),
    source: z.string().optional(),
    entries: z.array(
      z.object({
        name: z.string(),
        level: count,
        kind: z.string().optional(),
        startLine: line.optional(),
        endLine: line.optional(),
      }),
    ),
    total: count,
    offset: count,
    nextOffset: count.optional(),
  }),
  list_sources: z.object({
    sources: z.array(
      z.object({
        name: z.string(),
        documents: count,
        code: count,
        chunks: count,
        trust,
        indexedAt: z.string().optional(),
        isStale: z.boolean().optional(),
      }),
    ),
    total: count,
    documents: count,
    chunks: count,
    more: count,
    watch: watch.optional(),
    coverage: z.string().optional(),
  }),
  index_path: job,
  index_status: z.object({ jobs: z.array(job), watch: watch.optional() }),
  remove_source: z.object({ removed: count }),
};

/** Schema of the object that an operation answers with. */
export function outputSchema(name: OperationName): z.ZodType {
  return SCHEMAS[name];
}
