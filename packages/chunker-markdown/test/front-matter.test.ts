import { describe, expect, test } from "vitest";
import { readFrontMatter } from "../src/front-matter.js";
import { chunk } from "./chunk.js";

const yaml = (body: string) => readFrontMatter(`---\n${body}\n---\n`);
const toml = (body: string) => readFrontMatter(`+++\n${body}\n+++\n`);

describe("what counts as front matter", () => {
  test("marks, line breaks, a byte-order mark, the other closing mark", () => {
    for (const text of [
      "---\na: 1\n---",
      "\ufeff---  \r\na: 1\r\n---\t\r\nText",
      "---\na: 1\n...\nText",
      "---\ra: 1\r---\rText",
    ]) {
      expect(readFrontMatter(text), JSON.stringify(text)).toEqual({ endLine: 3, metadata: { a: 1 } });
    }
  });

  test("the first closing mark counts", () => {
    expect(readFrontMatter("---\na: 1\n...\nLetterhead\n\n---\n").endLine).toBe(3);
  });

  test("rules and text", () => {
    for (const text of [
      "---\n\na: 1\n---\n",
      "---\n---\n",
      "---\na: 1\n",
      "text\n---\na: 1\n---\n",
      "---\nPier 4, Harbour Road\n---\n",
      "---\n# only a comment\n---\n",
      "----\na: 1\n---\n",
      " ---\na: 1\n---\n",
      "---\na: 1\n----\n",
      "---\nSome text: with a colon: twice\nand a second line\n---\n",
      "---\nDate: Monday\nFrom: the office\n\n# Notice\n\nThe pier is closed.\n\n---\n",
      `---\na: ${"x".repeat(70_000)}\n---\n`,
      "",
    ]) {
      expect(readFrontMatter(text), text.slice(0, 60)).toEqual({ endLine: 0 });
    }
  });

  test("a page between two rules keeps its headings", () => {
    const { outline, metadata, diagnostics } = chunk("---\nOur letterhead\n\n# Notice\n\n---\n\nText\n");
    expect(outline.map(({ heading }) => heading)).toEqual(["Notice"]);
    expect([metadata, diagnostics]).toEqual([undefined, []]);
  });

  test("a malformed block is text, and reported once", () => {
    const result = chunk("---\ntitle: a: b\n---\n# Page\n\nText\n");
    expect(result.diagnostics).toEqual([
      {
        message:
          'Invalid frontmatter: line 2 is not valid YAML (a value with ": " in it needs quotes). The block is kept as text; mend it to have its values as metadata.',
        span: { startOffset: 0, endOffset: 19, startLine: 1, endLine: 3 },
      },
    ]);
    expect(result.metadata).toBeUndefined();
    expect(result.outline.map(({ heading, line }) => [heading, line])).toEqual([["Page", 4]]);
    expect(result.chunks.map(({ text }) => text)).toEqual(["---\ntitle: a: b\n---", "# Page\n\nText"]);
  });

  test("most lines are entries: the block is reported, and none of its lines is a heading", () => {
    const { outline, diagnostics, chunks } = chunk("---\ntitle: T\nowner: Ada\nNight shift\n---\n# Page\n");
    expect(outline.map(({ heading }) => heading)).toEqual(["Page"]);
    expect(diagnostics.map(({ message }) => message.slice(0, 42))).toEqual([
      "Invalid frontmatter: line 4 is not valid Y",
    ]);
    expect(chunks[0]!.text).toBe("---\ntitle: T\nowner: Ada\nNight shift\n---");
  });

  test("the block is in no chunk", () => {
    const { chunks } = chunk("---\ntitle: A\n---\n\nText\n");
    expect(chunks.map(({ text, span }) => [text, span.startLine])).toEqual([["Text", 5]]);
  });

  test("a page of front matter alone has no chunks", () => {
    expect(chunk("---\ntitle: A\n---\n")).toEqual({
      chunks: [],
      outline: [],
      title: "A",
      metadata: { title: "A" },
      diagnostics: [],
    });
  });
});

