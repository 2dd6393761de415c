/** Characters of the bytes 0x80 to 0x9f. The five bytes without one stand for the control of the same code. */
const HIGH_CONTROLS =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** By the WHATWG Encoding Standard. `TextDecoder` of Node 20 reads these 32 bytes as Latin-1 (measured 2026-11-30). */
export function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("latin1")
    .replace(/[\x80-\x9f]/g, (char) => HIGH_CONTROLS[char.charCodeAt(0) - 0x80] as string);
}
