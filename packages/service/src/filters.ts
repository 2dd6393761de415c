import type { Docsearch } from "@docsearch/core";
import { type CallOptions, DocsearchError, type Filter } from "@docsearch/spec";
import { documentsOf } from "./documents-of.js";
import { isPlain } from "./escape.js";
import { shownPath } from "./find-document.js";
import { compileGlob, globFolder, isGlob } from "./glob.js";
import type { SearchInput } from "./inputs.js";
import { quoteLabel } from "./passage.js";
import { sourceNames } from "./source-names.js";

/** Media types of what people write to be read; everything else counts as code. */
export const DOC_TYPES: readonly string[] = [
  "text/markdown",
  "text/mdx",
  "text/html",
  "text/x-rst",
  "text/asciidoc",
  "text/x-org",
  "text/x-tex",
  "text/plain",
  "message/rfc822",
];

const LANGUAGE_NAMES: Readonly<Record<string, readonly string[]>> = {
  typescript: ["x-typescript", "x-tsx"],
  ts: ["x-typescript", "x-tsx"],
  javascript: ["javascript", "x-jsx"],
  js: ["javascript", "x-jsx"],
  py: ["x-python"],
  cpp: ["x-c++"],
  "c#": ["x-csharp"],
  cs: ["x-csharp"],
  rs: ["x-rust"],
  rb: ["x-ruby"],
  sh: ["x-shellscript"],
  bash: ["x-shellscript"],
  shell: ["x-shellscript"],
  md: ["markdown", "mdx"],
  markdown: ["markdown", "mdx"],
};

/** Documents that one glob may stand for. */
const MOST_MATCHES = 50_000;

/**
 * The condition that the filters of a search stand for.
 *
 * @throws `NOT_FOUND` for a source that the index does not have
 */
export async function filterOf(
  docsearch: Docsearch,
  { sources, path, kind, language }: Pick<SearchInput, "sources" | "path" | "kind" | "language">,
  call: CallOptions,
): Promise<Filter | undefined> {
  const clauses: Filter[] = [];
  if (sources !== undefined) {
    for (const source of sources) await requireSource(docsearch, source, call);
    clauses.push({ op: "in", field: "collection", values: sources });
  }
  if (path !== undefined) clauses.push(await pathFilter(docsearch, path, call));
  const docs: Filter = { op: "in", field: "mediaType", values: DOC_TYPES };
  if (kind === "docs") clauses.push(docs);
  if (kind === "code") clauses.push({ op: "not", clause: docs });
  if (language !== undefined) clauses.push(languageFilter(language));
  return clauses.length > 1 ? { op: "and", clauses } : clauses[0];
}

function languageFilter(language: string): Filter {
  const name = language.toLowerCase();
  const names = (Object.hasOwn(LANGUAGE_NAMES, name) && LANGUAGE_NAMES[name]) || [name, `x-${name}`];
  const values = names.flatMap((type) => [`text/${type}`, `application/${type}`]);
  return { op: "in", field: "mediaType", values };
}

async function pathFilter(docsearch: Docsearch, pattern: string, call: CallOptions): Promise<Filter> {
  const path = pattern.replace(/^\.\//, "");
  if (!isGlob(path)) {
    const clauses: Filter[] = [
      { op: "in", field: "path", values: [path] },
      { op: "prefix", field: "path", value: path.endsWith("/") ? path : `${path}/` },
    ];
    return { op: "or", clauses };
  }
  const folder = globFolder(path);
  const below: Filter = { op: "prefix", field: "path", value: folder };
  if (folder !== "" && /^\*\*(\/\*)?$/.test(path.slice(folder.length))) return below;
  const matches = compileGlob(path);
  const ids: string[] = [];
  for await (const document of documentsOf(docsearch, folder === "" ? undefined : below, call)) {
    if (matches(shownPath(document))) ids.push(document.id);
    if (ids.length >= MOST_MATCHES) break;
  }
  return { op: "in", field: "id", values: ids };
}

/** @throws `NOT_FOUND` that names the sources there are */
export async function requireSource(docsearch: Docsearch, source: string, call: CallOptions): Promise<void> {
  const filter: Filter = { op: "in", field: "collection", values: [source] };
  const [found] = await docsearch.listDocuments({ limit: 1, filter, ...call });
  if (found !== undefined) return;
  const names = await sourceNames(docsearch, call);
  const known = names.length === 0 ? "the index is empty" : `sources: ${shownNames(names)}`;
  throw new DocsearchError("NOT_FOUND", `There is no source ${quoteLabel(JSON.stringify(source))}; ${known}.`, {
    what: "source",
    name: source,
  });
}

/** Names that can stand outside a quotation: one word each, as folders have it. */
export function plainNames(names: readonly string[]): string[] {
  return names.filter((name) => isPlain(name) && /^[\w.@+/-]{1,64}$/.test(name));
}

const SHOWN_NAMES = 20;

function shownNames(names: readonly string[]): string {
  const plain = plainNames(names)
    .slice(0, SHOWN_NAMES)
    .map((name) => `"${name}"`);
  const rest = names.length - plain.length;
  return [...plain, ...(rest > 0 ? [`${rest} more (list_sources)`] : [])].join(", ");
}