describe("YAML", () => {
  test("scalars", () => {
    const body = [
      "plain: a b # comment",
      "hash: a#b",
      'double: "a: \\"b\\" \\u00e9\\n"',
      "single: 'it''s'",
      "'quoted key': 1",
      "integer: -12",
      "float: 1.5e3",
      "hex: 0xff",
      "version: 1.2.3",
      "yes: true",
      "no: False",
      "nothing: null",
      "empty:",
      "date: 2026-11-30",
      "time: 10:30",
      "url: http://a.b:80/c",
      "dash-and.dot: x",
    ].join("\n");
    expect(yaml(body).metadata).toEqual({
      plain: "a b",
      hash: "a#b",
      double: 'a: "b" é\n',
      single: "it's",
      "quoted key": 1,
      integer: -12,
      float: 1500,
      hex: 255,
      version: "1.2.3",
      yes: true,
      no: false,
      date: "2026-11-30",
      time: "10:30",
      url: "http://a.b:80/c",
      "dash-and.dot": "x",
    });
  });

  test("lists of scalars are joined", () => {
    const body = 'a: [x, "y, z", 3]\nb:\n  - p\n  # comment\n  - "q"\nc:\n- r\n- s\nd: [\n  t,\n  u\n]\ne: []';
    expect(yaml(body).metadata).toEqual({ a: "x, y, z, 3", b: "p, q", c: "r, s", d: "t, u", e: "" });
  });

  test("scalars over several lines", () => {
    const body =
      'a: |\n  one\n  two\n\n  # three\nb: >-\n  one\n  two\n\n  three\nc: one\n  two\nd: "one\n  two"\ne:\n  below';
    expect(yaml(body).metadata).toEqual({
      a: "one\ntwo\n\n# three",
      b: "one two\nthree",
      c: "one two",
      d: "one two",
      e: "below",
    });
  });

  test("a mapping below a key is made flat, and what else is nested is left out", () => {
    const body =
      "a:\n  b: 1\n  c:\n    - d\ne: {f: 1}\ng:\n  - h: 1\n  - i\nj: [[k]]\nl: &m n\no: *m\np: !!str q\nr: 1";
    expect(yaml(body).metadata).toEqual({ "a.b": 1, "a.c": "d", r: 1 });
  });

  test("faults by line", () => {
    for (const [body, line] of [
      ["a: 1\nb: c: d", 3],
      ["a: @b", 2],
      ["a: 1\n\tb: 2", 2],
      ['a: "b', 2],
      ["a: 1\nb: [c", 3],
      ["a: 1\nb: - c", 3],
      ["a: 1\n- b", 3],
      ["a: {b: c", 2],
      ["a: {b: [c}, d: '}'", 2],
      ["a: *emphasis* in a title", 2],
      ["a: 1\nb: *unknown", 3],
    ] as const) {
      expect(yaml(body).diagnostic?.message, body).toMatch(new RegExp(`line ${line} is not valid YAML`));
    }
  });

  test.each([
    [
      "a: # more\n\n  # note\n  b:\n    c: [x, y]\n    d: |\n      two\n      lines\n  e: f\ng: h",
      {
        "a.b.c": "x, y",
        "a.b.d": "two\nlines",
        "a.e": "f",
        g: "h",
      },
    ],
    ["a:\n  b: 1\n   c: 2\nd: 3", { d: 3 }],
    ["a:\n    b: 1\n  c: 2\nd: 3", { d: 3 }],
    ["a:\n  b: 1\n  - c\nd: 3", { d: 3 }],
    ["a:\n  b: @c\nd: 3", { d: 3 }],
    [`${Array.from({ length: 12 }, (_, i) => `${" ".repeat(i)}k:`).join("\n")} deep\nd: 3`, { d: 3 }],
  ])("nested: %j", (body, metadata) => {
    expect(yaml(body).metadata).toEqual(metadata);
  });

  test("aliases and mappings in braces that end are left out", () => {
    expect(yaml('a: &x 1\nb: *x\nc: {d: "}", e: it\'s}\nf: {\n  g: [1]\n}\nh: 2').metadata).toEqual({ h: 2 });
  });

  test("names of object properties are ordinary keys", () => {
    expect(Object.entries(yaml("__proto__: a\nconstructor: b").metadata!)).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
    ]);
  });
});

describe("TOML", () => {
  test("values", () => {
    const body = [
      'basic = "a \\"b\\" \\u00e9" # comment',
      "literal = 'c:\\d'",
      'long = """',
      "one",
      'two"""',
      '"quoted key" = 1_000',
      "float = -1.5e3",
      "binary = 0b101",
      "yes = true",
      "date = 2026-11-30T10:00:00Z",
      'list = [ "a", # comment',
      "  2, true,",
      "]",
      "nested = [[1], [2]]",
      'table = { a = 1, b = "}" }',
      "dotted.key = 1",
      "[params]",
      'owner = "x"',
      "[[more]]",
      "y = 1",
    ].join("\n");
    expect(toml(body).metadata).toEqual({
      basic: 'a "b" é',
      literal: "c:\\d",
      long: "one\ntwo",
      "quoted key": 1000,
      float: -1500,
      binary: 5,
      yes: true,
      date: "2026-11-30T10:00:00Z",
      list: "a, 2, true",
      "dotted.key": 1,
      "params.owner": "x",
    });
  });

  test("faults by line", () => {
    for (const [body, line] of [
      ["a = 1\nb = text", 3],
      ['a = "b', 2],
      ["a = [1", 2],
      ['a = "b" c', 2],
      ["a = 1\nb =", 3],
    ] as const) {
      expect(toml(body).diagnostic?.message, body).toMatch(new RegExp(`line ${line} is not valid TOML`));
    }
  });
});
