import { createDocsearch, type Docsearch, memoryStore } from "@docsearch/core";
import type { ChunkDraft, Chunker, ChunkerFactory, Document } from "@docsearch/spec";
import { createService, type Service, type ServiceOptions } from "../src/index.js";

/** A chunk for each section that a line with `#` begins; enough structure for these tests. */
const sections: Chunker = {
  specVersion: 1,
  id: "test-sections@1",
  supports: ({ path }) => path?.endsWith(".md") ?? false,
  chunk: ({ text }) => {
    const starts = [...text.matchAll(/^#+ .*$/gm)].map(({ index }) => index);
    const borders = [...new Set([0, ...starts, text.length])];
    const chunks: ChunkDraft[] = [];
    for (const [index, start] of borders.slice(0, -1).entries()) {
      const slice = text.slice(start, borders[index + 1]).trimEnd();
      if (slice === "") continue;
      const startLine = text.slice(0, start).split("\n").length;
      const heading = /^#+ (.*)/.exec(slice)?.[1];
      chunks.push({
        text: slice,
        span: {
          startOffset: start,
          endOffset: start + slice.length,
          startLine,
          endLine: startLine + slice.split("\n").length - 1,
        },
        headingPath: heading === undefined ? [] : [heading],
        metadata: {},
      });
    }
    const outline = chunks
      .filter(({ headingPath }) => headingPath.length > 0)
      .map(({ headingPath: [heading = ""], span, text: slice }) => ({
        heading,
        level: /^#+/.exec(slice)?.[0].length ?? 1,
        anchor: heading,
        line: span.startLine,
      }));
    return { chunks, outline, diagnostics: [] };
  },
};

const sectionChunker: ChunkerFactory = {
  specVersion: 1,
  name: "sections",
  id: sections.id,
  load: async () => sections,
};

export interface TestFile {
  readonly path: string;
  readonly text: string;
  readonly collection?: string;
  readonly mediaType?: string;
}

/** An index of words in memory that holds these files. */
export async function indexOf(files: readonly TestFile[]): Promise<Docsearch> {
  const docsearch = await createDocsearch({ store: memoryStore(), chunkers: [sectionChunker] });
  await docsearch.index({ documents: files.map(documentOf) });
  return docsearch;
}

function documentOf({ path, text, collection = "docs", mediaType = "text/markdown" }: TestFile): Document {
  return { id: path, path, text, collection, mediaType, contentHash: `${text.length}:${text}`, metadata: {} };
}

/** A service on such an index. */
export async function serviceOf(
  files: readonly TestFile[],
  options: Partial<ServiceOptions> = {},
): Promise<{ readonly service: Service; readonly docsearch: Docsearch }> {
  const docsearch = await indexOf(files);
  const service = createService({
    open: async () => ({ ...docsearch, close: async () => {} }),
    resolvePath: (path) => path,
    runJob: async () => ({ scanned: 0, unchanged: 0, replaced: 0, deleted: 0, chunks: 0, failed: 0 }),
    ...options,
  });
  return { service, docsearch };
}

/** What stands outside the quotations of an answer. */
export function outsideOfQuotes(text: string): string {
  const outside: string[] = [];
  let inside = false;
  for (const line of text.split("\n")) {
    if (!inside && line.startsWith("~~~~ ")) inside = true;
    else if (inside && line === "~~~~") inside = false;
    else if (!inside) outside.push(line);
  }
  if (inside) throw new Error("a quotation is not closed");
  return outside.join("\n");
}
