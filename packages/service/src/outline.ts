import type { Docsearch } from "@docsearch/core";
import { fitLines, spend } from "@docsearch/core/passages";
import { type CallOptions, DocsearchError, type Filter, isDocsearchError, type OutlineEntry } from "@docsearch/spec";
import { budgetOf } from "./budget.js";
import { documentsOf } from "./documents-of.js";
import { escapeLine } from "./escape.js";
import { QUOTE_NOTE } from "./fence.js";
import { requireSource } from "./filters.js";
import { findDocument, shownPath } from "./find-document.js";
import type { Answer, OutlineInput } from "./inputs.js";
import { fenced, labelCharacters, quoteLabel } from "./passage.js";

export interface ShownEntry {
  readonly name: string;
  /** Depth in the outline; 1 for a file of a source. */
  readonly level: number;
  readonly kind?: string;
  /** Absent for a file of a source. */
  readonly startLine?: number;
  readonly endLine?: number;
}

export interface OutlineData {
  /** What was asked for. */
  readonly path?: string;
  readonly source?: string;
  readonly entries: readonly ShownEntry[];
  readonly total: number;
  readonly offset: number;
  readonly nextOffset?: number;
}

const FRAME = 280;

/**
 * The headings or definitions of a document with their lines, or the documents of a folder or source.
 *
 * @throws `CONFIG_INVALID` unless one of `path` and `source` is given, `NOT_FOUND`
 */
export async function outline(
  docsearch: Docsearch,
  input: OutlineInput,
  call: CallOptions,
): Promise<Answer<OutlineData>> {
  const { path, source, depth, offset, max_chars } = input;
  if ((path === undefined) === (source === undefined)) {
    const expected = "one of path and source";
    throw new DocsearchError(
      "CONFIG_INVALID",
      `outline takes ${expected}: path for a file's headings, source for its files.`,
      {
        setting: "outline",
        value: path === undefined ? "neither" : "both",
        expected,
      },
    );
  }
  const { entries, name, areFiles } =
    source === undefined
      ? await pathEntries(docsearch, path as string, depth, call)
      : { entries: await sourceEntries(docsearch, source, call), name: source, areFiles: true };
  const wanted = entries.slice(offset);
  const budget = budgetOf(max_chars);
  const label = `outline of ${quoteLabel(name, labelCharacters(budget))}`;
  const room = spend(budget, fenced(label, []) + "-".repeat(FRAME));
  const { lines } = fitLines(wanted.map(lineOf), room);
  const nextOffset = lines.length < wanted.length ? offset + lines.length : undefined;
  const data: OutlineData = {
    ...(source === undefined ? { path: escapeLine(name) } : { source: escapeLine(source) }),
    entries: wanted.slice(0, lines.length).map((entry) => ({ ...entry, name: quoteLabel(entry.name) })),
    total: entries.length,
    offset,
    ...(nextOffset !== undefined && { nextOffset }),
  };
  return { text: write(data, label, lines, areFiles ? "files" : "entries"), data };
}

interface Entries {
  readonly entries: readonly ShownEntry[];
  /** What they are the outline of. */
  readonly name: string;
  readonly areFiles: boolean;
}

/** Of a document; of a folder, its files. */
async function pathEntries(docsearch: Docsearch, path: string, depth: number, call: CallOptions): Promise<Entries> {
  try {
    return await documentEntries(docsearch, path, depth, call);
  } catch (error) {
    if (!isDocsearchError(error, "NOT_FOUND")) throw error;
    const folder = path.replace(/^\.\//, "").replace(/\/*$/, "");
    const value = folder === "" || folder === "." ? "" : `${folder}/`;
    const entries = await fileEntries(
      docsearch,
      value === "" ? undefined : { op: "prefix", field: "path", value },
      call,
    );
    if (entries.length === 0) throw error;
    return { entries, name: path, areFiles: true };
  }
}

async function documentEntries(
  docsearch: Docsearch,
  reference: string,
  depth: number,
  call: CallOptions,
): Promise<Entries> {
  const { document } = await findDocument(docsearch, reference, call);
  const [found, chunks] = await Promise.all([
    docsearch.getOutline(document.id, call),
    docsearch.getDocumentChunks(document.id, call),
  ]);
  const lastLine = chunks.at(-1)?.span.endLine ?? 0;
  const entries = found
    .map((entry, index) => ({ entry, endLine: entry.endLine ?? endOf(found, index, lastLine) }))
    .filter(({ entry }) => entry.level <= depth)
    .map(({ entry: { heading, level, line, kind }, endLine }) => ({
      name: heading,
      level,
      ...(kind !== undefined && { kind }),
      startLine: line,
      endLine,
    }));
  return { entries, name: shownPath(document), areFiles: false };
}

/** A heading holds until the next one of its level or above. */
function endOf(entries: readonly OutlineEntry[], index: number, lastLine: number): number {
  const { level, line } = entries[index] as OutlineEntry;
  const next = entries.slice(index + 1).find((entry) => entry.level <= level);
  return Math.max(line, next === undefined ? lastLine : next.line - 1);
}

async function sourceEntries(docsearch: Docsearch, source: string, call: CallOptions): Promise<ShownEntry[]> {
  await requireSource(docsearch, source, call);
  return fileEntries(docsearch, { op: "in", field: "collection", values: [source] }, call);
}

async function fileEntries(docsearch: Docsearch, filter: Filter | undefined, call: CallOptions): Promise<ShownEntry[]> {
  const entries: ShownEntry[] = [];
  for await (const document of documentsOf(docsearch, filter, call)) {
    entries.push({ name: shownPath(document), level: 1 });
  }
  return entries;
}

function lineOf({ name, level, kind, startLine, endLine }: ShownEntry): string {
  const lines = startLine === undefined ? "" : ` (${startLine}-${endLine})`;
  return `${"  ".repeat(level - 1)}${kind === undefined ? "" : `${kind} `}${quoteLabel(name)}${lines}`;
}

function write(
  { entries, total, offset, nextOffset }: OutlineData,
  label: string,
  lines: readonly string[],
  what: "files" | "entries",
): string {
  if (total === 0) return `The document has no headings or definitions; read it with read.`;
  if (entries.length === 0) return `There are only ${total} ${what}; offset ${offset} is behind the last.`;
  const head = `${what} ${offset + 1}-${offset + entries.length} of ${total}. ${QUOTE_NOTE}`;
  const tail =
    nextOffset === undefined
      ? what === "files"
        ? "Next: outline or read with a path."
        : "Next: read with the path and a range of lines."
      : `Go on with offset ${nextOffset}.`;
  return [head.replace(/^./, (first) => first.toUpperCase()), fenced(label, lines), tail].join("\n");
}
