import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { decode } from "@docsearch/source-fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const utf16le = (text: string): Buffer => Buffer.from(text, "utf16le");
const utf16be = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();
const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

function utf32(text: string, littleEndian: boolean): Buffer {
  const codes = [...text].map((char) => char.codePointAt(0) as number);
  const buffer = Buffer.alloc(codes.length * 4);
  codes.forEach((code, index) => {
    if (littleEndian) buffer.writeUInt32LE(code, index * 4);
    else buffer.writeUInt32BE(code, index * 4);
  });
  return buffer;
}

describe("a byte-order mark", () => {
  test.each([
    ["utf-8", Buffer.from("\ufeffTür 😀\r\n")],
    ["utf-16le", utf16le("\ufeffTür 😀\r\n")],
    ["utf-16be", utf16be("\ufeffTür 😀\r\n")],
    ["utf-32le", utf32("\ufeffTür 😀\r\n", true)],
    ["utf-32be", utf32("\ufeffTür 😀\r\n", false)],
  ])("names %s and is taken off", (encoding, encoded) => {
    expect(decode(encoded)).toEqual({ text: "Tür 😀\r\n", encoding, replaced: 0 });
  });

  test("is taken off once", () => {
    expect(decode(Buffer.from("\ufeff\ufeffa"))).toEqual({ text: "\ufeffa", encoding: "utf-8", replaced: 0 });
  });

  test("alone is an empty text", () => {
    expect(decode(bytes(0xef, 0xbb, 0xbf))).toEqual({ text: "", encoding: "utf-8", replaced: 0 });
    expect(decode(bytes(0xff, 0xfe))).toEqual({ text: "", encoding: "utf-16le", replaced: 0 });
  });

  test("of UTF-32 before what is none is that of UTF-16", () => {
    expect(decode(utf16le("\ufeff\0ab"))).toEqual({ text: "\ufffdab", encoding: "utf-16le", replaced: 1 });
  });

  test("before noise does not make it text", () => {
    expect(decode(Buffer.concat([bytes(0xff, 0xfe), noise(4096)]))).toEqual({ binary: true });
    expect(decode(Buffer.concat([bytes(0, 0, 0xfe, 0xff), noise(4096)]))).toEqual({ binary: true });
  });
});

describe("UTF-8", () => {
  test("keeps every kind of line end", () => {
    expect(decode(Buffer.from("a\rb\r\nc\nd\u2028"))).toEqual({
      text: "a\rb\r\nc\nd\u2028",
      encoding: "utf-8",
      replaced: 0,
    });
  });

  test("is what nothing is", () => {
    expect(decode(bytes())).toEqual({ text: "", encoding: "utf-8", replaced: 0 });
  });

  test("with a NUL is text, the NUL replaced", () => {
    expect(decode(Buffer.from(`${"log line\n".repeat(10)}\0end`))).toEqual({
      text: `${"log line\n".repeat(10)}\ufffdend`,
      encoding: "utf-8",
      replaced: 1,
    });
  });

  test("with a faulty sequence stays UTF-8 when more are sound", () => {
    const faulty = Buffer.concat([Buffer.from("naïve café — "), bytes(0xe2, 0x80), Buffer.from(" end")]);
    expect(decode(faulty)).toEqual({ text: "naïve café — \ufffd end", encoding: "utf-8", replaced: 1 });
  });

  test("does not count a replacement character that was there before", () => {
    expect(decode(Buffer.from("a \ufffd b"))).toEqual({ text: "a \ufffd b", encoding: "utf-8", replaced: 0 });
  });

  test("takes encoded surrogates for faults", () => {
    const surrogate = Buffer.concat([Buffer.from("äöü äöü "), bytes(0xed, 0xa0, 0x80)]);
    expect(decode(surrogate)).toEqual({ text: "äöü äöü \ufffd\ufffd\ufffd", encoding: "utf-8", replaced: 3 });
  });
});

describe("UTF-16 without a mark", () => {
  test.each([
    ["utf-16le", utf16le("Service notes\r\nCheck the café pump: naïve\r\n")],
    ["utf-16be", utf16be("Service notes\r\nCheck the café pump: naïve\r\n")],
  ])("is found: %s", (encoding, encoded) => {
    expect(decode(encoded)).toEqual({
      text: "Service notes\r\nCheck the café pump: naïve\r\n",
      encoding,
      replaced: 0,
    });
  });

  test("may have a lone surrogate and an odd byte at the end", () => {
    const encoded = Buffer.concat([utf16le(`${"ordinary words ".repeat(10)}\ud800!`), bytes(0x41)]);
    expect(decode(encoded)).toEqual({
      text: `${"ordinary words ".repeat(10)}\ufffd!\ufffd`,
      encoding: "utf-16le",
      replaced: 2,
    });
  });

  test("is not found in numbers of two bytes", () => {
    const numbers = Buffer.alloc(400);
    for (let at = 0; at < 400; at += 2) numbers.writeUInt16LE((at * 7) % 256, at);
    expect(decode(numbers)).toEqual({ binary: true });
  });
});

