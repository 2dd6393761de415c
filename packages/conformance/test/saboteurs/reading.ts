import type { DocumentRecord, VectorStore } from "@docsearch/spec";
import { ALL, type Saboteur, saboteur, writeEach } from "./saboteur.js";

/** The memory store under ids that are changed on the way in and looked up changed. */
function foldedIds(name: string, reason: string, fold: (id: string) => string): Saboteur {
  return saboteur(name, reason, (inner) => {
    const original = new Map<string, string>();
    const back = (id: string): string => original.get(id) ?? id;
    return {
      write: writeEach(inner, async (change) => {
        if (change.type === "delete")
          return await inner.write([{ type: "delete", documentId: fold(change.documentId) }]);
        const id = fold(change.document.id);
        original.set(id, change.document.id);
        const chunks = change.chunks.map((write) =>
          write.chunk.documentId === change.document.id
            ? { ...write, chunk: { ...write.chunk, documentId: id } }
            : write,
        );
        return await inner.write([{ ...change, document: { ...change.document, id }, chunks }]);
      }),
      getDocuments: async (ids, options) =>
        (await inner.getDocuments(ids.map(fold), options)).map(
          (record) => record && { ...record, id: back(record.id) },
        ),
      getChunkIds: (id, options) => inner.getChunkIds(fold(id), options),
      getOutline: (id, options) => inner.getOutline(fold(id), options),
      getChunks: async (ids, options) =>
        (await inner.getChunks(ids, options)).map((chunk) => chunk && { ...chunk, documentId: back(chunk.documentId) }),
      listDocuments: async (page) =>
        (await inner.listDocuments(page)).map((record) => ({ ...record, id: back(record.id) })),
    };
  });
}

async function listAll(
  inner: VectorStore,
  page: Parameters<VectorStore["listDocuments"]>[0],
): Promise<readonly DocumentRecord[]> {
  const { after: _, ...rest } = page;
  return await inner.listDocuments({ ...rest, limit: ALL });
}

