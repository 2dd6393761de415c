import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import * as treeSitter from "web-tree-sitter";
import { createChunker } from "../src/create-chunker.js";
import { expectPromises } from "./check.js";
import { CHARACTERS, document, symbolsOf } from "./chunk.js";

const LARGE = Array.from({ length: 3000 }, (_, n) => `export function f${n}() {\n  return ${n};\n}\n`).join("\n");

await treeSitter.Parser.init();

test("a parser that does not end in time is stopped, the file is cut by lines, and the next file is not affected", () => {
  let isOver = false;
  const chunker = createChunker("test", treeSitter, () => () => isOver);
  const small = document("export function small() {}\n", "small.ts");
  isOver = true;
  const late = chunker.chunk(document(LARGE, "large.ts"), CHARACTERS);
  expect(late.diagnostics).toEqual([{ message: "parsing typescript took too long: cut by lines" }]);
  expect(late.outline).toEqual([]);
  expectPromises(LARGE, "large.ts", late);
  isOver = false;
  expect(symbolsOf(chunker.chunk(small, CHARACTERS)).map(({ name }) => name)).toEqual(["small"]);
  expect(symbolsOf(chunker.chunk(document(LARGE, "large.ts"), CHARACTERS))).toHaveLength(3000);
});

test("a grammar that does not load costs the file its structure, not the run", () => {
  const broken = {
    ...treeSitter,
    Language: Object.assign(Object.create(treeSitter.Language) as typeof treeSitter.Language, {
      loadSync: () => {
        throw new Error("made for another version");
      },
    }),
  };
  const { chunks, diagnostics } = createChunker("test", broken).chunk(document("a = 1\n", "a.py"), CHARACTERS);
  expect(chunks.map(({ text, language }) => [text, language])).toEqual([["a = 1", "python"]]);
  expect(diagnostics).toEqual([{ message: "python could not be parsed (made for another version): cut by lines" }]);
});

test("memory stays flat over 2,000 files", () => {
  const program = new URL("memory.mjs", import.meta.url).pathname;
  const output = execFileSync(process.execPath, ["--expose-gc", program], { encoding: "utf8" });
  const { files, grownMegabytes } = JSON.parse(output) as { files: number; grownMegabytes: number };
  expect(files).toBe(2000);
  // Trees that are not deleted take some 200 MB.
  expect(grownMegabytes).toBeLessThan(60);
}, 300_000);
