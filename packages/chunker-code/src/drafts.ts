import type { ChunkDraft, ChunkSymbol, Metadata, Zone } from "@docsearch/spec";
import { clip, type Range, RangeCursor, trimRange } from "@docsearch/text-split";
import type { CodeFile, LanguagePart } from "./code-file.js";
import { type Definition, isSection } from "./definition.js";
import { documentationOf } from "./documentation.js";
import type { Outline } from "./outline.js";
import { signatureOf } from "./signature.js";

const NO_METADATA: Metadata = {};
/** What fills more than this share of a chunk is what the chunk is about: a definition, a language. */
const MAIN_SHARE = 0.5;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Makes chunks of the pieces of one file, which must come in order. */
export class DraftWriter {
  readonly #file: CodeFile;
  readonly #outline: Outline;
  readonly #prose: RangeCursor<Range>;
  #next = 0;

  constructor(file: CodeFile, outline: Outline) {
    this.#file = file;
    this.#outline = outline;
    this.#prose = new RangeCursor(file.prose);
  }

  /** The chunk of `piece`; `undefined` when it holds blanks only. `scope`: the definition around the whole piece. */
  write(piece: Range, scope: number): ChunkDraft | undefined {
    const { text, lines, definitions } = this.#file;
    const span = trimRange(text, piece);
    if (span === undefined) return undefined;
    const begun = this.#begunIn(span);
    const main = this.#mainOf(begun, span);
    const named = main ?? scope;
    const path = definitions[named]?.path ?? [];
    const part = this.#partAt(span);
    const anchor = this.#outline.anchors[named];
    const context = this.#contextOf(scope, span);
    const symbols = begun.map((index) => this.#symbolOf(definitions[index]!)).filter((symbol) => symbol !== undefined);
    const zones = this.#zonesOf(span);
    const draft: Writable<ChunkDraft> = {
      text: text.slice(span.start, span.end),
      span: lines.span(span),
      headingPath: path,
      metadata: NO_METADATA,
    };
    if (!part.isText) draft.language = part.language;
    if (anchor !== undefined) draft.anchor = anchor;
    if (context !== "") draft.context = context;
    if (symbols.length > 0) draft.symbols = symbols;
    if (zones.length > 0) draft.zones = zones;
    if (main === undefined && path.length > 0) draft.startsSection = false;
    return draft;
  }

  /** Indices of the definitions that begin in the span: a row without gaps. */
  #begunIn({ start, end }: Range): number[] {
    const { definitions } = this.#file;
    const begun: number[] = [];
    // By their cores definitions do not always ascend: a class with a long decorator.
    while (this.#next < definitions.length && definitions[this.#next]!.coreStart < start) this.#next++;
    for (let index = this.#next; index < definitions.length && definitions[index]!.coreStart < end; index++)
      begun.push(index);
    return begun;
  }

  /** The definition that the chunk is about: the only outermost one that begins in it, or the one that fills most of it. */
  #mainOf(begun: readonly number[], span: Range): number | undefined {
    const { definitions } = this.#file;
    const first = begun[0] ?? 0;
    const outermost = begun.filter((index) => {
      if (isSection(definitions[index]!)) return false;
      let around = definitions[index]!.parent;
      while (around >= first && isSection(definitions[around]!)) around = definitions[around]!.parent;
      return around < first;
    });
    const size = (index: number): number => {
      const { start, end } = definitions[index]!;
      return Math.min(end, span.end) - Math.max(start, span.start);
    };
    const largest = outermost.reduce((best, index) => (size(index) > size(best) ? index : best), outermost[0] ?? -1);
    if (largest < 0) return undefined;
    return outermost.length === 1 || size(largest) > MAIN_SHARE * (span.end - span.start) ? largest : undefined;
  }

  /** Signatures of the definitions that lie around the chunk and begin outside of it, the outermost first. */
  #contextOf(scope: number, span: Range): string {
    const { text, definitions } = this.#file;
    const signatures: string[] = [];
    for (let at = scope; at >= 0; at = definitions[at]!.parent) {
      const around = definitions[at]!;
      const begins = around.coreStart >= span.start && around.coreStart < span.end;
      if (!begins && !isSection(around)) signatures.unshift(signatureOf(text, around));
    }
    return signatures.join("\n");
  }

  #symbolOf(definition: Definition): ChunkSymbol | undefined {
    const { text, lines } = this.#file;
    const { kind, name, path, coreStart, coreEnd, documentation } = definition;
    if (isSection(definition) || kind === "impl") return undefined;
    if (!this.#partAt({ start: coreStart, end: coreStart + 1 }).hasSymbols) return undefined;
    const signature = signatureOf(text, definition);
    const words = documentationOf(text, documentation);
    return {
      name,
      kind,
      qualifiedName: path.join("."),
      line: lines.at(coreStart) + 1,
      endLine: lines.at(coreEnd - 1) + 1,
      ...(signature !== "" && { signature }),
      ...(words !== "" && { documentation: words }),
    };
  }

  /** What is neither text nor a comment or docstring. */
  #zonesOf(span: Range): Zone[] {
    const { parts, text } = this.#file;
    const zones: Zone[] = [];
    const prose = this.#prose.overlapping(span);
    const add = (start: number, end: number): void => {
      if (start < end && text.slice(start, end).trim() !== "")
        zones.push({ kind: "code", startOffset: start, endOffset: end });
    };
    for (const part of parts[0]!.isText ? parts.slice(1) : parts.slice(0, 1)) {
      if (part.isText) continue;
      const { start, end } = clip(part, span);
      let at = start;
      for (const comment of prose) {
        if (comment.end <= at || comment.start >= end) continue;
        add(at, comment.start);
        at = Math.min(comment.end, end);
      }
      add(at, end);
    }
    return zones;
  }

  /** The innermost part that holds most of the range. */
  #partAt(range: Range): LanguagePart {
    const { parts } = this.#file;
    const holds = (part: LanguagePart): boolean => {
      const { start, end } = clip(part, range);
      return end - start > MAIN_SHARE * (range.end - range.start);
    };
    return parts.findLast(holds) ?? parts[0]!;
  }
}
