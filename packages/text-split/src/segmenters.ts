/** Abbreviations behind which a sentence goes on. Lower case, without the last dot. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  `al approx art assn ave bldg ca cf ch co col corp dept dr ed eds eq eqs etc e.g ex fig figs ft gen gov hon i.e inc jr
  lt ltd max min mr mrs ms mt no nos op p par pp pref prof ref refs resp rev sec secs sect sen sr st tab univ vol vols
  vs u.s u.k ph.d`.split(/\s+/),
);
/** Sentences are looked for in so many code units at a time: V8's iterator takes time by the length of its text at every step. */
const WINDOW = 4096;
/** How far a cut looks back for a border between words, in code units. */
const LOOK_BACK = 400;
/** Goes on with the grapheme before it. Two letters, of Thai and Lao, are counted as marks there. */
const EXTENDS = /^[\p{Grapheme_Extend}\p{M}\u0e33\u0eb3\p{Emoji_Modifier}\u200d]/u;
const BLANKS = /\s+/g;

/** Borders of sentences, words and graphemes by Unicode's rules (UAX 29). Built on first use. */
export class Segmenters {
  #sentence: Intl.Segmenter | undefined;
  #word: Intl.Segmenter | undefined;
  #grapheme: Intl.Segmenter | undefined;

  /** Offsets in `text` at which sentences begin; the first is 0. A line break alone ends no sentence. */
  sentenceStarts(text: string): number[] {
    this.#sentence ??= new Intl.Segmenter("en", { granularity: "sentence" });
    const line = text.replace(/[\r\n\u2028\u2029]/g, " ");
    const starts: number[] = [];
    let from = 0;
    for (let known = true; from < line.length; ) {
      const window = line.slice(from, from + WINDOW);
      let last = 0;
      for (const { index } of this.#sentence.segment(window)) {
        const start = from + index;
        last = index;
        if (index === 0 ? known : !endsWithAbbreviation(line, start)) starts.push(start);
      }
      if (from + WINDOW >= line.length) break;
      // The last sentence may go on behind the window; without a border in it the next one begins inside a sentence.
      known = last > 0 && starts.at(-1) === from + last;
      if (known) starts.pop();
      from += last > 0 ? last : window.length;
    }
    return starts;
  }

  /** Offsets in `text` behind runs of blanks, the first being 0. */
  wordStarts(text: string): number[] {
    const starts = [0];
    for (const { index, 0: blanks } of text.matchAll(BLANKS)) {
      const start = index + blanks.length;
      if (start < text.length && !EXTENDS.test(text.slice(start, start + 2))) starts.push(start);
    }
    return starts;
  }

  /**
   * The last border in `text` behind `start` and at most at `limit`: between words if one is near, else between
   * graphemes, else between code points. `start` is a border. The result is always behind it.
   */
  cut(text: string, start: number, limit: number): number {
    if (limit >= text.length) return text.length;
    this.#word ??= new Intl.Segmenter("en", { granularity: "word" });
    this.#grapheme ??= new Intl.Segmenter("en", { granularity: "grapheme" });
    // Segmentation depends on what came before, so it begins at a character that always stands by itself.
    let from = Math.max(start, limit - LOOK_BACK);
    while (from > start && (text.charCodeAt(from) >= 0x300 || text[from] === "\n")) from--;
    const window = text.slice(from, codePointStart(text, limit + 2));
    const graphemes = this.#grapheme.segment(window);
    const word = this.#word.segment(window).containing(limit - from)!.index;
    // A border between words may lie inside a grapheme: behind U+0600, which belongs to what follows.
    const beforeWord = word === 0 ? from : from + graphemes.containing(word)!.index;
    if (beforeWord > from) return beforeWord;
    const grapheme = from + graphemes.containing(limit - from)!.index;
    if (grapheme > start) return grapheme;
    const border = codePointStart(text, limit);
    return border > start ? border : start + (text.codePointAt(start)! > 0xffff ? 2 : 1);
  }
}

/** `offset`, or one less when it lies inside a surrogate pair. */
function codePointStart(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  const before = text.charCodeAt(offset - 1);
  return unit >= 0xdc00 && unit < 0xe000 && before >= 0xd800 && before < 0xdc00 ? offset - 1 : offset;
}

function endsWithAbbreviation(text: string, end: number): boolean {
  const word = /(?:^|[\s([])([\p{L}.]{1,12})\.\s+$/u.exec(text.slice(Math.max(0, end - 20), end))?.[1];
  return word !== undefined && (ABBREVIATIONS.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word));
}
