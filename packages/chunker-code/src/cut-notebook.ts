import type { ChunkDraft, ChunkOptions, ChunkSymbol, OutlineEntry } from "@docsearch/spec";
import { Lines, Slugger } from "@docsearch/text-split";
import type { CutFile } from "./cut-file.js";
import type { Cell, CellText, Notebook } from "./notebook.js";

/** Cuts a text of a cell, in the language of its name. */
export type CutText = (text: string, language: string, options: ChunkOptions) => CutFile;

interface Heading {
  readonly level: number;
  readonly path: readonly string[];
  readonly entry: number;
  readonly anchor: string;
}

const HEADING = /^(#{1,6})[ \t]+(.+?)[ \t#]*$/;
const FENCE = /^ {0,3}(?:```|~~~)/;
/** A cell whose text in the file, with quotes and escapes, is too large is cut again, by so much smaller. */
const SHRINK = 0.75;
const MAGIC = /^(?:%|!|\?)[^\n]*/gm;

/**
 * Chunks of a notebook: sections of its Markdown cells and pieces of its code cells, each under the headings above it.
 * A chunk is the slice of the file with its quotes and escapes; `standaloneText` is what it says. `metadata.cell` is the
 * 0-based index of the cell. What is around the cells, and outputs that are no text, are in no chunk.
 */
export function cutNotebook(text: string, { cells, language }: Notebook, options: ChunkOptions, cut: CutText): CutFile {
  const writer = new CellWriter(text, options, cut);
  for (const cell of cells) {
    if (cell.kind === "code") writer.addCode(cell, language);
    else if (cell.kind === "raw") writer.addText(cell, cell.source, false);
    else {
      for (const { source, heading, level } of sectionsOf(cell.source)) {
        if (heading !== undefined) writer.open(heading, level, source);
        writer.addText(cell, source, heading !== undefined);
      }
    }
  }
  // In the file the outputs of a cell may stand before its source.
  const chunks = writer.chunks.sort((a, b) => a.span.startOffset - b.span.startOffset);
  return { chunks, outline: writer.outline };
}

class CellWriter {
  readonly chunks: ChunkDraft[] = [];
  readonly outline: OutlineEntry[] = [];
  readonly #text: string;
  readonly #lines: Lines;
  readonly #options: ChunkOptions;
  readonly #cut: CutText;
  readonly #slugger = new Slugger();
  #headings: Heading[] = [];

  constructor(text: string, options: ChunkOptions, cut: CutText) {
    this.#text = text;
    this.#lines = new Lines(text);
    this.#options = options;
    this.#cut = cut;
  }

  open(name: string, level: number, { offsets }: CellText): void {
    this.#headings = this.#headings.filter((above) => above.level < level);
    const above = this.#headings.at(-1);
    const anchor = this.#slugger.slug(name);
    this.outline.push({
      heading: name,
      level,
      anchor,
      line: this.#line(offsets[0]!),
      ...(above && { parent: above.entry }),
    });
    this.#headings.push({ level, path: [...(above?.path ?? []), name], entry: this.outline.length - 1, anchor });
  }

  addText(cell: Cell, source: CellText, hasHeading: boolean): void {
    const { chunks } = this.#fit(source, source.text, "text");
    for (const [index, { span }] of chunks.entries()) {
      const starts = index === 0 && hasHeading;
      this.#add(cell, source, { span, ...(!starts && this.#headings.length > 0 && { startsSection: false }) });
    }
  }

  addCode(cell: Cell, language: string): void {
    const { source } = cell;
    // Lines for the shell or the kernel are no code; as comments they keep their length.
    const { chunks, outline } = this.#fit(
      source,
      source.text.replace(MAGIC, (line) => `#${line.slice(1)}`),
      language,
    );
    const lines = new Lines(source.text);
    const toLine = (line: number): number => this.#line(source.offsets[lines.start(line - 1)]!);
    const anchors = this.#addDefinitions(outline, toLine);
    for (const draft of chunks) {
      const { headingPath, anchor, symbols, zones, startsSection, ...kept } = draft;
      this.#add(cell, source, {
        ...kept,
        language,
        headingPath,
        ...(anchor !== undefined && { anchor: anchors.get(anchor)! }),
        ...(symbols !== undefined && { symbols: symbols.map((symbol) => moved(symbol, toLine)) }),
        ...(zones !== undefined && {
          zones: zones.map(({ kind, startOffset, endOffset }) => ({
            kind,
            startOffset: source.offsets[startOffset]!,
            endOffset: source.offsets[endOffset]!,
          })),
        }),
        ...((startsSection === false || (headingPath.length === 0 && this.#headings.length > 0)) && {
          startsSection: false,
        }),
      });
    }
    for (const output of cell.outputs) this.addText(cell, output, false);
  }

  /** Cuts a text so that its pieces in the file fit, which are longer than what they say. */
  #fit(source: CellText, readable: string, language: string): CutFile {
    const { measure, maxSize } = this.#options;
    let size = maxSize;
    for (;;) {
      const result = this.#cut(readable, language, { measure, maxSize: size, overlap: 0 });
      const fits = result.chunks.every(({ span }) => measure(this.#slice(source, span)) <= maxSize);
      if (fits || size <= 1) return result;
      size = Math.max(1, Math.floor(size * SHRINK));
    }
  }

  /** Puts the definitions of a cell under the nearest heading. Returns their anchors in the notebook. */
  #addDefinitions(entries: readonly OutlineEntry[], toLine: (line: number) => number): ReadonlyMap<string, string> {
    const above = this.#headings.at(-1);
    const anchors = new Map<string, string>();
    const places: number[] = [];
    for (const { parent, line, endLine = line, ...entry } of entries) {
      const anchor = this.#slugger.unique(entry.anchor);
      const level = Math.min((above?.level ?? 0) + entry.level, 6);
      let around = parent === undefined ? above?.entry : places[parent];
      while (around !== undefined && this.outline[around]!.level >= level) around = this.outline[around]!.parent;
      anchors.set(entry.anchor, anchor);
      places.push(this.outline.length);
      const placed = { ...entry, anchor, level, line: toLine(line), endLine: toLine(endLine) };
      this.outline.push({ ...placed, ...(around !== undefined && { parent: around }) });
    }
    return anchors;
  }

  #add(cell: Cell, source: CellText, draft: Pick<ChunkDraft, "span"> & Partial<ChunkDraft>): void {
    const above = this.#headings.at(-1);
    const start = source.offsets[draft.span.startOffset]!;
    const end = source.offsets[draft.span.endOffset]!;
    const text = this.#text.slice(start, end);
    const said = source.text.slice(draft.span.startOffset, draft.span.endOffset);
    this.chunks.push({
      ...draft,
      text,
      span: this.#lines.span({ start, end }),
      headingPath: [...(above?.path ?? []), ...(draft.headingPath ?? [])],
      ...(draft.anchor === undefined && above !== undefined && { anchor: above.anchor }),
      ...(said !== text && { standaloneText: said }),
      metadata: { cell: cell.index },
    });
  }

  #slice({ offsets }: CellText, { startOffset, endOffset }: ChunkDraft["span"]): string {
    return this.#text.slice(offsets[startOffset]!, offsets[endOffset]!);
  }

  /** 1-based. */
  #line(offset: number): number {
    return this.#lines.at(offset) + 1;
  }
}

