import type { Docsearch } from "@docsearch/core";
import type { CallOptions, Chunk, DocumentRecord } from "@docsearch/spec";
import type { EvalQuery, EvalTarget } from "./query-set.js";

/** A target as it stands in one index. */
export interface ResolvedTarget {
  /** Empty when the index has no such document. */
  readonly documentIds: ReadonlySet<string>;
  readonly grade: number;
  /** Absent: any chunk of the document will do. */
  readonly matches?: (chunk: Chunk) => boolean;
}

export interface ResolvedQuery {
  readonly query: EvalQuery;
  readonly targets: readonly ResolvedTarget[];
  /** Ids of the documents that do not count. */
  readonly excluded: readonly string[];
}

export interface ResolvedQueries {
  readonly queries: readonly ResolvedQuery[];
  /** Names of targets that the index does not have, each once. */
  readonly missing: readonly string[];
}

/** Paths that are looked up at a time. */
const LOOKUP = 500;

/** Looks up what the targets name. Two documents of one path, from two collections, are both the target. */
export async function resolveQueries(
  docsearch: Docsearch,
  queries: readonly EvalQuery[],
  call: CallOptions,
): Promise<ResolvedQueries> {
  const paths = queries.flatMap(({ relevant, exclude = [] }) => [
    ...relevant.flatMap(({ path }) => (path === undefined ? [] : [path])),
    ...exclude,
  ]);
  const ids = queries.flatMap(({ relevant }) =>
    relevant.flatMap(({ documentId }) => (documentId === undefined ? [] : [documentId])),
  );
  const chunkIds = queries.flatMap(({ relevant }) =>
    relevant.flatMap(({ chunkId }) => (chunkId === undefined ? [] : [chunkId])),
  );
  const known = await lookUp(docsearch, [...new Set([...paths, ...ids])], call);
  const byPath = grouped(known, ({ path, id }) => path ?? id);
  const byId = grouped(known, ({ id }) => id);
  const byChunk = new Map<string, ReadonlySet<string>>();
  for (const chunkId of new Set(chunkIds)) {
    const place = await docsearch.getChunk(chunkId, call);
    if (place !== undefined) byChunk.set(chunkId, new Set([place.document.id]));
  }

  const missing = new Set<string>();
  const resolve = (target: EvalTarget): ResolvedTarget => {
    const { path, documentId, chunkId } = target;
    const name = path ?? documentId ?? (chunkId as string);
    const map = path !== undefined ? byPath : documentId !== undefined ? byId : byChunk;
    const documentIds = map.get(name) ?? new Set<string>();
    if (documentIds.size === 0) missing.add(name);
    if (chunkId !== undefined && !byChunk.has(chunkId)) missing.add(chunkId);
    const matches = matcherOf(target);
    return { documentIds, grade: target.grade ?? 1, ...(matches !== undefined && { matches }) };
  };
  const resolved = queries.map((query) => ({
    query,
    targets: query.relevant.map(resolve),
    excluded: (query.exclude ?? []).flatMap((path) => [...(byPath.get(path) ?? [])]),
  }));
  return { queries: resolved, missing: [...missing] };
}

/**
 * A chunk belongs to a part of a document when it starts inside it: whoever opens the chunk lands in the part. That
 * they overlap is not enough, or the larger the chunks the better the score, up to one chunk for the whole document.
 * To ask that the chunk covers the part would punish every section that is longer than a chunk.
 */
function matcherOf({
  startLine,
  endLine,
  startOffset,
  endOffset,
  chunkId,
}: EvalTarget): ((chunk: Chunk) => boolean) | undefined {
  if (chunkId !== undefined) return ({ id }) => id === chunkId;
  if (startLine !== undefined && endLine !== undefined) {
    return ({ span }) => span.startLine >= startLine && span.startLine <= endLine;
  }
  if (startOffset !== undefined && endOffset !== undefined) {
    return ({ span }) => span.startOffset >= startOffset && span.startOffset < endOffset;
  }
  return undefined;
}

/** The documents that one of the names is the path or the id of. */
async function lookUp(docsearch: Docsearch, names: readonly string[], call: CallOptions): Promise<DocumentRecord[]> {
  const found: DocumentRecord[] = [];
  for (let start = 0; start < names.length; start += LOOKUP) {
    const values = names.slice(start, start + LOOKUP);
    const filter = {
      op: "or",
      clauses: [
        { op: "in", field: "path", values },
        { op: "in", field: "id", values },
      ],
    } as const;
    let after: string | undefined;
    for (;;) {
      const page = await docsearch.listDocuments({
        filter,
        limit: LOOKUP,
        ...(after !== undefined && { after }),
        ...call,
      });
      found.push(...page);
      after = page.at(-1)?.id;
      if (page.length < LOOKUP || after === undefined) break;
    }
  }
  return found;
}

function grouped(
  documents: readonly DocumentRecord[],
  nameOf: (document: DocumentRecord) => string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const document of documents) {
    const name = nameOf(document);
    const group = groups.get(name) ?? new Set();
    groups.set(name, group.add(document.id));
  }
  return groups;
}
