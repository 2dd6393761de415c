import assert from "node:assert/strict";
import type { IndexSchema, VectorStore } from "@docsearch/spec";
import { SCHEMA } from "./builders.js";
import type { StoreCase } from "./store-case.js";
import { BATCH_CASES } from "./store-cases/batch.js";
import { BM25F_CASES } from "./store-cases/bm25f.js";
import { BM25F_DOCUMENT_CASES } from "./store-cases/bm25f-documents.js";
import { CONCURRENCY_CASES } from "./store-cases/concurrency.js";
import { FILTER_CASES } from "./store-cases/filter.js";
import { IDENTITY_CASES } from "./store-cases/identity.js";
import { KEEP_CASES } from "./store-cases/keep.js";
import { LIFECYCLE_CASES } from "./store-cases/lifecycle.js";
import { READ_CASES } from "./store-cases/read.js";
import { SCALE_CASES } from "./store-cases/scale.js";
import { SPACE_CASES } from "./store-cases/spaces.js";
import { TAIL_CASES } from "./store-cases/tail.js";
import { TEXT_CASES } from "./store-cases/text.js";
import { VALUE_CASES } from "./store-cases/values.js";
import { VECTOR_CASES } from "./store-cases/vector.js";
import { WRITE_CASES } from "./store-cases/write.js";
import type { TestFunction } from "./test-function.js";

const CASES: readonly StoreCase[] = [
  ...LIFECYCLE_CASES,
  ...WRITE_CASES,
  ...KEEP_CASES,
  ...BATCH_CASES,
  ...READ_CASES,
  ...TEXT_CASES,
  ...BM25F_CASES,
  ...BM25F_DOCUMENT_CASES,
  ...VECTOR_CASES,
  ...SPACE_CASES,
  ...FILTER_CASES,
  ...IDENTITY_CASES,
  ...CONCURRENCY_CASES,
  ...VALUE_CASES,
  ...TAIL_CASES,
  ...SCALE_CASES,
];

export interface StoreConformanceOptions {
  readonly test: TestFunction;
  /** Opens a store for writing, with nothing in it. Called once in each test. */
  readonly open: (schema: IndexSchema) => Promise<VectorStore>;
  /** Waits until searches see what was written, for backends that index in the background. */
  readonly settle?: (store: VectorStore) => Promise<void>;
  /** Case to the reason why the store fails it. A case that passes in spite of that fails. */
  readonly knownFailures?: Readonly<Record<string, string>>;
}

/**
 * Defines one test for each behaviour that the contract asks of a store. The store's capabilities decide which
 * apply; the others pass at once. After each test the store's own `check` must find no fault.
 *
 * @throws Error when `knownFailures` names a case that there is not.
 */
export function storeConformance({ test, open, settle, knownFailures = {} }: StoreConformanceOptions): void {
  const names = new Set(CASES.map(({ name }) => name));
  for (const name of Object.keys(knownFailures)) {
    if (!names.has(name)) throw new Error(`knownFailures names a case that does not exist: ${name}`);
  }
  for (const storeCase of CASES) {
    test(storeCase.name, async () => {
      const reason = Object.hasOwn(knownFailures, storeCase.name) ? knownFailures[storeCase.name] : undefined;
      const run = runCase(storeCase, open, settle);
      if (reason === undefined) return await run;
      const failed = await run.then(
        () => false,
        () => true,
      );
      assert.ok(failed, `passes now, so take it out of knownFailures, where it says: ${reason}`);
    });
  }
}

async function runCase(
  { schema = SCHEMA, applies, closes = false, body }: StoreCase,
  open: StoreConformanceOptions["open"],
  settleStore: StoreConformanceOptions["settle"],
): Promise<void> {
  const store = await open(schema);
  try {
    if (applies?.(store.capabilities) === false) return;
    const settle = async (): Promise<void> => await settleStore?.(store);
    await body({
      store,
      settle,
      isImmediate: settleStore === undefined,
      write: async (...changes) => {
        const result = await store.write(changes);
        await settle();
        return result;
      },
    });
    if (!closes) assert.deepEqual(await store.check(), { faults: [] });
  } finally {
    await store.close();
  }
}
