import type { Document, Metadata, OutlineEntry, Span } from "./document.js";

/** A link or reference found in a chunk. */
export interface Link {
  readonly target: string;
  readonly text: string;
  /** 1-based line in the document. */
  readonly line: number;
}

/** A definition that begins in a chunk of code. */
export interface ChunkSymbol {
  /** As it is written at its definition: `match`. */
  readonly name: string;
  /** `function`, `class`, `method` and so on. */
  readonly kind: string;
  /** The name behind those of the definitions around it, with `.` between them: `Router.match`. */
  readonly qualifiedName: string;
  /** 1-based line where the definition itself begins, behind comments and decorators. */
  readonly line: number;
  /** 1-based, inclusive. */
  readonly endLine: number;
  /** The definition up to its body, white space folded. */
  readonly signature?: string;
  /** The beginning of its documentation, without comment signs. */
  readonly documentation?: string;
}

/** The unit of retrieval. Invariant: `text === document.text.slice(span.startOffset, span.endOffset)`. */
export interface Chunk {
  /** Hash of document id, context and text, not of the position: an edit above leaves it as it is. */
  readonly id: string;
  readonly documentId: string;
  /** 0-based position in the document. */
  readonly ordinal: number;
  readonly text: string;
  readonly span: Span;
  /** Headings from the top of the document to this chunk, the chunk's own heading last. */
  readonly headingPath: readonly string[];
  /** Fragment identifier of the nearest heading. */
  readonly anchor?: string;
  /** What identifies the chunk but stands outside its span, such as the signature of the enclosing class. */
  readonly context?: string;
  /** `text` made readable on its own: a cut fence closed and reopened, a table's header repeated. Absent when equal. */
  readonly standaloneText?: string;
  /** Language of a chunk that is code as a whole. */
  readonly language?: string;
  /** Definitions that begin in the chunk, in the order of their lines. */
  readonly symbols?: readonly ChunkSymbol[];
  readonly links?: readonly Link[];
  readonly metadata: Metadata;
}

/** A range of the document that is something else than prose. Zones never overlap. */
export interface Zone {
  readonly kind: "code";
  /** UTF-16 offset in the document. */
  readonly startOffset: number;
  readonly endOffset: number;
}

/** A chunk as a chunker returns it; the indexer adds ids and positions. */
export interface ChunkDraft extends Omit<Chunk, "id" | "documentId" | "ordinal"> {
  /** Ranges inside `span` that the lexical index weighs as their own field; ordered. */
  readonly zones?: readonly Zone[];
  /** False for a further piece of a section whose heading an earlier chunk already carries. Default true. */
  readonly startsSection?: boolean;
}

export interface ChunkOptions {
  /** Largest size of a chunk, in the unit that `measure` returns. At least 1. */
  readonly maxSize: number;
  /** How much of the end of a chunk its successor repeats, in the same unit. Below `maxSize`. */
  readonly overlap: number;
  /** Size of a text; never less for a longer text. */
  readonly measure: (text: string) => number;
}

export interface Diagnostic {
  readonly message: string;
  readonly span?: Span;
}

export interface ChunkResult {
  /**
   * In document order; start offsets ascend. Every non-blank character outside front matter is in one of them; of a
   * notebook those of its cells and of what they printed.
   */
  readonly chunks: readonly ChunkDraft[];
  readonly outline: readonly OutlineEntry[];
  /** From the text itself (front matter, first heading); absent when it names none. */
  readonly title?: string;
  /** From front matter; the key of a nested value has those above it in front, with `.` between. */
  readonly metadata?: Metadata;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Pure and synchronous: no input or output but its own data on first use, no clock but to stop a parser that does not
 * end, no state between calls that shows in an answer.
 */
export interface Chunker {
  readonly specVersion: 1;
  /** Name and version of behaviour, such as `markdown@1`; part of the index's fingerprint. */
  readonly id: string;
  supports(document: Pick<Document, "mediaType" | "path">): boolean;
  /** Never throws on bad input: malformed text yields plain chunks and a diagnostic. */
  chunk(document: Document, options: ChunkOptions): ChunkResult;
}
