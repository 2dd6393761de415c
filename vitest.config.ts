import { defineConfig } from "vitest/config";

// Unit tests run on the sources; tests that start processes use `dist`, which `npm test` builds first.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@docsearch\/([a-z-]+)$/, replacement: `${import.meta.dirname}/packages/$1/src/index.ts` },
    ],
  },
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "tools/test/**/*.test.ts", "examples/*/*.test.ts"],
    testTimeout: 60_000,
    pool: "forks",
  },
});
