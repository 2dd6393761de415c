import type { IndexReport } from "@docsearch/core";
import { counted, grouped } from "./numbers.js";

/** What an index run did, in one line for a person. */
export function formatReport(report: IndexReport, seconds: number): string {
  const { scanned, replaced, empty, unchanged, deleted, failures, chunks, embedded, kept } = report;
  const documents = [
    `${grouped(replaced + empty)} new or changed${empty > 0 ? ` (${grouped(empty)} empty)` : ""}`,
    `${grouped(unchanged)} unchanged`,
    `${grouped(deleted)} deleted`,
    ...(failures.length > 0 ? [`${grouped(failures.length)} failed`] : []),
  ];
  const written =
    chunks === 0 ? "" : `; ${counted(chunks, "chunk")} (${grouped(embedded)} embedded, ${grouped(kept)} kept)`;
  return `${counted(scanned, "document")}: ${documents.join(", ")}${written} in ${seconds.toFixed(2)} s\n`;
}

/** What is to be said of a collection that was not emptied although nothing came up in it. */
export function sparedText({ collection, documents }: NonNullable<IndexReport["spared"]>[number]): string {
  return `nothing that is indexed is left in ${collection}, of which the index has ${counted(documents, "document")}; kept, for a drive may be away or a pattern wrong. If it is meant: --prune`;
}

/** The same as `--json` prints it. */
export function jsonReport(report: IndexReport, seconds: number): object {
  const failures = report.failures.map(({ documentId, error }) => ({ documentId, error: messageOf(error) }));
  return { ...report, failed: failures.length, failures, seconds };
}

/** A failure as one sentence that names the document once. */
export function failureText(documentId: string, error: unknown): string {
  const message = messageOf(error);
  return message.startsWith(documentId) ? message : `${documentId}: ${message}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
