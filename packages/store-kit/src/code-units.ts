// SQLite, and Postgres in collation "C", compare text as UTF-8 bytes, where characters beyond U+FFFF come last. In code
// unit order they come before U+E000. What is ordered is therefore stored as bytes in which each code unit is encoded by
// itself (CESU-8): their order is code unit order, and lone surrogates stay what they are. Without surrogates this is
// plain UTF-8.

const SURROGATE = /[\ud800-\udfff]/;

/** Bytes that compare as the code units of `text` do. */
export function codeUnitKey(text: string): Uint8Array {
  if (!SURROGATE.test(text)) return Buffer.from(text, "utf8");
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes.push(unit);
    else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 63));
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63));
  }
  return Uint8Array.from(bytes);
}

/** The text that `codeUnitKey` was given. */
export function textOfKey(key: Uint8Array): string {
  let text = "";
  for (let i = 0; i < key.length; ) {
    const lead = key[i]!;
    if (lead < 0x80) {
      text += String.fromCharCode(lead);
      i += 1;
    } else if (lead < 0xe0) {
      text += String.fromCharCode(((lead & 31) << 6) | (key[i + 1]! & 63));
      i += 2;
    } else {
      text += String.fromCharCode(((lead & 15) << 12) | ((key[i + 1]! & 63) << 6) | (key[i + 2]! & 63));
      i += 3;
    }
  }
  return text;
}

/** The least key above every key that begins with `prefix`: no key holds the byte 255. */
export function endOfPrefix(prefix: Uint8Array): Uint8Array {
  return Uint8Array.from([...prefix, 255]);
}

export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
