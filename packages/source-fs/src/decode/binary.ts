/** Bytes at the start that decide about binary or not, here and before the rest of a large file is read. */
export const SAMPLE_BYTES = 65_536;

/**
 * Starts of formats that are never text, as Latin-1. Each has a byte that no text begins with, but for PDF, which
 * can be text for long stretches. Formats without such a byte (RIFF, OggS, ID3) have NULs soon after.
 */
const SIGNATURES = [
  "%PDF-1.",
  "%PDF-2.",
  "PK\x03\x04",
  "PK\x05\x06",
  "\x89PNG",
  "\xff\xd8\xff",
  "\x7fELF",
  "\xca\xfe\xba\xbe",
  "\xcf\xfa\xed\xfe",
  "\x00asm",
  "\x1f\x8b",
  "\xfd7zXZ",
  "7z\xbc\xaf",
  "\x28\xb5\x2f\xfd",
  "Rar!\x1a",
  "\xd0\xcf\x11\xe0",
  "SQLite format 3\x00",
  "OTTO\x00",
];
const FIRST_BYTES = new Set(SIGNATURES.map((signature) => signature.charCodeAt(0)));
const LONGEST_SIGNATURE = 16;
/** A tar archive has its signature behind the name of its first file, and hardly a NUL when that is text. */
const TAR = { signature: "ustar", offset: 257 };

export function hasBinarySignature(bytes: Uint8Array): boolean {
  if (FIRST_BYTES.has(bytes[0] as number)) {
    const start = latin1(bytes.subarray(0, LONGEST_SIGNATURE));
    if (SIGNATURES.some((signature) => start.startsWith(signature))) return true;
  }
  return bytes[TAR.offset] === 0x75 && latin1(bytes.subarray(TAR.offset, TAR.offset + 5)) === TAR.signature;
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** Controls that text has: backspace, tab, line feed, vertical tab, form feed, carriage return, escape. */
const TEXT_CONTROLS = new Set([8, 9, 10, 11, 12, 13, 27]);

/** Number of bytes that no text has: NUL and the other controls. */
export function countControls(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if ((byte < 32 && !TEXT_CONTROLS.has(byte)) || byte === 127) count++;
  return count;
}

/**
 * The byte order of UTF-16 text without a byte-order mark: one byte of the pair is zero for at least a fifth of the
 * units (letters, spaces and line ends of Latin script), the other nearly never, and no unit is a control or half of
 * a surrogate pair. Text without such characters, as a line of Chinese alone, is not recognised.
 */
export function utf16WithoutMark(sample: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const units = sample.length >> 1;
  if (units < 2) return undefined;
  let firstZeros = 0;
  let secondZeros = 0;
  for (let at = 0; at < units * 2; at += 2) {
    if (sample[at] === 0) firstZeros++;
    if (sample[at + 1] === 0) secondZeros++;
  }
  const low = units / 50;
  const high = units / 5;
  if (secondZeros >= high && firstZeros <= low) return isPlausible(sample, 0) ? "utf-16le" : undefined;
  if (firstZeros >= high && secondZeros <= low) return isPlausible(sample, 1) ? "utf-16be" : undefined;
  return undefined;
}

/** @param lowByte 0 when the low byte of each unit comes first, else 1 */
function isPlausible(sample: Uint8Array, lowByte: 0 | 1): boolean {
  const units = sample.length >> 1;
  let odd = 0;
  for (let at = 0; at < units * 2; at += 2) {
    const unit = (sample[at + lowByte] as number) | ((sample[at + 1 - lowByte] as number) << 8);
    if ((unit < 32 && !TEXT_CONTROLS.has(unit)) || (unit >= 0x7f && unit < 0xa0) || unit >= 0xfffe) odd++;
  }
  return odd <= units / 50;
}
