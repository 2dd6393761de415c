import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const packages = `${import.meta.dirname}/packages`;

// Unit tests run on the sources; tests that start processes use `dist`, which `npm test` builds first.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@docsearch\/([a-z-]+)$/, replacement: `${packages}/$1/src/index.ts` },
      { find: /^@docsearch\/([a-z-]+)\/([a-z-]+)$/, replacement: `${packages}/$1/src/$2.ts` },
    ],
  },
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "apps/*/test/**/*.test.ts",
      "tools/test/**/*.test.ts",
      "examples/*/*.test.ts",
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Vitest leaves one core idle, which on a machine with two is half of it.
    maxWorkers: availableParallelism(),
    reporters: ["default", "./tools/counts-reporter.mjs"],
  },
});
