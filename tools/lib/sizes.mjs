// Ceilings on what a user downloads. Raise one only with the reason in the comment beside it.

/**
 * Kilobytes (1,000 bytes) of each published tarball, sources and source maps included.
 *
 * @type {Readonly<Record<string, number>>}
 */
const TARBALL_KB = {
  "apps/cli": 60,
  // Watching, telemetry and index runs in threads of their own; a third is declarations.
  "apps/server": 65,
  // The grammars of 28 languages are 2.3 MB of brotli.
  "packages/chunker-code": 2_800,
  "packages/chunker-markdown": 120,
  "packages/conformance": 200,
  // Two thirds are sources and their maps; what runs is 280 kB unpacked.
  "packages/core": 450,
  "packages/embedder-openai": 90,
  // The model's table is 12.8 MB of int8 that hardly compresses; vocabulary, its index and weights add 0.8 MB.
  "packages/embedder-static": 12_800,
  "packages/eval": 120,
  "packages/service": 200,
  "packages/source-fs": 160,
  "packages/spec": 40,
  "packages/store-kit": 50,
  "packages/store-lancedb": 175,
  "packages/store-pgvector": 150,
  "packages/store-sqlite": 240,
  "packages/text-split": 60,
  "packages/transformers": 90,
};

/**
 * Prints each tarball's size against its ceiling.
 *
 * @param {readonly import("./pack.mjs").PackedPackage[]} packed
 * @returns {boolean} whether all are below
 */
export function reportSizes(packed) {
  let sound = true;
  for (const { folder, manifest, bytes } of packed) {
    const ceiling = TARBALL_KB[folder];
    const below = ceiling !== undefined && bytes <= ceiling * 1000;
    sound &&= below;
    const limit = ceiling === undefined ? "has no ceiling in tools/lib/sizes.mjs" : `of ${ceiling}`;
    const size = (bytes / 1000).toFixed(1).padStart(9);
    process.stdout.write(`${manifest.name.padEnd(30)}${size} kB ${limit}${below ? "" : "  FAILED"}\n`);
  }
  return sound;
}