describe("other encodings", () => {
  test("are read as windows-1252", () => {
    expect(decode(Buffer.concat([bytes(0x93), latin1("café"), bytes(0x94, 0x20, 0x80)]))).toEqual({
      text: "“café” €",
      encoding: "windows-1252",
      replaced: 0,
    });
  });

  test("are read as the fallback that is asked for", () => {
    const shiftJis = bytes(0x82, 0xb1, 0x82, 0xf1, 0x82, 0xc9, 0x82, 0xbf, 0x82, 0xcd);
    expect(decode(shiftJis, { fallbackEncoding: "shift_jis" })).toEqual({
      text: "こんにちは",
      encoding: "shift_jis",
      replaced: 0,
    });
    expect(() => decode(shiftJis, { fallbackEncoding: "nonsense" })).toThrow(RangeError);
  });

  test("decode all bytes of windows-1252 as the standard has them", () => {
    const high = Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index);
    const decoded = decode(Buffer.concat([latin1("é ".repeat(400)), high]));
    expect("text" in decoded && decoded.text.slice(-32)).toBe(
      "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ",
    );
  });
});

/** The same bytes in each run, without any order. */
function noise(length: number): Buffer {
  const blocks: Buffer[] = [];
  for (let index = 0; index * 32 < length; index++) blocks.push(createHash("sha256").update(String(index)).digest());
  return Buffer.concat(blocks).subarray(0, length);
}

describe("binary", () => {
  test.each([
    ["a PNG", Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB", "base64")],
    ["a PDF that is text but for its mark", latin1("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj <</Type /Catalog>> endobj\n")],
    ["gzip", gzipSync("text ".repeat(100))],
    ["a zip archive", latin1(`PK\x03\x04\x14\x00\x00\x00${"stored text ".repeat(50)}`)],
    ["a tar archive of a text", Buffer.concat([tarHeader("notes.md"), Buffer.from("words and words\n".repeat(5000))])],
    ["noise", noise(2000)],
    ["noise without NUL", noise(4000).filter((byte) => byte !== 0)],
    ["NULs", Buffer.alloc(1000)],
    ["a record file", Buffer.from("name\0\0\0\0\x01\x02\x03value\0\0\0\0\x01\x02".repeat(20))],
  ])("%s", (_, encoded) => {
    expect(decode(encoded)).toEqual({ binary: true });
  });

  test.each([
    ["ID3 tags hold the title of a song.\n"],
    ["RIFF is a container format.\n"],
    ["PK is short for primary key.\n"],
    ["BZh is how bzip2 files begin.\n"],
    ["%PDF begins a PDF.\n"],
    ["\x1b[31mred\x1b[0m\n"],
    ["a\fb\vc\bd\n"],
  ])("not %j", (text) => {
    expect(decode(Buffer.from(text))).toEqual({ text, encoding: "utf-8", replaced: 0 });
  });
});

function tarHeader(name: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write("ustar", 257);
  return header;
}

const markedBytes = fc
  .tuple(
    fc.constantFrom([0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf], [0xff, 0xfe, 0, 0], [0, 0, 0xfe, 0xff]),
    fc.uint8Array({ maxLength: 100 }),
  )
  .map(([mark, rest]) => Uint8Array.from([...mark, ...rest]));

describe("any bytes", () => {
  test("give well-formed text without NUL, or are binary", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), markedBytes), (input) => {
        const before = Uint8Array.from(input);
        const decoded = decode(input);
        expect(input).toEqual(before);
        if ("binary" in decoded) return;
        expect(decoded.text.isWellFormed()).toBe(true);
        expect(decoded.text).not.toContain("\0");
        expect(decoded.replaced).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });

  test("that are text come back from every Unicode encoding", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 200 }).filter((value) => !/[\0\ufeff]/.test(value));
    fc.assert(
      fc.property(text, (value) => {
        for (const encoded of [
          Buffer.from(value),
          Buffer.from(`\ufeff${value}`),
          utf16le(`\ufeff${value}`),
          utf16be(`\ufeff${value}`),
          utf32(`\ufeff${value}`, true),
          utf32(`\ufeff${value}`, false),
        ]) {
          expect(decode(encoded)).toMatchObject({ text: value, replaced: 0 });
        }
      }),
      { numRuns: 500 },
    );
  });
});