export const READING_SABOTEURS: readonly Saboteur[] = [
  saboteur("getChunks leaves out misses", "Rows that are found are returned.", (inner) => ({
    getChunks: async (ids, options) => (await inner.getChunks(ids, options)).filter((chunk) => chunk !== undefined),
  })),
  saboteur("getChunks answers in the order of the rows", "The order of IN is taken for granted.", (inner) => ({
    getChunks: async (ids, options) => await inner.getChunks([...ids].sort(), options),
  })),
  saboteur("getChunks answers a repeated id once", "Ids are put in a set.", (inner) => ({
    getChunks: async (ids, options) => {
      const seen = new Set<string>();
      return (await inner.getChunks(ids, options)).map((chunk) => {
        if (chunk === undefined || seen.has(chunk.id)) return undefined;
        seen.add(chunk.id);
        return chunk;
      });
    },
  })),
  saboteur("getChunks knows the first 1,000 ids", "A statement takes so many variables.", (inner) => ({
    getChunks: async (ids, options) => {
      const found = await inner.getChunks(ids.slice(0, 1000), options);
      return ids.map((_, i) => found[i]);
    },
  })),
  saboteur("getDocuments fails with 32,767 ids", "A statement takes so many variables.", (inner) => ({
    getDocuments: async (ids, options) => {
      if (ids.length >= 32_767) throw new Error("too many SQL variables");
      return await inner.getDocuments(ids, options);
    },
  })),
  saboteur("misses are null", "The driver's value is passed on.", (inner) => ({
    getDocuments: async (ids, options) =>
      (await inner.getDocuments(ids, options)).map((record) => record ?? (null as unknown as undefined)),
  })),
  saboteur("absent fields come back as null", "The row is passed on.", (inner) => ({
    getChunks: async (ids, options) =>
      (await inner.getChunks(ids, options)).map((chunk) => chunk && { anchor: null as unknown as string, ...chunk }),
  })),
  saboteur("absent fields come back as undefined", "Every field is set.", (inner) => ({
    getDocuments: async (ids, options) =>
      (await inner.getDocuments(ids, options)).map(
        (record) => record && { title: undefined as unknown as string, ...record },
      ),
  })),
  saboteur("chunks have a field of the store", "The row is passed on.", (inner) => ({
    getChunks: async (ids, options) =>
      (await inner.getChunks(ids, options)).map((chunk, rowid) => chunk && { ...chunk, rowid }),
  })),
  saboteur("numbers come back rounded", "A column of type REAL with single precision.", (inner) => ({
    listDocuments: async (page) =>
      (await inner.listDocuments(page)).map((record) => ({
        ...record,
        metadata: Object.fromEntries(
          Object.entries(record.metadata).map(([key, value]) => [
            key,
            typeof value === "number" ? Math.fround(value) : value,
          ]),
        ),
      })),
  })),
  saboteur("texts are trimmed", "The text is cleaned on the way.", (inner) => ({
    getChunks: async (ids, options) =>
      (await inner.getChunks(ids, options)).map(
        (chunk) => chunk && { ...chunk, text: chunk.text.trim().replace(/\r\n/gu, "\n") },
      ),
  })),
  saboteur("long texts are cut", "A column has a width.", (inner) => ({
    getChunks: async (ids, options) =>
      (await inner.getChunks(ids, options)).map((chunk) => chunk && { ...chunk, text: chunk.text.slice(0, 65_535) }),
  })),
  saboteur("chunk ids come in the order of ids", "The key's order is taken for that of the document.", (inner) => ({
    getChunkIds: async (id, options) => [...(await inner.getChunkIds(id, options))].sort(),
  })),
  saboteur("ordinals are ordered as text", "A column of type TEXT.", (inner) => ({
    getChunkIds: async (id, options) => {
      const ids = await inner.getChunkIds(id, options);
      const chunks = await inner.getChunks(ids);
      return chunks
        .map((chunk) => chunk!)
        .sort((a, b) => (String(a.ordinal) < String(b.ordinal) ? -1 : 1))
        .map((chunk) => chunk.id);
    },
  })),
  saboteur("an outline has no parents", "A column was forgotten.", (inner) => ({
    getOutline: async (id, options) => (await inner.getOutline(id, options)).map(({ parent: _, ...entry }) => entry),
  })),
  saboteur("an outline is ordered by heading", "Rows have no number.", (inner) => ({
    getOutline: async (id, options) =>
      [...(await inner.getOutline(id, options))].sort((a, b) => (a.heading < b.heading ? -1 : 1)),
  })),
  saboteur("the cursor is inclusive", "`>=` in place of `>`.", (inner) => ({
    listDocuments: async (page) =>
      (await listAll(inner, page))
        .filter(({ id }) => page.after === undefined || id >= page.after)
        .slice(0, page.limit),
  })),
  saboteur("an empty cursor is unknown", "The cursor has to be an id.", (inner) => ({
    listDocuments: async (page) => {
      if (page.after === undefined) return await inner.listDocuments(page);
      const [known] = await inner.getDocuments([page.after]);
      return known === undefined ? [] : await inner.listDocuments(page);
    },
  })),
  saboteur("documents are listed by locale", "The database has a collation.", (inner) => ({
    listDocuments: async (page) => {
      const sorted = [...(await listAll(inner, page))].sort((a, b) => a.id.localeCompare(b.id));
      return sorted
        .filter(({ id }) => page.after === undefined || id.localeCompare(page.after) > 0)
        .slice(0, page.limit);
    },
  })),
  saboteur("documents are listed by UTF-8 bytes", "SQLite compares bytes.", (inner) => {
    const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
    return {
      listDocuments: async (page) => {
        const sorted = [...(await listAll(inner, page))].sort((a, b) => compare(a.id, b.id));
        return sorted.filter(({ id }) => page.after === undefined || compare(id, page.after) > 0).slice(0, page.limit);
      },
    };
  }),
  saboteur("terms count occurrences", "Postings are counted by field.", (inner) => {
    const fieldsWith = new Map<string, number>();
    return {
      write: async (changes, options) => {
        const result = await inner.write(changes, options);
        for (const change of changes) {
          for (const { fields } of change.type === "replace" ? change.chunks : []) {
            for (const field of Object.values(fields)) {
              for (const term of field.terms.keys()) fieldsWith.set(term, (fieldsWith.get(term) ?? 0) + 1);
            }
          }
        }
        return result;
      },
      listTerms: async (page) =>
        (await inner.listTerms(page)).map(({ term, chunks }) => ({ term, chunks: fieldsWith.get(term) ?? chunks })),
    };
  }),
  saboteur("terms without a chunk are listed", "The dictionary only grows.", (inner) => {
    const ever = new Set<string>();
    return {
      listTerms: async (page) => {
        const counts = await inner.listTerms({ ...page, limit: ALL });
        const live = new Set(counts.map(({ term }) => term));
        const dead = [...ever].filter((term) => !live.has(term) && term.startsWith(page.prefix));
        return [...counts, ...dead.map((term) => ({ term, chunks: 0 }))]
          .sort((a, b) => (a.term < b.term ? -1 : 1))
          .slice(0, page.limit);
      },
      write: async (changes, options) => {
        const result = await inner.write(changes, options);
        for (const change of changes) {
          for (const { fields } of change.type === "replace" ? change.chunks : []) {
            for (const field of Object.values(fields)) for (const term of field.terms.keys()) ever.add(term);
          }
        }
        return result;
      },
    };
  }),
  saboteur("the prefix of terms ignores case", "LIKE ignores the case of ASCII letters.", (inner) => ({
    listTerms: async (page) =>
      (await inner.listTerms({ ...page, prefix: "", limit: ALL }))
        .filter(({ term }) => term.toLowerCase().startsWith(page.prefix.toLowerCase()))
        .slice(0, page.limit),
  })),
  saboteur("the prefix of terms is a pattern", "`_` and `%` are wildcards.", (inner) => ({
    listTerms: async (page) =>
      (await inner.listTerms({ ...page, prefix: "", limit: ALL }))
        .filter(({ term }) =>
          [...page.prefix].every(
            (character, i) => character === "_" || term[i] === character || page.prefix.length > 1,
          ),
        )
        .filter(({ term }) => page.prefix.includes("_") || term.startsWith(page.prefix))
        .slice(0, page.limit),
  })),
  saboteur("the end of a prefix is the next letter", "A range up to the prefix and U+FFFF, left out.", (inner) => ({
    listTerms: async (page) =>
      (await inner.listTerms({ ...page, limit: ALL }))
        .filter(({ term }) => term < `${page.prefix}\ud800` || page.prefix === term)
        .slice(0, page.limit),
  })),
  saboteur("vectors are counted by chunks", "Every chunk is taken to have one.", (inner) => ({
    stats: async (options) => {
      const stats = await inner.stats(options);
      return { ...stats, vectors: stats.chunks };
    },
  })),
  foldedIds("ids ignore case", "COLLATE NOCASE.", (id) => id.toLowerCase()),
  foldedIds("ids are normalised", "NFC on the way in.", (id) => id.normalize("NFC")),
  foldedIds("ids are trimmed", "CHAR columns ignore blanks at the end.", (id) => id.trimEnd()),
  foldedIds("ids are cut at 1,000 characters", "The key has a width.", (id) => id.slice(0, 1000)),
];
