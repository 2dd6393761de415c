import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";

export {
  page,
  RANKING,
  READ,
  RECREATE,
  removal,
  SCHEMA,
  term,
  textIds,
  vectorIds,
  WRITE,
} from "../../../tools/store-tests/builders.js";

/** Postgres in memory with pgvector. It takes seconds to start, so a test file has one, and a schema for each test. */
export async function startPglite(): Promise<PGlite> {
  const pglite = await PGlite.create({ extensions: { vector } });
  await pglite.exec("CREATE EXTENSION vector");
  return pglite;
}

let schemas = 0;
export function newSchema(): string {
  return `Test "${++schemas}"`;
}
