import { storeConformance, storeModelTest } from "@docsearch/conformance";
import { memoryStore } from "@docsearch/core";
import type { IndexSchema, OpenOptions, VectorStore } from "@docsearch/spec";
import type { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pgvectorStore } from "../src/index.js";
import { newSchema, page, READ, SCHEMA, startPglite, term, textIds, WRITE } from "./support.js";

// Postgres over a socket, through the package pg: what a server gives, but that all connections are one session.
let pglite: PGlite;
let server: PGLiteSocketServer;
let url: string;

beforeAll(async () => {
  pglite = await startPglite();
  server = new PGLiteSocketServer({ db: pglite, host: "127.0.0.1", port: 0, maxConnections: 20 });
  await server.start();
  url = `postgres://postgres@${server.getServerConn()}/postgres`;
}, 60_000);

afterAll(async () => {
  await server.stop();
  await pglite.close();
});

function openIn(schema: string, index: IndexSchema = SCHEMA, options: OpenOptions = WRITE): Promise<VectorStore> {
  return pgvectorStore({ url, schema, poolSize: 2 }).open(index, options);
}

describe("through pg, vectors as halfvec with an HNSW index when there are many", () => {
  storeConformance({ test, open: (index) => openIn(newSchema(), index) });

  storeModelTest({
    test,
    sequences: 10,
    open: (index) => openIn(newSchema(), index),
    oracle: (index) => memoryStore().open(index, WRITE),
  });
});

test("a server is durable, takes several processes, and stores halfvec unless told otherwise", async () => {
  const schema = newSchema();
  const store = await openIn(schema);
  expect(store.capabilities).toEqual({
    lexical: "bm25f",
    vector: "approximate",
    vectorTolerance: 1e-3,
    atomicity: "document",
    durable: true,
    multiProcess: true,
  });
  await store.write([page("a", [{ words: "alpha", vector: [1, 0, 0, 0] }])]);
  await store.close();
  const reader = await openIn(schema, SCHEMA, READ);
  expect(await textIds(reader, term("alpha"))).toEqual(["a#0"]);
  await reader.close();
});
