/** Reads the varints of posting entries one after the other: seven bits a byte, the low ones first. */
export class EntryReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++]!;
    if (byte < 128) return byte;
    let value = byte - 128;
    let unit = 128;
    do {
      byte = bytes[this.#at++]!;
      value += (byte & 127) * unit;
      unit *= 128;
    } while (byte > 127);
    return value;
  }
}
