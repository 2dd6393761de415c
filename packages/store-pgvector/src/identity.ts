import { isDeepStrictEqual } from "node:util";
import { DocsearchError, type IndexSchema, type SpaceEmbedding } from "@docsearch/spec";
import { REBUILD_COMMAND, schemaMismatch } from "@docsearch/store-kit";
import type { Query, Transaction } from "./database.js";
import { textColumn } from "./records.js";
import { FORMAT_VERSION, hasTable, SPACES_FORMAT_VERSION } from "./schema.js";
import type { VectorType } from "./tables.js";

/** The vectors of one model in an index. */
export interface StoredSpace {
  /** 0 for the model that the index began with. */
  readonly number: number;
  readonly embedding: SpaceEmbedding;
  readonly kind: VectorType;
}

/** What `meta` says of an index. */
export interface Identity {
  readonly format: number;
  /** With the embedding of the active space. */
  readonly schema: IndexSchema;
  /** Column type of the vectors of the active space; `null` without vectors. */
  readonly vectorType: VectorType | null;
}

/** What an index was made with, and the models that it has. */
export interface StoredIndex extends Identity {
  /** By number. */
  readonly spaces: readonly StoredSpace[];
}

/** What there is of an index; `undefined` when there is none. */
export async function readIdentity({ query }: Transaction, schema: string): Promise<StoredIndex | undefined> {
  if (!(await hasTable(query, schema, "meta"))) return undefined;
  const rows = await query<{ key: string; value: unknown }>(`SELECT key, value FROM ${schema}.meta`);
  const values = new Map(rows.map(({ key, value }) => [key, value]));
  const identity: Identity = {
    format: Number(values.get("format")),
    schema: values.get("schema") as IndexSchema,
    vectorType: (values.get("vector_type") ?? null) as VectorType | null,
  };
  const hasSpaceTable = identity.format === SPACES_FORMAT_VERSION;
  return { ...identity, spaces: hasSpaceTable ? await readSpaceTable(query, schema) : onlySpace(identity) };
}

/** An index of one model has no table of spaces: its space has the number 0, and `meta` names the model. */
function onlySpace({ schema, vectorType }: Identity): readonly StoredSpace[] {
  if (schema.embedding === null || vectorType === null) return [];
  return [{ number: 0, embedding: schema.embedding, kind: vectorType }];
}

async function readSpaceTable(query: Query, schema: string): Promise<StoredSpace[]> {
  const rows = await query<{ number: number; embedder: string; dimensions: number; vector_type: VectorType }>(
    `SELECT number, ${textColumn("embedder", "embedder")}, dimensions, vector_type FROM ${schema}.vector_space
     ORDER BY number`,
  );
  return rows.map(({ number, embedder, dimensions, vector_type: kind }) => ({
    number,
    embedding: { id: embedder, dimensions },
    kind,
  }));
}

export async function writeIdentity({ query }: Transaction, schema: string, identity: Identity): Promise<void> {
  const values = { format: identity.format, schema: identity.schema, vector_type: identity.vectorType };
  await query(
    `INSERT INTO ${schema}.meta (key, value) SELECT k, v::json FROM unnest($1::text[], $2::text[]) AS t (k, v)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [Object.keys(values), Object.values(values).map((value) => JSON.stringify(value))],
  );
}

/** What is wrong with the index at hand for someone who wants another; `undefined` when it is the one. */
export function identityMismatch(stored: Identity, wanted: IndexSchema, place: string): DocsearchError | undefined {
  const { format } = stored;
  if (!isKnownFormat(format)) {
    return new DocsearchError(
      "INDEX_FORMAT",
      `The index in ${place} has format ${format}; format ${FORMAT_VERSION} is asked for. Use the version of docsearch that wrote it, or make it anew: ${REBUILD_COMMAND}`,
      { stored: `format ${format}`, supported: `format ${FORMAT_VERSION}`, command: REBUILD_COMMAND },
    );
  }
  if (isDeepStrictEqual(stored.schema, wanted)) return undefined;
  return schemaMismatch(`in ${place}`, stored.schema, wanted);
}

/** Whether the index has the vectors that a store was opened with, whichever model is the active one. */
export function hasSpaceOf(stored: StoredIndex, { embedding, ...opened }: IndexSchema): boolean {
  const { embedding: _active, ...schema } = stored.schema;
  if (!isKnownFormat(stored.format) || !isDeepStrictEqual(schema, opened)) return false;
  // An index that began without vectors has no space of the number 0.
  if (embedding === null) return !stored.spaces.some(({ number }) => number === 0);
  return stored.spaces.some((space) => isDeepStrictEqual(space.embedding, embedding));
}

function isKnownFormat(format: number): boolean {
  return format === FORMAT_VERSION || format === SPACES_FORMAT_VERSION;
}

export function indexMissing(place: string): DocsearchError {
  const command = "docsearch index";
  return new DocsearchError("INDEX_MISSING", `There is no index in ${place}. Make one: ${command}`, {
    location: place,
    command,
  });
}
