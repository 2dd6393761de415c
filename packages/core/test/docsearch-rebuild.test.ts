import type { StoreFactory } from "@docsearch/spec";
import { expect, test } from "vitest";
import { createDocsearch, memoryStore } from "../src/index.js";

test("a store that cannot make an index beside another is not asked to", async () => {
  await expect(createDocsearch({ store: memoryStore(), mode: "rebuild" })).rejects.toMatchObject({
    code: "UNSUPPORTED",
    message:
      'the store "memory" cannot make an index beside another; open it with the mode "write" and onMismatch "recreate"',
  });
});

test("publishing is the store's affair, and refused where it has none", async () => {
  const docsearch = await createDocsearch({ store: memoryStore() });
  await expect(docsearch.publish()).rejects.toMatchObject({ code: "UNSUPPORTED" });
  await docsearch.close();

  const done: string[] = [];
  const inner = memoryStore();
  const store: StoreFactory = {
    ...inner,
    restorePrevious: async () => {},
    async open(schema, options) {
      done.push(options.mode);
      const opened = await inner.open(schema, { ...options, mode: "write" });
      return Object.assign(opened, { publish: async () => void done.push("published") });
    },
  };
  const next = await createDocsearch({ store, mode: "rebuild" });
  await next.publish();
  expect(done).toEqual(["rebuild", "published"]);
});
