import assert from "node:assert/strict";
import { page, removal, term, textIds, vectorIds } from "../builders.js";
import { hasText, hasVectors, type StoreCase } from "../store-case.js";

const numbered = (i: number): string => `d${String(i).padStart(3, "0")}`;

/** What is written once an index has been built and searched, and may stand beside it for a while. */
export const TAIL_CASES: readonly StoreCase[] = [
  {
    name: "tail: text written, changed and deleted after a search is found as it is",
    applies: hasText,
    body: async ({ store, write }) => {
      await write(...Array.from({ length: 200 }, (_, i) => page(numbered(i), [{ words: "old" }])));
      assert.equal((await textIds(store, term("old"), { limit: 1000 })).length, 200);
      for (let i = 0; i < 5; i++) {
        await write(page(`new${i}`, [{ words: "old fresh" }]), page(numbered(i), [{ words: "fresh" }]));
        await write(removal(numbered(199 - i)));
        const fresh = Array.from({ length: i + 1 }, (_, n) => [`${numbered(n)}#0`, `new${n}#0`]).flat();
        assert.deepEqual((await textIds(store, term("fresh"))).sort(), fresh.sort());
        assert.equal((await textIds(store, term("old"), { limit: 1000 })).length, 200 - (i + 1));
      }
    },
  },
  {
    name: "tail: vectors written, changed and deleted after a search are found as they are",
    applies: hasVectors,
    body: async ({ store, write }) => {
      await write(...Array.from({ length: 200 }, (_, i) => page(numbered(i), [{ vector: [1, 0.1 + i / 2000, 0, 0] }])));
      assert.equal((await vectorIds(store, [1, 0, 0, 0], { limit: 1000 })).length, 200);
      for (let i = 0; i < 5; i++) {
        await write(page(`new${i}`, [{ vector: [0, 0, 1, i / 10] }]), page(numbered(i), [{ vector: [0, 0, 1, -1] }]));
        await write(removal(numbered(199 - i)));
        const nearest = Array.from({ length: i + 1 }, (_, n) => `new${n}#0`);
        assert.deepEqual(await vectorIds(store, [0, 0, 1, 0], { limit: i + 1 }), nearest);
        assert.equal((await vectorIds(store, [1, 0, 0, 0], { limit: 1000 })).length, 200);
      }
    },
  },
];
