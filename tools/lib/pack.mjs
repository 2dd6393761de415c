// The tarballs that a release would publish.
import { statSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./run.mjs";
import { listPublished } from "./workspace.mjs";

/**
 * @typedef {import("./workspace.mjs").Package & { tarball: string, bytes: number }} PackedPackage
 *   `tarball` is an absolute path, `bytes` its size.
 */

/**
 * Packs every published package into a folder. The packages must be built.
 *
 * @param {string} folder absolute; must exist
 * @returns {Promise<PackedPackage[]>}
 */
export async function packAll(folder) {
  /** @type {PackedPackage[]} */
  const packed = [];
  for (const entry of listPublished()) {
    const { code, output } = await run("pnpm", ["pack", "--pack-destination", folder], {
      cwd: join(ROOT, entry.folder),
      capture: true,
    });
    const { name, version } = entry.manifest;
    if (code !== 0) throw new Error(`pnpm pack of ${name} failed with exit code ${code}:\n${output}`);
    const tarball = join(folder, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
    packed.push({ ...entry, tarball, bytes: statSync(tarball).size });
  }
  return packed;
}
