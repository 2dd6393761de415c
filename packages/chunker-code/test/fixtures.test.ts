import { describe, expect, test } from "vitest";
import { LANGUAGES, PARSED } from "../src/languages.js";
import { checked } from "./check.js";
import { chunk, symbolsOf } from "./chunk.js";
import { readFixtures } from "./fixtures.js";

const fixtures = readFixtures();

test("every parsed language has a fixture", () => {
  expect(fixtures.map(({ language }) => language).sort()).toEqual(PARSED.map(({ name }) => name).sort());
  expect(PARSED.length).toBeGreaterThanOrEqual(25);
});

test("no two languages have an ending, a file name, a media type or an interpreter in common", () => {
  for (const key of ["extensions", "fileNames", "mediaTypes", "interpreters"] as const) {
    const all = LANGUAGES.flatMap((language) => language[key] ?? []);
    expect(all.filter((value, index) => all.indexOf(value) !== index)).toEqual([]);
  }
});

describe.each(fixtures)("$language", ({ file, text, table }) => {
  test("the definitions are those of the table; what is in the outline alone has no signature there", () => {
    const { outline, diagnostics } = chunk(text, file);
    expect(diagnostics).toEqual([]);
    const found = outline
      .filter(({ kind }) => kind !== undefined)
      .map(({ heading, kind, anchor, line, endLine }) => [heading, kind, anchor, line, endLine]);
    expect(found.map(([name, kind, , line, end]) => [name, kind, line, end])).toEqual(
      table.map(([name, kind, , line, end]) => [name, kind, line, end]),
    );
  });

  for (const maxSize of [200, 1500, 100_000]) {
    test(`symbols are those of the table at ${maxSize} characters, whatever the cuts`, () => {
      const result = chunk(text, file, { maxSize });
      const symbols = symbolsOf(result).map(
        ({ name, kind, qualifiedName, line, endLine, signature = "", documentation }) => [
          ...[name, kind, qualifiedName, line, endLine, signature],
          ...(documentation === undefined ? [] : [documentation]),
        ],
      );
      expect(symbols).toEqual(table.filter(({ length }) => length > 5));
    });

    test(`offsets and lines are right, and all text is covered once, at ${maxSize} characters`, () => {
      checked(text, file, { maxSize });
    });

    test(`line ends of two characters change nothing but offsets, at ${maxSize} characters`, () => {
      const crlf = text.replaceAll("\n", "\r\n");
      checked(crlf, file, { maxSize: maxSize * 2 });
      const names = (of: string): string[] =>
        chunk(of, file).outline.map(({ anchor, line, endLine }) => `${anchor} ${line} ${endLine}`);
      expect(names(crlf)).toEqual(names(text));
    });
  }
});
