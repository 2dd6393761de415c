import type { Docsearch } from "@docsearch/core";
import { type CallOptions, DocsearchError, type DocumentRecord } from "@docsearch/spec";
import { unescapeLine } from "./escape.js";
import { fenced, quoteLabel } from "./passage.js";

/** A document, and the lines that the reference to it named. */
export interface FoundDocument {
  readonly document: DocumentRecord;
  readonly startLine?: number;
  readonly endLine?: number;
}

const LINES = /^(.+?)(?::(\d{1,8})(?:-(\d{1,8}))?|#L(\d{1,8})(?:-L?(\d{1,8}))?)$/s;

/** Path as it is shown: the document's own, else its id. */
export function shownPath({ path, id }: DocumentRecord): string {
  return path ?? id;
}

/**
 * Looks a path up in the index; it is never joined to a folder. A path may end in `:12`, `:12-40` or `#L12-L40`.
 *
 * @throws `NOT_FOUND`, with paths of the index that end alike
 */
export async function findDocument(docsearch: Docsearch, reference: string, call: CallOptions): Promise<FoundDocument> {
  const whole = await byPath(docsearch, reference, call);
  if (whole !== undefined) return { document: whole };
  const parts = LINES.exec(reference);
  const [path, start, end] = parts === null ? [reference] : [parts[1]!, parts[2] ?? parts[4], parts[3] ?? parts[5]];
  const document = parts === null ? undefined : await byPath(docsearch, path, call);
  if (document === undefined) throw await unknownPath(docsearch, path, call);
  const [first = 1, last = 1] = [Number(start), Number(end ?? start)].sort((a, b) => a - b);
  return { document, startLine: Math.max(1, first), endLine: Math.max(1, last) };
}

/** A path as it is, or as it was shown: with hidden characters spelt out. */
async function byPath(docsearch: Docsearch, path: string, call: CallOptions): Promise<DocumentRecord | undefined> {
  const plain = path.startsWith("./") ? path.slice(2) : path;
  for (const name of new Set([plain, unescapeLine(plain)])) {
    const byId = await docsearch.getDocument(name, call);
    if (byId !== undefined) return byId;
    const filter = { op: "in", field: "path", values: [name] } as const;
    const [byName] = await docsearch.listDocuments({ limit: 1, filter, ...call });
    if (byName !== undefined) return byName;
  }
  return undefined;
}

const SUGGESTIONS = 5;

async function unknownPath(docsearch: Docsearch, path: string, call: CallOptions): Promise<Error> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const filter = { op: "contains", field: "path", value: name } as const;
  const near = name === "" ? [] : await docsearch.listDocuments({ limit: SUGGESTIONS, filter, ...call });
  const wrong = `There is no document ${quoteLabel(JSON.stringify(path))} in the index.`;
  const help =
    near.length === 0
      ? "Paths are those that search and outline show; list_sources names the sources."
      : `Paths like it:\n${fenced(
          "paths",
          near.map((document) => quoteLabel(shownPath(document))),
        )}`;
  return new DocsearchError("NOT_FOUND", `${wrong} ${help}`, { what: "document", name: path });
}
