/** Flat, non-null scalars: the largest shape that every backend can round-trip. */
export type Metadata = Readonly<Record<string, string | number | boolean>>;

/** Every asynchronous call takes a signal; an aborted one rejects with the platform's `AbortError`. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** The unit of ingestion: one file, page or record. */
export interface Document {
  /** Stable and unique in its index. Stores compare it byte for byte: no case folding, no normalisation. */
  readonly id: string;
  /** Name of the set that the document belongs to; searches can be limited to it. */
  readonly collection: string;
  /** Well-formed UTF-16 (no lone surrogates, no NUL). All offsets in this package count its code units. */
  readonly text: string;
  /** Hash of the source bytes. An equal hash means that nothing has to be read again. */
  readonly contentHash: string;
  /** IANA media type such as `text/markdown`. */
  readonly mediaType: string;
  /** Display path, separated by `/`. */
  readonly path?: string;
  readonly title?: string;
  readonly url?: string;
  readonly metadata: Metadata;
}

/** What a store keeps of a document. The text is kept in its chunks. */
export type DocumentRecord = Omit<Document, "text">;

/** Half-open range of `Document.text`. */
export interface Span {
  /** UTF-16 code units, never inside a surrogate pair. */
  readonly startOffset: number;
  /** UTF-16 code units, exclusive. */
  readonly endOffset: number;
  /** 1-based line of the first character. */
  readonly startLine: number;
  /** 1-based line of the last character, inclusive. */
  readonly endLine: number;
}

/** One heading of a document, or one definition of a file of code, in document order. */
export interface OutlineEntry {
  /** Plain text of the heading, white space folded; the name of a definition. */
  readonly heading: string;
  /** 1 to 6. */
  readonly level: number;
  /** Fragment identifier, unique in the document. */
  readonly anchor: string;
  /** 1-based line of the heading. */
  readonly line: number;
  /** 1-based last line of a definition; absent for headings. */
  readonly endLine?: number;
  /** Kind of a definition, as in `ChunkSymbol`; absent for headings. */
  readonly kind?: string;
  /** Index in the outline of the enclosing heading or definition; absent at the top. */
  readonly parent?: number;
}

/** Where documents come from: a folder, a repository, a site. */
export interface DocumentSource {
  readonly collection: string;
  /** Yields every document once. An unreadable one is yielded as a failure, it does not end the iteration. */
  read(options?: CallOptions): AsyncIterable<SourceItem>;
}

export type SourceItem =
  | ReadItem
  /**
   * A document whose content hash the source knows without reading it. An index that has it with the same record is up
   * to date; else `read` gives the document as it is now, or why it does not come up after all.
   */
  | { readonly type: "unread"; readonly document: DocumentRecord; readonly read: () => Promise<ReadItem> };

export type ReadItem =
  | { readonly type: "document"; readonly document: Document }
  /** Left out by a rule; `reason` names the rule. */
  | { readonly type: "skip"; readonly path: string; readonly reason: string }
  /**
   * Wanted, but it could not be read. An index keeps what it has of `documentId`; one that ends with `/` is a folder,
   * and stands for every id that begins with it.
   */
  | { readonly type: "failure"; readonly documentId: string; readonly path: string; readonly error: unknown };
