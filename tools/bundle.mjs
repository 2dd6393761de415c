// Bundles a package for publishing: one file for each entry of its `exports` (and its command), lazy parts apart.
// usage, in the package's folder: node ../../tools/bundle.mjs
//
// A process that answers one search imports the engine, a store and a model. As some hundred modules that costs more
// than the search; as a handful of files it does not. Declarations come from `tsc`.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

/**
 * What several commands share is a file or two, not a dozen: finding and opening a module takes longer than compiling it.
 * What only indexing needs stays apart, since it brings the walk with it.
 */
const COMMAND_GROUPS = [
  { name: "start", tags: ["$initial"], minShareCount: 2, priority: 3 },
  {
    name: "shared",
    test: /^(?!.*src.(?:places|count-items|local-index|config-file|output.index-))/,
    minShareCount: 2,
    priority: 2,
  },
  { name: "indexing", minShareCount: 2, priority: 1 },
];

const folder = process.cwd();
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const dist = join(folder, "dist");

const entries = Object.values(manifest.exports)
  .map((target) => /^\.\/dist\/(.*)\.js$/.exec(target.default ?? "")?.[1])
  .filter((name) => name !== undefined);
if (manifest.bin !== undefined) entries.push("main");

for (const name of readdirSync(dist)) if (/\.js(?:\.map)?$/.test(name)) rmSync(join(dist, name));

const external = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
const bundle = await rolldown({
  cwd: folder,
  input: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  platform: "node",
  external: (id) => id.startsWith("node:") || external.some((name) => id === name || id.startsWith(`${name}/`)),
});
await bundle.write({
  dir: dist,
  format: "esm",
  sourcemap: manifest.bin === undefined,
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  ...(manifest.bin && { codeSplitting: { groups: COMMAND_GROUPS } }),
});
await bundle.close();
