// Holds a work tree against the rules.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, posix } from "node:path";
import { listPackages } from "../lib/workspace.mjs";
import { readSource } from "./imports.mjs";
import { APP_ARROWS, ARROWS, FORBIDDEN_TEXT, GUARDED, LONG_FILE, MAY_READ_ENVIRONMENT, QUOTED_TEXT } from "./rules.mjs";

/** @typedef {import("../lib/workspace.mjs").Package} Package */
/** @typedef {import("./imports.mjs").Import} Import */
/** @typedef {(line: number, message: string) => void} Report */

/**
 * @param {string} root
 * @param {readonly string[]} tracked files under version control, from the root, with forward slashes
 * @returns {{ problems: string[], warnings: string[] }} one line each: `file:line: what is wrong`
 */
export function checkBoundaries(root, tracked) {
  /** @type {string[]} */
  const problems = [];
  /** @type {string[]} */
  const warnings = [];
  const packages = listPackages(root);
  for (const entry of packages) {
    checkManifest(entry, packages, root, (line, message) =>
      problems.push(`${entry.folder}/package.json:${line}: ${message}`),
    );
    for (const file of sourceFiles(root, `${entry.folder}/src`)) {
      checkSource(entry, packages, file, readFileSync(join(root, file), "utf8"), {
        fail: (line, message) => problems.push(`${file}:${line}: ${message}`),
        warn: (line, message) => warnings.push(`${file}:${line}: ${message}`),
      });
    }
  }
  for (const file of tracked) {
    if (QUOTED_TEXT.test(file) || !existsSync(join(root, file))) continue;
    checkText(readFileSync(join(root, file), "utf8"), (line, message) => problems.push(`${file}:${line}: ${message}`));
  }
  return { problems, warnings };
}

/** Generated files are left out: they are not in the repository. @param {string} root @param {string} folder @returns {string[]} */
function sourceFiles(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === "generated" ? [] : sourceFiles(root, path);
      return /\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : [];
    })
    .sort();
}

/**
 * The arrows as the manifest draws them. Development dependencies are free, so that a backend's tests can use core.
 *
 * @param {Package} entry @param {readonly Package[]} packages @param {string} root @param {Report} report
 */
function checkManifest({ folder, manifest }, packages, root, report) {
  const allowed = allowedImports(folder, packages);
  if (allowed === undefined) {
    report(1, "no rule says what this package may import; give it a row in tools/boundaries/rules.mjs");
    return;
  }
  const ours = packages.filter(({ manifest: { name } }) => Object.hasOwn(runtimeDependencies(manifest), name));
  for (const {
    folder: target,
    manifest: { name },
  } of ours) {
    if (!allowed.has(name)) report(1, `${folder} must not depend on ${target}`);
  }
  for (const {
    manifest: { name },
  } of packages.filter(({ folder: target }) => target.startsWith("apps/"))) {
    if (Object.hasOwn(manifest.devDependencies ?? {}, name))
      report(1, `nothing depends on an app, not even for tests: ${name}`);
  }
  checkReferences(folder, ours, root, report);
}

/**
 * `tsc -b` builds what the project references name, turbo what the manifest names: they must agree.
 *
 * @param {string} folder @param {readonly Package[]} ours @param {string} root @param {Report} report
 */
function checkReferences(folder, ours, root, report) {
  const file = join(root, folder, "tsconfig.json");
  if (!existsSync(file)) return;
  const { references = [] } = JSON.parse(readFileSync(file, "utf8"));
  const named = references.map((/** @type {{ path: string }} */ { path }) => posix.join(folder, path)).sort();
  const wanted = ours.map((target) => target.folder).sort();
  if (named.join() !== wanted.join()) {
    report(1, `tsconfig.json references [${named.join(", ")}], the dependencies are [${wanted.join(", ")}]`);
  }
}

/**
 * @param {Package} entry @param {readonly Package[]} packages @param {string} file @param {string} text
 * @param {{ fail: Report, warn: Report }} report
 */
