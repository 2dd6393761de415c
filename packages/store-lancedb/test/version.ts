import type { DocumentChange } from "@docsearch/spec";
import { page } from "./support.js";

/** The document that `fixtures/process.mjs` writes under that id and number. */
export function version(id: string, n: number): DocumentChange {
  const pieces = Array.from({ length: 1 + (n % 7) }, (_, ordinal) => ({
    id: `${id}@${n}#${ordinal}`,
    words: `all ${id} ${id}-v${n}`,
    vector: [n + 1, ordinal + 1, 1, 0],
  }));
  return page(id, pieces, { contentHash: String(n), metadata: { n } });
}
