export interface DecodedText {
  /** Well-formed UTF-16 without NUL. Line ends stay as they are. Offsets refer to this text, not to the bytes. */
  readonly text: string;
  /** Label of the WHATWG Encoding Standard, or `utf-32le`, `utf-32be`. */
  readonly encoding: string;
  /** Number of U+FFFD that stand for something that could not be kept. */
  readonly replaced: number;
}

/** Share of units that are no character above which bytes are not UTF-16 or UTF-32 text. */
const MAX_FAULTS_WIDE = 0.02;

export function decodeUtf8(bytes: Uint8Array): DecodedText {
  const text = bufferOf(bytes).toString("utf8");
  // U+FFFD is rare in sound text; where there is none, no byte was faulty.
  const replaced = text.includes("\ufffd") ? faultsOf(text, bytes) : 0;
  return text.includes("\0") ? clean(text, "utf-8", replaced) : { text, encoding: "utf-8", replaced };
}

/** Undefined when too much of it is no character. */
export function decodeUtf16(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be"): DecodedText | undefined {
  const even = bytes.subarray(0, bytes.length & ~1);
  const units = encoding === "utf-16le" ? bufferOf(even) : Buffer.from(even).swap16();
  // A byte without its other half is one more fault.
  const text = units.toString("utf16le") + (even.length === bytes.length ? "" : "\ufffd");
  const decoded = clean(text, encoding, text.length - even.length / 2);
  const isText = decoded.replaced <= 1 || decoded.replaced <= text.length * MAX_FAULTS_WIDE;
  return isText ? decoded : undefined;
}

/** Undefined when too much of it is no character. */
export function decodeUtf32(bytes: Uint8Array, encoding: "utf-32le" | "utf-32be"): DecodedText | undefined {
  if (bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = "";
  let faults = 0;
  for (let at = 0; at < bytes.length; at += 4) {
    const code = view.getUint32(at, encoding === "utf-32le");
    const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    if (!isCharacter) faults++;
    text += isCharacter ? String.fromCodePoint(code) : "\ufffd";
  }
  return faults * 4 > bytes.length * MAX_FAULTS_WIDE ? undefined : clean(text, encoding, faults);
}

/** Puts U+FFFD for NUL and lone surrogates and adds them to `replaced`. */
export function clean(text: string, encoding: string, replaced: number): DecodedText {
  let more = 0;
  const cleaned = text.replace(UNKEEPABLE, () => {
    more++;
    return "\ufffd";
  });
  return { text: cleaned, encoding, replaced: replaced + more };
}

const UNKEEPABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Faulty sequences in bytes that were read as UTF-8: each became a U+FFFD, and some may stand there by right. */
export function faultsOf(text: string, bytes: Uint8Array): number {
  let genuine = 0;
  const buffer = bufferOf(bytes);
  for (let at = buffer.indexOf(REPLACEMENT); at !== -1; at = buffer.indexOf(REPLACEMENT, at + 3)) genuine++;
  return count(text, /\ufffd/g) - genuine;
}

const REPLACEMENT = Buffer.from("\ufffd", "utf8");

export function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
