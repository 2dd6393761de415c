// The packages of this repository, as their manifests describe them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run.mjs";

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {Record<string, string>} [bin]
 * @property {Record<string, unknown>} [exports]
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [devDependencies]
 */

/**
 * @typedef {object} Package
 * @property {string} folder from the root, with forward slashes: `packages/core`
 * @property {Manifest} manifest
 */

/**
 * Every package under `packages` and `apps`, in the order of their folders' names.
 *
 * @param {string} [root]
 * @returns {Package[]}
 */
export function listPackages(root = ROOT) {
  /** @type {Package[]} */
  const packages = [];
  for (const parent of ["packages", "apps"]) {
    if (!existsSync(join(root, parent))) continue;
    for (const name of readdirSync(join(root, parent)).sort()) {
      const file = join(root, parent, name, "package.json");
      if (existsSync(file)) {
        packages.push({ folder: `${parent}/${name}`, manifest: JSON.parse(readFileSync(file, "utf8")) });
      }
    }
  }
  return packages;
}

/** @param {string} [root] @returns {Package[]} */
export function listPublished(root = ROOT) {
  return listPackages(root).filter(({ manifest }) => manifest.private !== true);
}

/**
 * A package and the workspace packages that an install of it brings.
 *
 * @template {Package} P
 * @param {readonly P[]} packages
 * @param {string} name
 * @returns {P[]}
 */
export function withDependencies(packages, name) {
  const wanted = new Set([name]);
  // A Set walked while it grows visits what is added: this reaches the whole closure.
  for (const next of wanted) {
    const found = packages.find(({ manifest }) => manifest.name === next);
    for (const dependency of Object.keys(found?.manifest.dependencies ?? {})) {
      if (packages.some(({ manifest }) => manifest.name === dependency)) wanted.add(dependency);
    }
  }
  return packages.filter(({ manifest }) => wanted.has(manifest.name));
}
