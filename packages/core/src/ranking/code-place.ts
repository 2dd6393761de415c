import type { Chunk, DocumentRecord } from "@docsearch/spec";

/** What a file of code is for, where that makes it a worse answer than the code that does the work. */
export type CodePlace = "tests" | "examples" | "benchmarks" | "generated" | "oldVersion" | "legacy" | "stubs" | "data";

const CODE_TYPE = /^text\/(?:x-(?!rst$|org$|tex$|diff$|ini$)|javascript|css)|^application\/(?:sql|graphql)$/;
const PROSE_TYPE = /^text\/(?:markdown|mdx|html|asciidoc|x-rst|x-org|x-tex)$/;
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

/** Whether a document is code, by its media type or its chunk. An example in a page of prose belongs to the page. */
export function isCode({ mediaType }: DocumentRecord, chunk?: Chunk): boolean {
  return CODE_TYPE.test(mediaType) || (chunk?.language !== undefined && !PROSE_TYPE.test(mediaType));
}

/** The places that a file of code or data belongs to; none for the others, and for code that does the work. */
export function codePlaces(document: DocumentRecord, isOldVersion: boolean): readonly CodePlace[] {
  const { path = "", mediaType } = document;
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  const places = new Set<CodePlace>();
  for (const folder of folders) {
    const place = FOLDERS.find(([, pattern]) => pattern.test(folder.toLowerCase()))?.[0];
    if (place !== undefined) places.add(place);
  }
  for (const [place, pattern] of FILES) if (pattern.test(file)) places.add(place);
  if (isOldVersion) places.add("oldVersion");
  if (DATA_TYPE.test(mediaType)) places.add("data");
  return [...places];
}
