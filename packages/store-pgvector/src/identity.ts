import { isDeepStrictEqual } from "node:util";
import { DocsearchError, type IndexSchema } from "@docsearch/spec";
import { REBUILD_COMMAND, schemaMismatch } from "@docsearch/store-kit";
import type { Query, Transaction } from "./database.js";
import { FORMAT_VERSION } from "./schema.js";
import type { VectorType } from "./tables.js";

/** What an index was made with; it changes only when the index is made anew. */
export interface Identity {
  readonly format: number;
  readonly schema: IndexSchema;
  /** Column type of the vectors; `null` without vectors. */
  readonly vectorType: VectorType | null;
}

/** The identity of the index at hand; `undefined` when there is none. */
export async function readIdentity({ query }: Transaction, schema: string): Promise<Identity | undefined> {
  if (!(await hasTable(query, schema, "meta"))) return undefined;
  const rows = await query<{ key: string; value: unknown }>(`SELECT key, value FROM ${schema}.meta`);
  const values = new Map(rows.map(({ key, value }) => [key, value]));
  return {
    format: Number(values.get("format")),
    schema: values.get("schema") as IndexSchema,
    vectorType: (values.get("vector_type") ?? null) as VectorType | null,
  };
}

export async function writeIdentity({ query }: Transaction, schema: string, identity: Identity): Promise<void> {
  const values = { format: identity.format, schema: identity.schema, vector_type: identity.vectorType };
  await query(
    `INSERT INTO ${schema}.meta (key, value) SELECT k, v::json FROM unnest($1::text[], $2::text[]) AS t (k, v)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    [Object.keys(values), Object.values(values).map((value) => JSON.stringify(value))],
  );
}

/** @param schema quoted */
async function hasTable(query: Query, schema: string, table: string): Promise<boolean> {
  const [row] = await query<{ found: boolean }>("SELECT to_regclass($1) IS NOT NULL AS found", [`${schema}.${table}`]);
  return row?.found === true;
}

/**
 * What is wrong with the index at hand for someone who wants another; `undefined` when it is the one. An index of an
 * older format is right where the tables may be brought up to date.
 */
export function identityMismatch(
  stored: Identity,
  wanted: IndexSchema,
  place: string,
  mayMigrate: boolean,
): DocsearchError | undefined {
  const { format } = stored;
  const isKnown = mayMigrate ? format >= 1 && format <= FORMAT_VERSION : format === FORMAT_VERSION;
  if (!isKnown) {
    const mend =
      format < FORMAT_VERSION
        ? "Open it once for writing, which brings it up to date, or make it anew"
        : "Use the version of docsearch that wrote it, or make it anew";
    return new DocsearchError(
      "INDEX_FORMAT",
      `The index in ${place} has format ${format}; format ${FORMAT_VERSION} is asked for. ${mend}: ${REBUILD_COMMAND}`,
      { stored: `format ${format}`, supported: `format ${FORMAT_VERSION}`, command: REBUILD_COMMAND },
    );
  }
  if (isDeepStrictEqual(stored.schema, wanted)) return undefined;
  return schemaMismatch(`in ${place}`, stored.schema, wanted);
}

export function indexMissing(place: string): DocsearchError {
  const command = "docsearch index";
  return new DocsearchError("INDEX_MISSING", `There is no index in ${place}. Make one: ${command}`, {
    location: place,
    command,
  });
}
