import type { ChunkDraft, LexicalField, LexicalFieldName, LexicalFields } from "@docsearch/spec";
import type { Analyzer } from "./analyze.js";

/** What the lexical index gets to see of a chunk. */
export interface FieldTexts {
  /** Title of the document. */
  readonly title?: string;
  /** Headings above the chunk, from the top. */
  readonly ancestors?: readonly string[];
  /** The chunk's own heading. */
  readonly heading?: string;
  /** Display path of the document, separated by `/`; its file ending is left out. */
  readonly path?: string;
  readonly body?: string;
  readonly code?: string;
}

/** Analyses some or all fields of a chunk. Fields without a term are absent. */
export function analyzeFields(analyzer: Analyzer, texts: FieldTexts): LexicalFields {
  const fields: Partial<Record<LexicalFieldName, LexicalField>> = {};
  const add = (name: LexicalFieldName, text: string | undefined): void => {
    if (text === undefined || text === "") return;
    const terms = new Map<string, number>();
    const length = analyzer.count(text, terms);
    if (terms.size > 0) fields[name] = { terms, length };
  };
  add("title", texts.title);
  add("ancestors", texts.ancestors?.join("\n"));
  add("heading", texts.heading);
  add("path", texts.path?.replace(/(?<=[^/])\.[^./]+$/, ""));
  add("body", texts.body);
  add("code", texts.code);
  return fields;
}

/** The prose and the code of a chunk, by its zones. What a zone separates stays separated, by a line end. */
export function splitZones(chunk: Pick<ChunkDraft, "text" | "span" | "zones">): { body: string; code: string } {
  const { text, span, zones = [] } = chunk;
  if (zones.length === 0) return { body: text, code: "" };
  const body: string[] = [];
  const code: string[] = [];
  let done = 0;
  for (const zone of zones) {
    const start = zone.startOffset - span.startOffset;
    const end = zone.endOffset - span.startOffset;
    body.push(text.slice(done, start));
    code.push(text.slice(start, end));
    done = end;
  }
  body.push(text.slice(done));
  return { body: body.join("\n"), code: code.join("\n") };
}
