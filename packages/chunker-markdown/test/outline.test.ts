import { Slugger } from "@docsearch/text-split";
import { describe, expect, test } from "vitest";
import { chunk } from "./chunk.js";

const headings = (text: string) => chunk(text).outline.map(({ heading }) => heading);

describe("names of headings", () => {
  test("markup, entities, images and white space", () => {
    for (const [source, name] of [
      ["# A `b *c*` **d** _e_ ~~f~~", "A b *c* d e f"],
      ["# `a` and `b`", "a and b"],
      ["# ``a ` b``", "a ` b"],
      ["# snake_case __x__", "snake_case x"],
      ["# [text](/to) [ref][x] <https://a.b>", "text [ref][x] https://a.b"],
      ["# A&nbsp;&amp; \\*b\\*", "A & *b*"],
      ["# a <b>b</b>  c ##", "a b c"],
      ["# One<br>two<BR />three, `<br>`", "One two three, <br>"],
      ["# ![logo](x.svg)", "logo"],
      ['# <img src="x" alt="Harbor">', "Harbor"],
      ["# ![logo](x.svg) Name", "Name"],
      ["Two\nlines\n=====", "Two lines"],
      ["# 24/7", "24/7"],
      ["# A\tb\u2003c", "A b c"],
      ["# [[Page]], [[Page#Part|the part]] and `[[code]]`", "Page, the part and [[code]]"],
      ["# [[1.0.0]](https://a.b) today", "[1.0.0] today"],
      ["# Tides[^1], [^a-z] and `[^1]`\n\n[^1]: note", "Tides, [^a-z] and [^1]"],
      ["# Tides {/* hidden */}", "Tides"],
    ] as const) {
      expect(headings(`${source}\n`), source).toEqual([name]);
    }
  });

  test("links to definitions, as changelogs have them", () => {
    const { outline } = chunk("## [1.0.0] - 2026-11-30\n\n## [Other]\n\n[1.0.0]: https://a.b/c\n");
    expect(outline.map(({ heading, anchor }) => [heading, anchor])).toEqual([
      ["1.0.0 - 2026-11-30", "100---2026-11-30"],
      ["[Other]", "other"],
    ]);
  });

  test("of the root only", () => {
    expect(
      headings("> # quote\n\n- # item\n\n    # code\n\n<div>\n# html\n</div>\n\n```\n# fence\n```\n\n# A\n"),
    ).toEqual(["A"]);
  });
});

describe("anchors", () => {
  test("explicit ids", () => {
    const { outline } = chunk("# A {#one}\n# B {: #two .c }\n# C \\{#three}\n# D {#one}\n# E {x}\n# One\n");
    expect(outline.map(({ heading, anchor }) => [heading, anchor])).toEqual([
      ["A", "one"],
      ["B", "two"],
      ["C", "three"],
      ["D", "one-1"],
      ["E {x}", "e-x"],
      ["One", "one-2"],
    ]);
  });

  test("attributes in any order; a brace with anything else is text", () => {
    const text =
      '# A {.lead #one}\n# B {-}\n# C {.x key="a b"}\n# D {: .x #two key=v }\n# E {/* #three */}\n# F {.x y}\n# G {#}\n# `{.x}`\n';
    expect(chunk(text).outline.map(({ heading, anchor }) => [heading, anchor])).toEqual([
      ["A", "one"],
      ["B", "b"],
      ["C", "c"],
      ["D", "two"],
      ["E", "three"],
      ["F {.x y}", "f-x-y"],
      ["G {#}", "g-"],
      ["{.x}", "x"],
    ]);
  });

  test("GitHub's rule", () => {
    const slugger = new Slugger();
    for (const [heading, anchor] of [
      ["Hello, World!", "hello-world"],
      ["C# & F#", "c--f"],
      ["naïve Ünïcode 日本語", "naïve-ünïcode-日本語"],
      ["snake_case-dash", "snake_case-dash"],
      ["foo", "foo"],
      ["foo", "foo-1"],
      ["foo 1", "foo-1-1"],
      ["foo", "foo-2"],
      ["x² and H₂O, part Ⅳ", "x-and-ho-part-ⅳ"],
      ["🚀", ""],
      ["🎉", "-1"],
    ] as const) {
      expect(slugger.slug(heading), heading).toBe(anchor);
    }
  });
});

describe("nesting", () => {
  test("parents, levels and lines", () => {
    expect(chunk("text\n\n### A\n\n# B\n\n#### C\n\n## D\n\nE\n---\n").outline).toEqual([
      { heading: "A", level: 3, anchor: "a", line: 3 },
      { heading: "B", level: 1, anchor: "b", line: 5 },
      { heading: "C", level: 4, anchor: "c", line: 7, parent: 1 },
      { heading: "D", level: 2, anchor: "d", line: 9, parent: 1 },
      { heading: "E", level: 2, anchor: "e", line: 11, parent: 1 },
    ]);
  });

  test("an empty heading ends the section above and has no name", () => {
    const { outline, chunks } = chunk("# A\n\na\n\n## B\n\nb\n\n##\n\nc\n\n### D\n\nd\n");
    expect(outline.map(({ heading, parent }) => [heading, parent])).toEqual([
      ["A", undefined],
      ["B", 0],
      ["D", 0],
    ]);
    expect(chunks.map(({ headingPath, anchor }) => [headingPath, anchor])).toEqual([
      [["A"], "a"],
      [["A", "B"], "b"],
      [["A"], "a"],
      [["A", "D"], "d"],
    ]);
  });
});

describe("the title", () => {
  test("by front matter, first heading of level 1, first heading", () => {
    for (const [text, title] of [
      ["---\ntitle: F\n---\n# H\n", "F"],
      ["---\ntitle: 2026\n---\n", "2026"],
      ['---\ntitle: ""\n---\n# H\n', "H"],
      ["## B\n\n# A\n", "A"],
      ["## B\n\n### C\n", "B"],
      ['<h1 align="center">\n  A &amp; <b>B</b>\n</h1>\n\n## C\n', "A & B"],
      ["# A\n\n<h1>B</h1>\n", "A"],
      ["<h1>open\n\n## C\n", "C"],
      ["text\n", undefined],
    ] as const) {
      expect(chunk(text).title, text).toBe(title);
    }
  });
});
