import { describe, expect, test } from "vitest";
import { chunk, shown, summary, symbolsOf } from "./chunk.js";

/** A method of some 150 characters. */
const method = (name: string): string =>
  `  ${name}(port: string): number {\n    const key = port + "-${name}-with-some-words-to-fill-the-line";\n    return this.level * key.length;\n  }\n`;

describe("definitions", () => {
  test("a class that fits stays whole, a larger one is cut at its methods", () => {
    const text = `import a from "a";\n\nexport class Gauge<T> extends Base {\n  private level = 0;\n\n${["one", "two", "three"].map(method).join("\n")}}\n`;
    expect(summary(chunk(text, "a.ts"))).toEqual(["Gauge | 1-20"]);
    expect(summary(chunk(text, "a.ts", { maxSize: 340 }))).toEqual([
      " | 1-1",
      "Gauge | 3-9",
      "Gauge.two | 11-14 | export class Gauge<T> extends Base",
      "Gauge.three | 16-20 | export class Gauge<T> extends Base",
    ]);
  });

  test("the signatures of all that is around a method are its context, the outermost first", () => {
    const text = `namespace Port {\n  export class Gauge {\n${["one", "two"].map(method).join("\n")}  }\n}\n`;
    const { chunks } = chunk(text, "a.ts", { maxSize: 200 });
    const two = chunks.find((each) => each.text.includes("two(port"))!;
    expect(two.context).toBe("namespace Port\nexport class Gauge");
    expect(two.headingPath).toEqual(["Port", "Gauge", "two"]);
    expect(two.anchor).toBe("Port.Gauge.two");
    expect(two.startsSection).toBeUndefined();
  });

  test("comments, decorators and attributes go with what they stand in front of", () => {
    const text = `${method("before").trimEnd()}\n// A remark by itself.\n\n/** Reads. */\n@memo({\n  ttl: 3,\n})\n// Not twice.\nexport class Reader {\n${method("read")}}\n`;
    const { chunks } = chunk(`function ${text.trimStart()}`, "a.ts", { maxSize: 320 });
    const reader = chunks.find((each) => each.text.includes("class Reader"))!;
    expect(reader.text.startsWith("/** Reads. */\n@memo({")).toBe(true);
    expect(reader.symbols![0]).toEqual({
      name: "Reader",
      kind: "class",
      qualifiedName: "Reader",
      line: 12,
      endLine: 17,
      signature: "export class Reader",
      documentation: "Reads. Not twice.",
    });
  });

  test("small neighbours are joined, large ones are not", () => {
    const small = "export const a = 1;\n\nexport function b() {\n  return 2;\n}\n";
    const large = (name: string): string => `\nexport function ${name}() {\n${`  call("${name}");\n`.repeat(20)}}\n`;
    const { chunks } = chunk(small + large("c") + large("d"), "a.ts", { maxSize: 500 });
    expect(chunks.map(({ symbols = [] }) => symbols.map(({ name }) => name))).toEqual([["a", "b", "c"], ["d"]]);
    // Of three definitions the one that fills most of the chunk is its heading.
    expect(chunks[0]!.headingPath).toEqual(["c"]);
  });

  test("a chunk with several definitions of about the same size has none of them as its heading", () => {
    const text = Array.from({ length: 4 }, (_, n) => `const limit${n} = ${n};\n`).join("");
    const { chunks } = chunk(text, "a.ts");
    expect(chunks).toHaveLength(1);
    expect(chunks[0]!.headingPath).toEqual([]);
    expect(chunks[0]!.anchor).toBeUndefined();
  });

  test("the body of a class without its beginning carries on its section", () => {
    const text = `class Registry {\n${"  field = 1;\n".repeat(60)}}\n`;
    const { chunks } = chunk(text, "a.ts", { maxSize: 300 });
    expect(chunks.map(({ headingPath }) => headingPath)).toEqual(chunks.map(() => ["Registry"]));
    expect(chunks.map(({ startsSection }) => startsSection)).toEqual([undefined, ...chunks.slice(1).map(() => false)]);
    expect(chunks.map(({ context }) => context)).toEqual([undefined, ...chunks.slice(1).map(() => "class Registry")]);
  });

  test("equal names have anchors with a counter, and levels end at six", () => {
    const nested = (depth: number): string =>
      depth === 0 ? "pass\n" : `class A:\n${nested(depth - 1).replace(/^/gm, " ")}`;
    const { outline } = chunk(`def f(): pass\ndef f(): pass\n${nested(8)}`, "a.py");
    expect(outline.slice(0, 2).map(({ anchor }) => anchor)).toEqual(["f", "f-1"]);
    expect(outline.slice(2).map(({ level }) => level)).toEqual([1, 2, 3, 4, 5, 6, 6, 6]);
    expect(outline.slice(2).map(({ parent }) => parent)).toEqual([undefined, 2, 3, 4, 5, 6, 6, 6]);
  });
});

