import { durableStoreConformance } from "@docsearch/conformance";
import type { IndexSchema, OpenOptions, VectorStore } from "@docsearch/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provider } from "../src/index.js";
import { type S3Server, startS3Server } from "./s3-server.js";
import { page, READ, REBUILD, SCHEMA, term, textIds, vectorIds, WRITE } from "./support.js";

const KEYS = { AWS_ACCESS_KEY_ID: "tester", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "eu-central-1" };

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server("tester");
});
afterAll(() => server.close());

function open(
  url: string,
  options: OpenOptions = WRITE,
  schema: IndexSchema = SCHEMA,
  env: Record<string, string> = {},
): Promise<VectorStore> {
  const all = { DOCS_STORE_URL: url, AWS_ENDPOINT_URL: server.endpoint, ...KEYS, ...env };
  return provider.fromEnv(all).open(schema, options);
}

let indexes = 0;
const newPlace = (): string => `s3://bucket/deep/index ${++indexes}`;

describe("on an object store", () => {
  durableStoreConformance({
    test,
    location: async () => newPlace(),
    open: (url, schema, options) => open(url, options, schema),
  });
});

test("two writers at a time lose nothing", async () => {
  const place = newPlace();
  const writers = [await open(place), await open(place), await open(place)];
  await Promise.all(
    writers.map(async (writer, w) => {
      for (let n = 0; n < 4; n++) {
        await writer.write([
          page(`w${w}-${n}`, [{ words: "all", vector: [1, w, n, 0] }]),
          page("same", [{ words: "all" }]),
        ]);
      }
    }),
  );
  const reader = await open(place, READ);
  const ids = ["same", ...writers.flatMap((_, w) => [0, 1, 2, 3].map((n) => `w${w}-${n}`))].sort();
  expect((await reader.listDocuments({ limit: 100 })).map(({ id }) => id)).toEqual(ids);
  expect((await textIds(reader, term("all"))).sort()).toEqual(ids.map((id) => `${id}#0`));
  expect(await vectorIds(reader, [1, 0, 0, 0], 1)).toEqual(["w0-0#0"]);
  expect(await reader.check()).toEqual({ faults: [] });
  for (const store of [...writers, reader]) await store.close();
}, 60_000);

test("a search in a state that is known asks the object store for that state alone", async () => {
  const place = newPlace();
  const writer = await open(place);
  await writer.write([page("a", [{ words: "alpha", vector: [1, 0, 0, 0] }])]);
  await writer.close();
  const reader = await open(place, READ);
  await textIds(reader, term("alpha"));
  server.takeCounts();
  expect(await textIds(reader, term("alpha"))).toEqual(["a#0"]);
  expect(Object.values(server.takeCounts()).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(4);
  await reader.close();
});

test("an index is made anew and put back", async () => {
  const place = newPlace();
  const store = await open(place);
  await store.write([page("old", [{ words: "alpha" }])]);
  const next = await open(place, REBUILD);
  await next.write([page("new", [{ words: "beta" }])]);
  await next.publish!();
  expect(await textIds(store, term("beta"))).toEqual(["new#0"]);
  const env = { DOCS_STORE_URL: place, AWS_ENDPOINT_URL: server.endpoint, ...KEYS };
  await provider.fromEnv(env).restorePrevious!();
  expect(await textIds(store, term("alpha"))).toEqual(["old#0"]);
  await store.close();
});

test("a second model is added, filled, made active, and the first dropped", async () => {
  const place = newPlace();
  const store = await open(place);
  await store.write([page("a", [{ words: "alpha", vector: [1, 0, 0, 0] }, { vector: [0, 1, 0, 0] }])]);
  const embedding = { id: "other@1", dimensions: 3 };
  const others = [await store.spaces!.open(embedding, { create: true }), await store.spaces!.open(embedding)];
  const entries = [0, 1].map((i) => ({ chunkId: `a#${i}`, vector: Float32Array.of(1 - i, i, 0) }));
  const filled = await Promise.all(others.map((other) => other.spaces!.fill(entries)));
  expect(filled.sort()).toEqual([0, 2]);
  await store.spaces!.use(embedding.id);
  await others[0]!.spaces!.drop(SCHEMA.embedding!.id);
  const reader = await open(place, READ, { ...SCHEMA, embedding });
  expect(await vectorIds(reader, [0, 1, 0], 1)).toEqual(["a#1"]);
  expect(await reader.spaces!.list()).toEqual([{ embedding, isActive: true, vectors: 2, lacking: 0 }]);
  expect(await reader.check()).toEqual({ faults: [] });
  for (const each of [store, ...others, reader]) await each.close();
});

test("keys that are refused are said to be, and not told", async () => {
  const refused = await open(newPlace(), READ, SCHEMA, { AWS_ACCESS_KEY_ID: "other" }).catch((error: unknown) => error);
  expect(String(refused)).toContain(
    "the object store refused the keys. Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION",
  );
  expect(String(refused)).not.toContain("secret");
});
