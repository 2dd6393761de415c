import type { Chunk, DocumentRecord } from "@docsearch/spec";

/** What a file of code is for, where that makes it a worse answer than the code that does the work. */
export type CodePlace = "tests" | "examples" | "benchmarks" | "generated" | "oldVersion" | "legacy" | "stubs" | "data";

const CODE_TYPE = /^text\/(?:x-(?!rst$|org$|tex$|diff$|ini$)|javascript|css)|^application\/(?:sql|graphql)$/;
const DATA_TYPE = /^application\/(?:json|yaml|toml|xml)$|^text\/x-ini$/;

/** Folder names, without case, that say it of all files below; the first that fits counts. */
const FOLDERS: readonly (readonly [CodePlace, RegExp])[] = [
  ["tests", /^(?:tests?|__tests?__|specs?|testing|testdata|fixtures?|__mocks__|mocks?)$/],
  ["examples", /^(?:examples?|demos?|samples?|playground)$/],
  ["benchmarks", /^(?:bench(?:es|marks?)?|perf)$/],
  ["generated", /^(?:vendor(?:ed)?|third[_-]?party|node_modules|generated|_?gen|dist)$/],
  ["legacy", /^(?:legacy|deprecated|_?compat)$/],
];

/** File names without their path. `contest.py` is no test. */
const FILES: readonly (readonly [CodePlace, RegExp])[] = [
  ["tests", /(?:^|[._-])(?:tests?|specs?)\.\w+$|^(?:test|spec)[_.-]|^conftest\.py$|[a-z](?:Test|Tests|Spec)\.\w+$/],
  ["stubs", /\.d\.[cm]?ts$|\.pyi$/],
  ["benchmarks", /(?:^|[._-])bench(?:mark)?s?\.\w+$/],
  ["generated", /(?:\.|_)(?:pb|pb2|gen|generated|min)\.\w+$/],
  ["legacy", /^_?(?:legacy|deprecated|compat)\.\w+$/],
];

/** Whether a document is code, by its chunk or its media type. */
export function isCode({ mediaType }: DocumentRecord, chunk?: Chunk): boolean {
  return chunk?.language !== undefined || CODE_TYPE.test(mediaType);
}

/** The places that a file of code or data belongs to; none for the others, and for code that does the work. */
export function codePlaces(document: DocumentRecord, oldVersions: ReadonlySet<string>): readonly CodePlace[] {
  const { path = "", mediaType } = document;
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  const places = new Set<CodePlace>();
  for (const folder of folders) {
    const place = FOLDERS.find(([, pattern]) => pattern.test(folder.toLowerCase()))?.[0];
    if (place !== undefined) places.add(place);
  }
  for (const [place, pattern] of FILES) if (pattern.test(file)) places.add(place);
  if (folders.some((_, index) => oldVersions.has(folders.slice(0, index + 1).join("/")))) places.add("oldVersion");
  if (DATA_TYPE.test(mediaType)) places.add("data");
  return [...places];
}

const VERSION = /^v(\d+)$/;

/** Folders of a path that are named after a version: `v1`. */
export function versionsIn(path: string): readonly string[] {
  return path
    .split("/")
    .slice(0, -1)
    .filter((part) => VERSION.test(part));
}

/**
 * Folders that hold an older version: `v3` with a `v4` beside it, or a `v1` that repeats at least three, and a third,
 * of the file names beside it. A `v1` alone, as in `api/v1`, is not old.
 */
export function oldVersionFolders(paths: readonly string[]): ReadonlySet<string> {
  const files = new Map<string, Set<string>>();
  const newest = new Map<string, number>();
  const versions = new Map<string, { readonly parent: string; readonly number: number }>();
  for (const path of paths) {
    const parts = path.split("/");
    const folder = parts.slice(0, -1).join("/");
    files.set(folder, (files.get(folder) ?? new Set()).add(parts.at(-1) ?? ""));
    for (const [index, part] of parts.slice(0, -1).entries()) {
      const number = VERSION.exec(part)?.[1];
      if (number === undefined) continue;
      const parent = parts.slice(0, index).join("/");
      versions.set(parts.slice(0, index + 1).join("/"), { parent, number: Number(number) });
      newest.set(parent, Math.max(newest.get(parent) ?? 0, Number(number)));
    }
  }
  const old = new Set<string>();
  for (const [folder, { parent, number }] of versions) {
    const own = files.get(folder) ?? new Set();
    const beside = files.get(parent) ?? new Set();
    const repeated = [...own].filter((name) => beside.has(name)).length;
    const repeats = repeated >= 3 && repeated >= beside.size / 3;
    if (number < (newest.get(parent) ?? 0) || repeats) old.add(folder);
  }
  return old;
}
