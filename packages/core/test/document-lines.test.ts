import type { Chunk, Document } from "@docsearch/spec";
import fc from "fast-check";
import { expect, test } from "vitest";
import { documentLines } from "../src/passages/document-lines.js";
import { textChunker } from "../src/text-chunker/text-chunker.js";

async function chunksOf(text: string, maxSize: number, overlap: number): Promise<Chunk[]> {
  const document: Document = {
    id: "a.txt",
    collection: "a",
    text,
    contentHash: "x",
    mediaType: "text/plain",
    metadata: {},
  };
  const chunker = await textChunker().load();
  const { chunks } = chunker.chunk(document, { maxSize, overlap, measure: (part) => part.length });
  return chunks.map((draft, ordinal) => ({ ...draft, id: String(ordinal), documentId: "a.txt", ordinal }));
}

const words = fc.constantFrom("kelp", "holdfast", "blade", "stipe", "a", "longer-word-than-the-others", "漢字");
const line = fc.array(words, { maxLength: 12 }).map((parts) => parts.join(" "));
const texts = fc.array(line, { maxLength: 40 }).map((lines) => lines.join("\n"));

test("what is not blank comes back on its line, with and without overlap", async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom(100, 300, 1500), fc.constantFrom(0, 40), async (text, size, overlap) => {
      const rebuilt = documentLines(await chunksOf(text, size, overlap));
      const trimmed = text.split("\n").map((each) => each.replace(/\s+/g, " ").trim());
      while (trimmed.at(-1) === "") trimmed.pop();
      expect(rebuilt.map((each) => each.replace(/\s+/g, " ").trim())).toEqual(trimmed);
    }),
    { numRuns: 60 },
  );
});

test("front matter and blank lines keep the numbers of the file", () => {
  const span = { startOffset: 20, endOffset: 24, startLine: 5, endLine: 5 };
  const chunk = { id: "1", documentId: "a", ordinal: 0, text: "kelp", span, headingPath: [], metadata: {} };
  expect(documentLines([chunk])).toEqual(["", "", "", "", "kelp"]);
});