describe("large bodies", () => {
  const statement = (n: number): string => `    first${n} = read(${n})\n    second${n} = first${n} + 1\n\n`;

  test("are cut at blank lines between statements", () => {
    const text = `def plan():\n${Array.from({ length: 12 }, (_, n) => statement(n)).join("")}`;
    const { chunks } = chunk(text, "a.py", { maxSize: 150 });
    expect(chunks.length).toBeGreaterThan(3);
    for (const each of chunks.slice(1)) {
      expect(each.text).toMatch(/^ {4}first\d+ = read/);
      expect(each.headingPath).toEqual(["plan"]);
      expect(each.context).toBe("def plan()");
      expect(each.startsSection).toBe(false);
    }
  });

  test("keep their first statements with the signature", () => {
    const body = Array.from({ length: 12 }, (_, n) => `\tstep(${n}, "some words to fill the line")\n`).join("");
    const { chunks } = chunk(`func (c *Client) Run() error {\n${body}}\n`, "a.go", { maxSize: 200 });
    expect(chunks[0]!.text.split("\n").slice(0, 2)).toEqual([
      "func (c *Client) Run() error {",
      '\tstep(0, "some words to fill the line")',
    ]);
    expect(chunks.length).toBe(3);
  });

  test("are not cut inside a string that fits", () => {
    const string = `    text = """\n${"one line\n\n".repeat(12)}"""\n`;
    const text = `def plan():\n${statement(1)}${string}${statement(2)}${string.replace("text", "more")}`;
    const { chunks } = chunk(text, "a.py", { maxSize: 220 });
    for (const { text: piece } of chunks) expect(piece.split('"""').length % 2).toBe(1);
  });

  test("a string that does not fit is cut at its lines", () => {
    const text = `const page = \`\n${"<p>one line of it</p>\n".repeat(40)}\`;\n`;
    const { chunks } = chunk(text, "a.js", { maxSize: 200 });
    for (const each of chunks.slice(1, -1)) expect(each.text).toMatch(/^(?:<p>one line of it<\/p>\n?)+$/);
  });

  test("a comment stays with the statement that it announces", () => {
    const text = `function plan() {\n${Array.from({ length: 9 }, (_, n) => `  // Step ${n} of it all.\n  step(${n}, "with some more words in it");\n`).join("")}}\n`;
    const { chunks } = chunk(text, "a.js", { maxSize: 150 });
    for (const each of chunks) expect(each.text).not.toMatch(/\/\/[^\n]*$/);
  });

  test("further pieces repeat whole lines of the one before when overlap is asked for", () => {
    const text = `def plan():\n${Array.from({ length: 40 }, (_, n) => `    step(${n})\n`).join("")}`;
    const { chunks } = chunk(text, "a.py", { maxSize: 200, overlap: 40 });
    expect(chunks.length).toBeGreaterThan(2);
    for (const [index, { span }] of chunks.slice(1).entries()) {
      const before = chunks[index]!.span;
      expect(text.slice(span.startOffset, before.endOffset)).toMatch(/^ {4}step\(\d+\)\n/);
      expect(before.endOffset - span.startOffset).toBeLessThanOrEqual(40);
    }
  });
});

describe("zones", () => {
  test("comments and docstrings are prose, the rest is code", () => {
    const text = '# Top.\nimport a\n\ndef f():\n    """Says it."""\n    return a  # why\n';
    const { chunks } = chunk(text, "a.py");
    expect(chunks[0]!.zones!.map(({ startOffset, endOffset }) => text.slice(startOffset, endOffset).trim())).toEqual([
      "import a\n\ndef f():",
      "return a",
    ]);
  });

  test("a page is prose, its scripts are code", () => {
    const text = "<h1>Depth</h1>\n<script>\nlet a = 1; // why\n</script>\n";
    const [page] = chunk(text, "a.html").chunks;
    expect(page!.zones!.map(({ startOffset, endOffset }) => text.slice(startOffset, endOffset).trim())).toEqual([
      "let a = 1;",
    ]);
    expect(page!.language).toBeUndefined();
    expect(chunk("<h1>Depth</h1>\n", "a.html").chunks[0]!.zones).toBeUndefined();
  });
});

