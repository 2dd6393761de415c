import type { IndexReport } from "@docsearch/core";

/** Left out of every run; nobody has to be told. */
const NEVER_WANTED = ["index", "version-control", "ignore-file"];

/** What a caller should know of a run beside its counts: a line each. */
export function indexRemarks({ failures, skipped, spared = [] }: IndexReport): string[] {
  const reasons = Object.entries(skipped).filter(([reason]) => !NEVER_WANTED.includes(reason));
  const leftOut = reasons.map(([reason, count]) => `${reason} ${count}`).join(", ");
  return [
    ...spared.map(
      ({ collection, documents }) =>
        `${collection}: nothing is left of it; its ${documents} documents stay until remove_source`,
    ),
    ...failures.map(({ documentId, error }) => `failed: ${messageOf(documentId, error)}`),
    ...(leftOut === "" ? [] : [`left out by rules: ${leftOut}`]),
  ];
}

function messageOf(documentId: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith(documentId) ? message : `${documentId}: ${message}`;
}
