import { createServer } from "node:net";
import { DocsearchError, type IndexSchema, type OpenOptions, type VectorStore } from "@docsearch/spec";
import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PgliteLike, type PgvectorStoreOptions, type PoolLike, pgvectorStore, provider } from "../src/index.js";
import { startPglite as startWith } from "../src/pglite.js";
import {
  newSchema,
  page,
  READ,
  RECREATE,
  removal,
  SCHEMA,
  startPglite,
  term,
  textIds,
  vectorIds,
  WRITE,
} from "./support.js";

let pglite: PGlite;
beforeAll(async () => {
  pglite = await startPglite();
}, 60_000);
afterAll(() => pglite.close());

function openIn(schema: string, open: OpenOptions = WRITE, index: IndexSchema = SCHEMA): Promise<VectorStore> {
  return pgvectorStore({ pglite, schema }).open(index, open);
}

async function errorOf(promise: Promise<VectorStore>): Promise<DocsearchError> {
  const error = await promise.then(
    (store) => store.close().then(() => "opened"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(DocsearchError);
  return error as DocsearchError;
}

type Answer = (sql: string) => readonly object[] | Error | undefined;

/** The database, but that some statements are answered by `answer`. */
function answering(answer: Answer): PgliteLike {
  const checked = (sql: string): readonly object[] | undefined => {
    const given = answer(sql);
    if (given instanceof Error) throw given;
    return given;
  };
  return {
    exec: (sql) => pglite.exec(sql),
    transaction: (body) =>
      pglite.transaction((transaction) =>
        body({
          exec: async (sql) => checked(sql) ?? (await transaction.exec(sql)),
          query: async (sql, parameters) => {
            const rows = checked(sql);
            return rows === undefined ? await transaction.query(sql, parameters) : { rows: [...rows] };
          },
        }),
      ),
  };
}

/** The database as a pool. `fail` says what becomes of the call of that number. */
function poolOf(fail: (call: number) => Error | undefined): PoolLike {
  let calls = 0;
  return {
    query: (sql) => pglite.exec(sql),
    connect: async () => {
      const error = fail(++calls);
      if (error !== undefined) throw error;
      return {
        query: async (sql, parameters) =>
          parameters === undefined ? { rows: [await pglite.exec(sql)] } : pglite.query(sql, parameters),
        release: () => {},
        on: () => {},
        off: () => {},
      };
    },
  };
}

const withCode = (code: string, message = "no"): Error => Object.assign(new Error(message), { code });

test.each<[PgvectorStoreOptions, string]>([
  [
    { url: "mysql://localhost/x" },
    'url is "mysql://..."; it must be postgres://user:password@host:5432/database, a folder, or memory://.',
  ],
  [
    { url: "postgres://u:secret@host:port/x" },
    'url is "postgres://..."; it must be postgres://user:password@host:5432/database, a folder, or memory://.',
  ],
  [{ schema: "" }, 'schema is ""; it must be a name of 1 to 63 bytes that does not begin with pg_.'],
  [{ schema: "pg_x" }, 'schema is "pg_x"; it must be a name of 1 to 63 bytes that does not begin with pg_.'],
  [{ poolSize: 0 }, 'poolSize is "0"; it must be a whole number from 1 on.'],
  [{ exactLimit: 1.5 }, 'exactLimit is "1.5"; it must be a whole number from 1 on.'],
  [{ vectorIndex: "ivf" as "hnsw" }, 'vectorIndex is "ivf"; it must be one of hnsw, exact.'],
  [{ vectorType: "bit" as "vector" }, 'vectorType is "bit"; it must be one of halfvec, vector.'],
])("options of other values are refused: %o", (options, message) => {
  expect(() => pgvectorStore(options)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID", message }));
});

test("the environment names its variables", () => {
  expect(provider.fromEnv({ DOCS_STORE_URL: " " }).name).toBe("pgvector");
  expect(() => provider.fromEnv({ DOCS_STORE_URL: "redis://x" })).toThrow(/^DOCS_STORE_URL is "redis:\/\/\.\.\."/);
  expect(() => provider.fromEnv({ DOCS_PGVECTOR_SCHEMA: "pg_a" })).toThrow(/^DOCS_PGVECTOR_SCHEMA is "pg_a"/);
  expect(() => provider.fromEnv({ DOCS_PGVECTOR_POOL_SIZE: "many" })).toThrow(/^DOCS_PGVECTOR_POOL_SIZE is "many"/);
  expect(() => provider.fromEnv({ DOCS_PGVECTOR_INDEX: "no" })).toThrow(/^DOCS_PGVECTOR_INDEX is "no"/);
});

test("one database is asked for, not two", () => {
  expect(() => pgvectorStore({ url: "memory://", pglite })).toThrow("Several of url, pool and pglite are given");
});

test.each([
  [
    "ERR_MODULE_NOT_FOUND",
    "BACKEND_NOT_INSTALLED",
    "Run: npm install @electric-sql/pglite @electric-sql/pglite-pgvector",
  ],
  ["ERR_DLOPEN_FAILED", "BACKEND_LOAD_FAILED", "@electric-sql/pglite is there but did not load: no"],
])("PGlite that does not load (%s) is %s", async (nodeCode, code, message) => {
  const failing = (): Promise<never> => Promise.reject(withCode(nodeCode));
  const error = await startWith({ kind: "memory", name: "memory://" }, { pglite: failing, pgvector: failing }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
});

test("a server that nobody runs is given up after four tries, and the password is not told", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  const url = `postgres://reader:secret@127.0.0.1:${port}/docs`;
  const error = await errorOf(pgvectorStore({ url }).open(SCHEMA, WRITE));
  expect(error.code).toBe("STORE_FAILED");
  expect(error.message).toMatch(
    new RegExp(
      `^postgres://reader@127\\.0\\.0\\.1:${port}/docs cannot be reached: .*ECONNREFUSED.* It was tried 4 times\\.`,
    ),
  );
  expect(error.message).not.toContain("secret");
});

test("a connection that is lost is replaced, in the middle of a transaction too", async () => {
  const schema = newSchema();
  const pool = poolOf((call) => (call % 2 === 1 ? withCode("57P01", "terminating connection") : undefined));
  const store = await pgvectorStore({ pool, schema }).open(SCHEMA, WRITE);
  expect(await store.write([page("a", [{ words: "alpha" }])])).toEqual({ replaced: 1, deleted: 0, chunks: 1 });
  expect(await textIds(store, term("alpha"))).toEqual(["a#0"]);
  await store.close();
});

test.each([
  ["28P01", "user or password are wrong. Correct DOCS_STORE_URL (no)."],
  ["3D000", "there is no such database. Make it: createdb NAME (no)."],
  ["42501", "GRANT USAGE, CREATE ON SCHEMA name TO user (no)."],
  ["53300", "the server has too many connections. Lower poolSize (DOCS_PGVECTOR_POOL_SIZE), or use a pooler (no)."],
])("what a server reports as %s says what mends it", async (sqlState, message) => {
  const pool = poolOf(() => withCode(sqlState));
  const error = await errorOf(pgvectorStore({ pool }).open(SCHEMA, WRITE));
  expect(error).toMatchObject({ code: "STORE_FAILED", details: { operation: "open" } });
  expect(error.message).toContain(message);
});

const EXTENSION = "FROM pg_catalog.pg_extension";

test.each<[string, Answer, string, string]>([
  [
    "is not installed on the server",
    (sql) => (sql.includes(EXTENSION) || sql.includes("pg_available_extensions") ? [] : undefined),
    "has no pgvector. Install it there",
    "CREATE EXTENSION vector",
  ],
  [
    "may not be created",
    (sql) => (sql.includes(EXTENSION) ? [] : sql.startsWith("CREATE EXTENSION") ? withCode("42501") : undefined),
    "may not create extensions. Someone who may can run: CREATE EXTENSION vector",
    "CREATE EXTENSION vector",
  ],
  [
    "is too old",
    (sql) => (sql.includes(EXTENSION) ? [{ version: "0.7.4", schema: "public" }] : undefined),
    "has pgvector 0.7.4, and 0.8 or newer is needed",
    "ALTER EXTENSION vector UPDATE",
  ],
])("pgvector that %s", async (_, answer, message, install) => {
  const open = (index: IndexSchema): Promise<VectorStore> =>
    pgvectorStore({ pglite: answering(answer), schema: newSchema() }).open(index, WRITE);
  const error = await errorOf(open(SCHEMA));
  expect(error).toMatchObject({ code: "BACKEND_NOT_INSTALLED", details: { package: "pgvector", install } });
  expect(error.message).toContain(message);
  // An index without vectors does without.
  await (await open({ ...SCHEMA, embedding: null })).close();
});

test.each([
  [{ version: 120_022, release: "12.22", encoding: "UTF8" }, "is Postgres 12.22; 13 or newer is needed."],
  [
    { version: 180_000, release: "18.0", encoding: "LATIN1" },
    "has the encoding LATIN1, which does not hold every text.",
  ],
])("a server that will not do: %o", async (server, message) => {
  const answer: Answer = (sql) => (sql.includes("server_version_num") ? [server] : undefined);
  const error = await errorOf(pgvectorStore({ pglite: answering(answer), schema: newSchema() }).open(SCHEMA, WRITE));
  expect(error).toMatchObject({ code: "STORE_FAILED" });
  expect(error.message).toContain(message);
});

test("a lock that is not had is INDEX_LOCKED, and the changes are not made", async () => {
  const schema = newSchema();
  let locked = false;
  const answer: Answer = (sql) => (locked && sql.includes("pg_advisory_xact_lock") ? withCode("55P03") : undefined);
  const store = await pgvectorStore({ pglite: answering(answer), schema }).open(SCHEMA, WRITE);
  locked = true;
  await expect(store.write([page("a", [{}])])).rejects.toMatchObject({ code: "INDEX_LOCKED" });
  locked = false;
  expect(await store.stats()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
  await store.close();
});

test("vectors of more dimensions than pgvector stores are refused", async () => {
  const error = await errorOf(openIn(newSchema(), WRITE, { ...SCHEMA, embedding: { id: "x", dimensions: 16_001 } }));
  expect(error).toMatchObject({ code: "CONFIG_INVALID", details: { value: "16001", expected: "1 to 16000" } });
});

test("vectors of more dimensions than HNSW takes are compared exactly", async () => {
  const store = await openIn(newSchema(), WRITE, { ...SCHEMA, embedding: { id: "x", dimensions: 2001 } });
  expect(store.capabilities.vector).toBe("exact");
  const vector = Array.from({ length: 2001 }, (_, i) => i % 7);
  await store.write([page("a", [{ vector }])]);
  expect(await vectorIds(store, vector)).toEqual(["a#0"]);
  await store.close();
});

test("an index of a later format is refused, and made anew with recreate; other tables of the schema stay", async () => {
  const schema = newSchema();
  const store = await openIn(schema);
  await store.write([page("a", [{ words: "alpha" }])]);
  await store.close();
  const quoted = `"${schema.replaceAll('"', '""')}"`;
  await pglite.exec(
    `UPDATE ${quoted}.meta SET value = '99' WHERE key = 'format'; CREATE TABLE ${quoted}.theirs (x int)`,
  );
  for (const open of [READ, WRITE]) {
    expect(await errorOf(openIn(schema, open))).toMatchObject({
      code: "INDEX_FORMAT",
      details: { stored: "format 99", supported: "format 1", command: "docsearch index --rebuild" },
    });
  }
  const anew = await openIn(schema, RECREATE);
  expect(await anew.stats()).toEqual({ documents: 0, chunks: 0, vectors: 0 });
  await anew.close();
  expect((await pglite.query(`SELECT * FROM ${quoted}.theirs`)).rows).toEqual([]);
});

test("an index keeps the type of its vectors, whatever is asked for later", async () => {
  const schema = newSchema();
  await (await pgvectorStore({ pglite, schema, vectorType: "halfvec" }).open(SCHEMA, WRITE)).close();
  const store = await pgvectorStore({ pglite, schema, vectorType: "vector" }).open(SCHEMA, WRITE);
  expect(store.capabilities.vectorTolerance).toBe(1e-3);
  await store.close();
});

test("a reader notices that the index was made anew as another one, or is gone", async () => {
  const schema = newSchema();
  await (await openIn(schema)).close();
  const reader = await openIn(schema, READ);
  const other = { ...SCHEMA, embedding: { id: "other@1", dimensions: 8 } };
  await (await openIn(schema, RECREATE, other)).close();
  await expect(reader.stats()).rejects.toMatchObject({
    code: "INDEX_MISMATCH",
    details: { stored: other, requested: SCHEMA },
  });
  await pglite.exec(`DROP SCHEMA "${schema.replaceAll('"', '""')}" CASCADE`);
  await expect(reader.stats()).rejects.toMatchObject({ code: "INDEX_MISSING" });
  await reader.close();
});

test("what Postgres does not store fails its own change alone", async () => {
  const store = await openIn(newSchema());
  const changes = [page("a", [{ words: "alpha" }]), page("b\0", [{}]), page("c", [{ words: "alpha" }])];
  await expect(store.write(changes)).rejects.toMatchObject({ code: "STORE_FAILED", details: { operation: "write" } });
  expect(await textIds(store, term("alpha"))).toEqual(["a#0"]);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
});

test.each([
  ["UPDATE %.document SET chunks = 7 WHERE id = 'a'", "Document a should have 7 chunks, and has 2."],
  ["UPDATE %.state SET documents = 9", "9 documents are counted, and there are 2."],
  ["UPDATE %.state SET vectors = 9", "9 vectors are counted, and there are 3."],
  ["UPDATE %.state SET chunk_lengths[5] = 1", "The lengths of the chunks do not add up."],
  ["UPDATE %.state SET document_lengths[5] = 1", "The lengths of the documents do not add up."],
  [
    "UPDATE %.vector SET document = 99 WHERE chunk = (SELECT slot FROM %.chunk WHERE id = 'b#0')",
    "1 vectors belong to no chunk, or to one of another document.",
  ],
  ["DELETE FROM %.posting WHERE term = 'beta'", "The chunk in slot 5 has 2 terms, and 1 postings."],
  ["UPDATE %.posting SET entry = '\\x0101' WHERE term = 'beta'", 'The postings of "beta" in document 4 are damaged.'],
  ["UPDATE %.document SET sort_key = 'z' WHERE id = 'a'", "Document a is sorted by another id."],
])("check finds: %s", async (statement, fault) => {
  const schema = newSchema();
  const store = await openIn(schema);
  await store.write([
    page("a", [
      { words: "alpha", vector: [1, 0, 0, 0] },
      { words: "alpha", vector: [1, 0, 0, 0] },
    ]),
    page("b", [{ words: "alpha beta", vector: [1, 0, 0, 0] }]),
  ]);
  expect(await store.check()).toEqual({ faults: [] });
  await pglite.exec(statement.replaceAll("%", `"${schema.replaceAll('"', '""')}"`));
  expect((await store.check()).faults).toContain(fault);
  await store.close();
});

test("a vector that is kept is not written again, and slots of removed documents are used again", async () => {
  const schema = newSchema();
  const store = await openIn(schema);
  await store.write([page("a", [{ words: "alpha", vector: [1, 2, 3, 4] }]), page("b", [{ vector: [1, 0, 0, 0] }])]);
  const quoted = `"${schema.replaceAll('"', '""')}"`;
  const versions = async (): Promise<unknown> =>
    (await pglite.query(`SELECT chunk, ctid::text FROM ${quoted}.vector ORDER BY chunk`)).rows;
  const before = await versions();
  await store.write([page("a", [{ words: "beta", vector: "keep" }])]);
  expect(await versions()).toEqual(before);
  await store.write([removal("b"), page("c", [{ words: "gamma" }])]);
  const { rows } = await pglite.query(`SELECT next_slot FROM ${quoted}.state`);
  expect(rows).toEqual([{ next_slot: 5 }]);
  expect(await store.check()).toEqual({ faults: [] });
  await store.close();
});

test("a filter may be deep, and long", async () => {
  const store = await openIn(newSchema());
  await store.write([page("a", [{}]), page("b", [{}])]);
  let deep: Parameters<typeof store.listDocuments>[0]["filter"] = { op: "in", field: "id", values: ["a"] };
  for (let i = 0; i < 1201; i++) deep = { op: "not", clause: deep };
  for (let i = 0; i < 300; i++) deep = { op: "and", clauses: [{ op: "or", clauses: [deep] }] };
  expect((await store.listDocuments({ limit: 5, filter: deep })).map(({ id }) => id)).toEqual(["b"]);
  await store.close();
});