describe("files that hold another language", () => {
  const VUE = `<template>\n  <p>{{ count }}</p>\n</template>\n\n<script setup lang="ts">\n${Array.from({ length: 3 }, (_, n) => `// Step ${n}.\nfunction step${n}(): void {\n  ${"count.value += 1;\n  ".repeat(8)}}\n`).join("\n")}</script>\n\n<style lang="scss">\np { a { color: teal; } }\n</style>\n`;

  test("each part is cut by itself, in its own language, with the lines of the file", () => {
    const { chunks } = chunk(VUE, "a.vue", { maxSize: 300 });
    expect(chunks.map(({ language, headingPath, span }) => [language, headingPath.join("."), span.startLine])).toEqual([
      [undefined, "", 1],
      ["typescript", "step0", 5],
      ["typescript", "step1", 18],
      ["typescript", "step2", 30],
    ]);
  });

  test("scripts that are data, templates or of no known language are text", () => {
    const page = (type: string, body: string): string => `<p>Before</p>\n<script type="${type}">\n${body}\n</script>\n`;
    expect(chunk(page("text/template", "function f() {}"), "a.html").outline).toEqual([]);
    expect(chunk(page("module", "function f() {}"), "a.html").outline.map(({ heading }) => heading)).toEqual(["f"]);
    expect(chunk(page("application/ld+json", '{ "name": 1 }'), "a.html").outline.map(({ kind }) => kind)).toEqual([
      "key",
    ]);
  });

  test("the title of a page is the title of the document", () => {
    expect(chunk("<html><head><title>\n Depth &amp; tide </title></head></html>\n", "a.html").title).toBe(
      "Depth & tide",
    );
    expect(chunk("<h1>Depth</h1>\n", "a.html").title).toBeUndefined();
  });
});

describe("notebooks", () => {
  const notebook = (cells: object[], language = "python"): string =>
    `${JSON.stringify({ cells, metadata: { kernelspec: { language } }, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
  const code = (source: string[], outputs: object[] = []): object => ({
    cell_type: "code",
    metadata: {},
    outputs,
    source,
  });

  test("code cells are read in the kernel's language", () => {
    const text = notebook([code(["f <- function(x) {\n", "  x\n", "}\n"])], "R");
    const { chunks } = chunk(text, "a.ipynb");
    expect(chunks.map(({ language, standaloneText }) => [language, standaloneText])).toEqual([
      ["r", "f <- function(x) {\n  x\n}"],
    ]);
  });

  test("of an error the message is kept", () => {
    const output = {
      output_type: "error",
      ename: "ValueError",
      evalue: "bad tide",
      traceback: ["\u001b[0;31mValueError"],
    };
    expect(
      chunk(notebook([code(["moor()"], [output])]), "a.ipynb").chunks.map(({ standaloneText }) => standaloneText),
    ).toEqual(["bad tide", "moor()"]);
  });

  test("a cell that is too large with its escapes is cut smaller", () => {
    const text = notebook([code(Array.from({ length: 40 }, (_, n) => `print("${n}\\t\\"quoted\\"")\n`))]);
    const { chunks } = chunk(text, "a.ipynb", { maxSize: 300 });
    expect(chunks.length).toBeGreaterThan(5);
    for (const each of chunks) expect(each.text.length).toBeLessThanOrEqual(300);
    expect(
      chunks
        .map((each) => shown(each))
        .join("\n")
        .match(/print\(/g),
    ).toHaveLength(40);
  });

  test("what is no notebook is cut by lines", () => {
    const { chunks, diagnostics } = chunk('{ "cells": 3 }\n', "a.ipynb");
    expect(chunks.map(({ text }) => text)).toEqual(['{ "cells": 3 }']);
    expect(diagnostics).toEqual([{ message: "not a notebook of nbformat 4: cut by lines" }]);
  });
});

describe("languages without a grammar", () => {
  test("are cut at blocks of the smallest indentation", () => {
    const sub = (name: string): string =>
      `sub ${name} {\n  my ($a) = @_;\n\n  return "${name} and some more words";\n}\n`;
    const text = ["one", "two", "three", "four"].map(sub).join("\n");
    const { chunks, diagnostics } = chunk(text, "a.pl", { maxSize: 160 });
    expect(diagnostics).toEqual([]);
    expect(chunks.map(({ text: piece }) => piece.match(/sub \w+/g))).toEqual([
      ["sub one", "sub two"],
      ["sub three", "sub four"],
    ]);
    expect(chunks.map(({ language }) => language)).toEqual(["perl", "perl"]);
  });
});

test("definitions deeper than 32 levels belong to the one at that level", () => {
  const text = `${Array.from({ length: 500 }, (_, n) => `function f${n}() {\n`).join("")}${"}\n".repeat(500)}`;
  const { outline } = chunk(text, "a.js");
  expect(outline).toHaveLength(32);
  expect(outline[31]!.anchor.split(".")).toHaveLength(32);
});

test("definitions inside broken code are found", () => {
  const text = "def first(:\n    return (\n\nclass Second:\n    def third(self):\n        return 1\n";
  expect(symbolsOf(chunk(text, "a.py")).map(({ qualifiedName }) => qualifiedName)).toContain("Second.third");
});
