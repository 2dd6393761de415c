import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildPieceIndex } from "../src/piece-index.js";
import { PieceTable } from "../src/piece-table.js";
import { Tokenizer } from "../src/tokenizer.js";
import vectors from "./fixtures/vectors.json" with { type: "json" };
import { BUNDLED } from "./model-folder.js";
import { referenceTokens } from "./reference-tokenizer.js";

const vocabulary = readFileSync(join(BUNDLED, "vocab.txt"), "utf8");
const bundledPieces = vocabulary.trimEnd().split("\n");

function tableOf(pieces: readonly string[]): PieceTable {
  const lines = pieces.map((piece) => `${piece}\n`).join("");
  return new PieceTable(lines, buildPieceIndex(lines, pieces.length, "vocab.txt"));
}

const bundled = new Tokenizer(tableOf(bundledPieces));

function tokens(tokenizer: Tokenizer, text: string): number[] {
  const ids: number[] = [];
  tokenizer.encode(text, { add: (id) => ids.push(id) });
  return ids;
}

function pieces(text: string): string[] {
  return tokens(bundled, text).map((id) => bundledPieces[id]!);
}

describe("test vectors of the model", () => {
  it.each(vectors)("$text", ({ text, ids, tokens: expected }) => {
    expect(tokens(bundled, text)).toEqual(ids);
    expect(pieces(text)).toEqual(expected);
  });
});

describe("identifiers", () => {
  it.each([
    ["useEffect", ["use", "effect", "useeffect"]],
    ["HTMLParser", ["html", "parser"]],
    ["x_y__z", ["x", "y", "z", "xyz"]],
    ["_x_", ["x"]],
    ["sha256", ["sha256"]],
    ["ABc", ["a", "bc", "abc"]],
    ["A1Bc", ["a1", "bc"]],
    ["2fa", ["2fa"]],
    ["2fax", ["2", "fax"]],
    ["AZaz09", ["a", "za", "##z", "0", "##9"]],
    ["C++", ["cpp"]],
    ["c#", ["csharp"]],
    ["c#_", ["c"]],
    ["ac#", ["ac"]],
    ["Ｃ＋＋", ["cpp"]],
    ["cafe\u0301", ["cafe"]],
    ["ca\u0903fe", ["ca", "fe"]],
    ["пример 例子", []],
    ["\ud800cat\udc00", ["cat"]],
    ["a\0b", ["a", "b"]],
  ])("%j", (text, expected) => {
    expect(pieces(text)).toEqual(expected);
  });

  it("cuts 64 characters of a word and drops the rest", () => {
    expect(pieces("z".repeat(1000))).toEqual(pieces("z".repeat(64)));
    expect(pieces(`${"z".repeat(64)}cat`)).toEqual(pieces("z".repeat(64)));
    expect(pieces("z".repeat(64))).not.toEqual(pieces("z".repeat(63)));
  });
});

describe("a vocabulary by hand", () => {
  const tokenizer = (...lines: string[]): Tokenizer => new Tokenizer(tableOf(lines));

  it("cuts no piece of more than 24 characters, and finds a longer one as a whole", () => {
    const long = "abcdefghijklmnopqrstuvwxy";
    const both = tokenizer(long, long.slice(0, 24), "##y", "##z");
    expect(tokens(both, long)).toEqual([0]);
    expect(tokens(both, `${long}z`)).toEqual([1, 2, 3]);
  });

  it("tells apart pieces of the same hash", () => {
    // Both have the FNV-1a hash 5e4daa9d.
    const alike = tokenizer("costarring", "liquid");
    expect(tokens(alike, "liquid costarring")).toEqual([1, 0]);
    expect(tokens(tokenizer("costarring"), "liquid")).toEqual([]);
  });
});

describe("a vocabulary beyond ASCII", () => {
  const small = [
    "данные",
    "с",
    "##лово",
    "ς",
    "##ας",
    "𝛑",
    "##中",
    "中",
    "例",
    "a",
    "b",
    "ab",
    "a中",
    "##1",
    "1",
    "##b",
    "𐐨",
    "##𐐨",
  ];
  // Of which "𝛑" is never found: it is "π" when the text is normalised.
  const tokenizer = new Tokenizer(tableOf(small));

  it.each([
    ["Данные СЛОВО", [0, 1, 2]],
    ["例中中", [8, 6, 6]],
    ["A中", [9, 7, 12]],
    ["π𝛑", []],
    // U+10400 in lower case is U+10428.
    ["\u{10400}\u{10400}", [16, 17]],
    // The last sigma of a word has a lower case of its own.
    ["ΣΑΣ", [4]],
  ])("%j", (text, expected) => {
    expect(tokens(tokenizer, text)).toEqual(expected);
    expect(referenceTokens(text, small)).toEqual(expected);
  });

  it("gives the tokens of the specification for any text", () => {
    const character = fc.oneof(
      fc.constantFrom(...Array.from("abABcCfF01_+#-. ")),
      fc.constantFrom("++", "c#", "中", "例", "С", "слово", "ДАННЫЕ", "Σ", "𐐀", "𐐨", "é", "²", "½", "\u0301", "\u0903"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom("a".repeat(70), "中".repeat(70), "𐐀".repeat(70)),
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 30 }), (characters) => {
        const text = characters.join("");
        expect(tokens(tokenizer, text)).toEqual(referenceTokens(text, small));
      }),
      { numRuns: 3000 },
    );
  });
});

describe("hostile texts of a million characters", () => {
  // Each took minutes, or would, in time quadratic in its length. The test's own time limit is the assertion.
  const million = 1_000_000;
  it.each([
    ["one identifier", "a".repeat(million), pieces("a".repeat(64)).length],
    ["one identifier in two cases", "aB".repeat(million / 2), million / 2 + 1],
    ["capitals", "A".repeat(million), pieces("A".repeat(64)).length],
    ["underscores", "_".repeat(million), 0],
    ["underscores inside", `a${"_".repeat(million)}b`, 3],
    ["lone surrogates", "\ud800".repeat(million), 0],
    ["NUL", "\0".repeat(million), 0],
    ["marks in the wrong order", `a${"\u0301\u0316".repeat(million / 2)}`, 1],
    ["spacing marks in the wrong order", `a${"\u302e\u1b44".repeat(million / 2)}`, 1],
    ["ideographs", "中".repeat(million), 0],
  ])("%s", (_, text, expected) => {
    expect(tokens(bundled, text)).toHaveLength(expected);
  });

  it("leave nothing behind", () => {
    tokens(bundled, "a".repeat(million));
    expect(pieces("useEffect")).toEqual(["use", "effect", "useeffect"]);
  });
});
