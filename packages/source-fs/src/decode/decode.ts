import { isUtf8 } from "node:buffer";
import { countControls, hasBinarySignature, SAMPLE_BYTES, utf16WithoutMark } from "./binary.js";
import { bufferOf, clean, count, type DecodedText, decodeUtf8, decodeUtf16, decodeUtf32, faultsOf } from "./unicode.js";
import { decodeWindows1252 } from "./windows-1252.js";

export type Decoded = DecodedText | { readonly binary: true };

export interface DecodeOptions {
  /** For text that is no Unicode: a label that `TextDecoder` knows. Default `windows-1252`. */
  readonly fallbackEncoding?: string;
}

/** Share of controls above which bytes are no text: of text in UTF-8, and of text in another 8-bit encoding. */
const MAX_CONTROLS_UTF8 = 0.05;
const MAX_CONTROLS_8_BIT = 0.02;

/**
 * Bytes of a file as text. In this order: a byte-order mark (UTF-8, UTF-16, UTF-32), which is taken off; signatures
 * of binary formats; UTF-16 without a mark, by statistics; UTF-8; the fallback encoding. Bytes that are mostly UTF-8
 * stay UTF-8, the faulty ones become U+FFFD, as do NUL and lone surrogates.
 *
 * @throws RangeError for a fallback encoding that `TextDecoder` does not know
 */
export function decode(bytes: Uint8Array, { fallbackEncoding = "windows-1252" }: DecodeOptions = {}): Decoded {
  const mark = markOf(bytes);
  if (mark !== undefined) return decodeMarked(bytes, mark) ?? { binary: true };
  const verdict = judgeStart(bytes);
  if (verdict === "binary") return { binary: true };
  if (verdict !== undefined) return decodeUtf16(bytes, verdict) ?? { binary: true };
  if (isUtf8(bytes)) return decodeUtf8(bytes);
  const lossy = bufferOf(bytes).toString("utf8");
  // Each sound sequence of several bytes speaks for UTF-8 with faults, each faulty one against it.
  if (count(lossy, /[^\x00-\x7f\ufffd]/g) > faultsOf(lossy, bytes)) return decodeUtf8(bytes);
  const controls = countControls(bytes);
  if (controls > 1 && controls > bytes.length * MAX_CONTROLS_8_BIT) return { binary: true };
  return decodeFallback(bytes, fallbackEncoding);
}

/**
 * Whether the start of a file says that it is not text. What the first `SAMPLE_BYTES` say holds for the whole.
 *
 * @param bytes the file or its first bytes
 */
export function looksBinary(bytes: Uint8Array): boolean {
  return markOf(bytes) === undefined && judgeStart(bytes) === "binary";
}

/** For bytes without a mark: what their start says, or undefined for text in an 8-bit encoding. */
function judgeStart(bytes: Uint8Array): "binary" | "utf-16le" | "utf-16be" | undefined {
  if (hasBinarySignature(bytes)) return "binary";
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  // Binary formats without a signature have a NUL early. Text that has none is not worth counting.
  if (!sample.includes(0)) return undefined;
  const wide = utf16WithoutMark(sample);
  if (wide !== undefined) return wide;
  return countControls(sample) > sample.length * MAX_CONTROLS_UTF8 ? "binary" : undefined;
}

const MARKS = [
  { encoding: "utf-32le", mark: [0xff, 0xfe, 0, 0], unit: 4 },
  { encoding: "utf-32be", mark: [0, 0, 0xfe, 0xff], unit: 4 },
  { encoding: "utf-8", mark: [0xef, 0xbb, 0xbf], unit: 1 },
  { encoding: "utf-16le", mark: [0xff, 0xfe], unit: 2 },
  { encoding: "utf-16be", mark: [0xfe, 0xff], unit: 2 },
] as const;

type Mark = (typeof MARKS)[number];

function markOf(bytes: Uint8Array): Mark | undefined {
  const [first = 1] = bytes;
  if (first !== 0 && first < 0xef) return undefined;
  return MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
}

function decodeMarked(bytes: Uint8Array, mark: Mark): DecodedText | undefined {
  const body = bytes.subarray(mark.mark.length);
  switch (mark.encoding) {
    case "utf-8":
      return decodeUtf8(body);
    case "utf-16le":
    case "utf-16be":
      return decodeUtf16(body, mark.encoding);
    case "utf-32le":
      // Also the start of UTF-16 text whose first character is NUL.
      return decodeUtf32(body, mark.encoding) ?? decodeUtf16(bytes.subarray(2), "utf-16le");
    case "utf-32be":
      return decodeUtf32(body, mark.encoding);
  }
}

function decodeFallback(bytes: Uint8Array, label: string): DecodedText {
  const decoder = new TextDecoder(label);
  if (decoder.encoding === "windows-1252") return clean(decodeWindows1252(bytes), decoder.encoding, 0);
  const text = decoder.decode(bytes);
  return clean(text, decoder.encoding, count(text, /\ufffd/g));
}
