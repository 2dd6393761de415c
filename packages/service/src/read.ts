import type { Docsearch } from "@docsearch/core";
import { documentLines, fitLines, spend } from "@docsearch/core/passages";
import type { CallOptions } from "@docsearch/spec";
import { budgetOf } from "./budget.js";
import { escapeLine } from "./escape.js";
import { QUOTE_NOTE } from "./fence.js";
import { findDocument, shownPath } from "./find-document.js";
import type { Answer, ReadInput } from "./inputs.js";
import { fenced, labelCharacters, maskNote, quoteLabel, quoteLines } from "./passage.js";
import { maskSecrets } from "./secrets.js";
import { type Trust, trustLabel, trustOf } from "./trust.js";

export interface ReadData {
  readonly path: string;
  readonly source: string;
  readonly trust: Trust;
  readonly title?: string;
  readonly startLine: number;
  /** Last line that is shown; one before `startLine` when none is. */
  readonly endLine: number;
  /** Lines of the document that the index knows. */
  readonly totalLines: number;
  readonly text: string;
  /** Where to go on within what was asked for. */
  readonly nextLine?: number;
  readonly maskedSecrets: number;
}

const FRAME = 300;

/**
 * Lines of a document as the index has them. The file itself is never opened.
 *
 * @throws `NOT_FOUND` for an unknown path
 */
export async function readLines(docsearch: Docsearch, input: ReadInput, call: CallOptions): Promise<Answer<ReadData>> {
  const found = await findDocument(docsearch, input.path, call);
  const path = shownPath(found.document);
  const { collection: source, title } = found.document;
  const raw = documentLines(await docsearch.getDocumentChunks(found.document.id, call));
  const first = input.start_line ?? found.startLine ?? 1;
  const last = input.end_line ?? (input.start_line === undefined ? found.endLine : undefined) ?? raw.length;
  // Two lines that were given the wrong way round.
  const [startLine, wantedEnd] =
    input.end_line === undefined ? [first, last] : [Math.min(first, last), Math.max(first, last)];
  const lastLine = Math.min(raw.length, Math.max(wantedEnd, startLine - 1));

  // Secrets are looked for in the whole document: a part of a key would not be known as one.
  const { lines: all } = quoteLines(raw.join("\n"));
  const wanted = all.slice(startLine - 1, lastLine);
  const numbered = input.line_numbers ? wanted.map((line, index) => `${startLine + index}\t${line}`) : wanted;
  const budget = budgetOf(input.max_chars);
  const shown = quoteLabel(path, labelCharacters(budget));
  const room = spend(budget, fenced(`${shown}:${startLine}-${lastLine}`, []) + "-".repeat(FRAME));
  const { lines, isLineCut } = fitLines(numbered, room);
  const endLine = startLine + lines.length - 1;
  const nextLine = endLine < lastLine ? endLine + 1 : undefined;
  const data: ReadData = {
    path: escapeLine(path),
    source: escapeLine(source),
    trust: trustOf(found.document),
    ...(title !== undefined && { title: quoteLabel(title) }),
    startLine,
    endLine,
    totalLines: raw.length,
    text: lines.join("\n"),
    ...(nextLine !== undefined && { nextLine }),
    maskedSecrets: lines.length === 0 ? 0 : maskSecrets(raw.slice(startLine - 1, endLine).join("\n")).count,
  };
  return { text: write(data, shown, lines, isLineCut), data };
}

function write(data: ReadData, path: string, lines: readonly string[], isLineCut: boolean): string {
  const { startLine, endLine, totalLines, nextLine, maskedSecrets, trust } = data;
  if (totalLines === 0) return `The document is empty. ${QUOTE_NOTE}`;
  if (startLine > totalLines) {
    return `The document has ${totalLines} lines; line ${startLine} is behind the last. Read with start_line 1 to ${totalLines}.`;
  }
  const head = `Lines ${startLine}-${endLine} of ${totalLines}. ${QUOTE_NOTE}`;
  const cut = isLineCut ? " A line was cut because it alone is longer than max_chars." : "";
  const tail =
    nextLine === undefined
      ? endLine < totalLines
        ? `The document goes on: start_line ${endLine + 1}.`
        : "End of the document."
      : `Cut to fit. Go on with start_line ${nextLine}, or raise max_chars (up to 40000).`;
  const label = trustLabel(trust)
    .map((word) => ` (${word})`)
    .join("");
  const block = fenced(`${path}:${startLine}-${endLine}${label}`, lines);
  return [head, block, ...[maskNote(maskedSecrets), tail + cut].filter((note) => note !== "")].join("\n");
}