function checkSource(entry, packages, file, text, { fail, warn }) {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  if (lines > LONG_FILE.failAbove)
    fail(lines, `${lines} lines, at most ${LONG_FILE.failAbove}: this holds two concepts`);
  else if (lines > LONG_FILE.warnAbove) warn(lines, `${lines} lines: consider two files`);

  const { imports, environment, errors } = readSource(file, text);
  for (const message of errors) fail(1, `cannot be parsed: ${message}`);
  if (!MAY_READ_ENVIRONMENT.test(file)) {
    for (const line of environment) fail(line, "process.env is read by core/src/env.ts and the apps alone");
  }
  for (const found of imports) {
    const message = judgeImport(found, entry, packages, file);
    if (message !== undefined) fail(found.line, message);
  }
}

/**
 * @param {Import} found @param {Package} entry @param {readonly Package[]} packages @param {string} file
 * @returns {string | undefined} what is wrong
 */
function judgeImport({ specifier, typeOnly, effectOnly }, { folder, manifest }, packages, file) {
  if (effectOnly && folder.startsWith("packages/"))
    return `"${specifier}" is imported for an effect; importing a package has none`;
  if (specifier.startsWith("#")) return undefined;
  if (/^(\.|\/|file:)/.test(specifier)) {
    const target = posix.join(posix.dirname(file), specifier);
    return target.startsWith(`${folder}/`)
      ? undefined
      : `"${specifier}" leaves the package; import other packages by name`;
  }
  const guard = GUARDED.find(({ modules, only }) => modules.test(packageName(specifier)) && !only.test(folder));
  if (guard !== undefined) return `"${specifier}": ${guard.what}`;
  if (isBuiltin(specifier)) return undefined;

  const name = packageName(specifier);
  const target = packages.find((candidate) => candidate.manifest.name === name);
  if (target !== undefined && name !== manifest.name) {
    if (target.folder.startsWith("apps/") && !APP_ARROWS[folder]?.includes(target.folder)) {
      return `"${specifier}": nothing imports an app`;
    }
    if (allowedImports(folder, packages)?.has(name) === false) return `${folder} must not import ${target.folder}`;
    const subpath = `.${specifier.slice(name.length)}`;
    if (!Object.hasOwn(target.manifest.exports ?? {}, subpath))
      return `"${specifier}" is not among the exports of ${name}`;
  }
  const declared = runtimeDependencies(manifest);
  if (Object.hasOwn(declared, name) || name === manifest.name) return undefined;
  if (typeOnly && Object.hasOwn(declared, typesPackage(name))) return undefined;
  return `"${specifier}" is not among the dependencies of ${manifest.name}`;
}

/**
 * Names of this repository's packages that a package may import.
 *
 * @param {string} folder @param {readonly Package[]} packages
 * @returns {ReadonlySet<string> | undefined} undefined when no rule speaks of it
 */
function allowedImports(folder, packages) {
  const short = folder.slice(folder.indexOf("/") + 1);
  const rule = ARROWS.find((candidate) => candidate.packages.test(short));
  if (!folder.startsWith("apps/") && rule === undefined) return undefined;
  const allowed = packages.filter(({ folder: target }) =>
    folder.startsWith("apps/")
      ? target.startsWith("packages/") || APP_ARROWS[folder]?.includes(target)
      : rule?.may.some((name) => target === `packages/${name}`),
  );
  return new Set(allowed.map(({ manifest: { name } }) => name));
}

/** @param {import("../lib/workspace.mjs").Manifest} manifest */
function runtimeDependencies({ dependencies, peerDependencies, optionalDependencies }) {
  return { ...dependencies, ...peerDependencies, ...optionalDependencies };
}

/** `@scope/name/sub/path` -> `@scope/name`. @param {string} specifier */
function packageName(specifier) {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** @param {string} name */
function typesPackage(name) {
  return `@types/${name.replace("@", "").replace("/", "__")}`;
}

/** @param {string} specifier */
function isBuiltin(specifier) {
  return specifier.startsWith("node:") || builtinModules.includes(specifier);
}

/** @param {string} text @param {Report} report */
function checkText(text, report) {
  // A file with a NUL is data.
  if (text.includes("\0")) return;
  if (!FORBIDDEN_TEXT.some(({ pattern }) => new RegExp(pattern, "m").test(text))) return;
  for (const [index, line] of text.split("\n").entries()) {
    for (const { what, pattern } of FORBIDDEN_TEXT) {
      const found = pattern.exec(line);
      if (found !== null) report(index + 1, `names ${what}: ${found[0].trim()}`);
    }
  }
}
