/** Neither a letter nor a number. */
export const SEPARATOR = 0;
/** `a` to `z`. */
export const LOWER = 1;
/** `A` to `Z`. */
export const UPPER = 2;
/** `0` to `9`. */
export const DIGIT = 3;
/** A letter or number outside ASCII. */
export const OTHER = 4;

const WORD = /[\p{L}\p{N}]/u;

/** Tells letters and numbers from all else. Asks Unicode once for each character of the basic plane. */
export class CharacterKinds {
  /** For each code unit: 0 not asked yet, else the kind plus one. Surrogates stay 0. */
  readonly #known: Uint8Array = new Uint8Array(0x10000);

  constructor() {
    this.#known.fill(SEPARATOR + 1, 0, 0x80);
    this.#known.fill(LOWER + 1, 0x61, 0x7b);
    this.#known.fill(UPPER + 1, 0x41, 0x5b);
    this.#known.fill(DIGIT + 1, 0x30, 0x3a);
  }

  /** Kind of the character at `index`. `SEPARATOR` at the end of the text and for a surrogate without its pair. */
  at(text: string, index: number): number {
    if (index >= text.length) return SEPARATOR;
    const known = this.#known[text.charCodeAt(index)]!;
    return known !== 0 ? known - 1 : this.#ask(text, index);
  }

  #ask(text: string, index: number): number {
    const character = text.codePointAt(index)!;
    const kind = WORD.test(String.fromCodePoint(character)) ? OTHER : SEPARATOR;
    if (character < 0xd800 || (character > 0xdfff && character < 0x10000)) this.#known[character] = kind + 1;
    return kind;
  }
}