function moved(symbol: ChunkSymbol, toLine: (line: number) => number): ChunkSymbol {
  return { ...symbol, line: toLine(symbol.line), endLine: toLine(symbol.endLine) };
}

interface CellSection {
  readonly source: CellText;
  readonly heading?: string;
  readonly level: number;
}

/** A Markdown cell at its headings. */
function sectionsOf({ text, offsets }: CellText): CellSection[] {
  const lines = new Lines(text);
  const starts: { readonly at: number; readonly heading?: string; readonly level: number }[] = [{ at: 0, level: 0 }];
  let isFenced = false;
  for (let line = 0; line < lines.count; line++) {
    const at = lines.start(line);
    const content = text.slice(at, lines.start(line + 1)).trimEnd();
    if (FENCE.test(content)) isFenced = !isFenced;
    const heading = isFenced ? null : HEADING.exec(content);
    if (heading !== null) starts.push({ at, heading: heading[2]!.replace(/\s+/g, " "), level: heading[1]!.length });
  }
  return starts.flatMap(({ at, ...named }, index) => {
    const end = starts[index + 1]?.at ?? text.length;
    const section = text.slice(at, end);
    return section.trim() === "" ? [] : [{ ...named, source: { text: section, offsets: offsets.slice(at, end + 1) } }];
  });
}
