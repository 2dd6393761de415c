import { describe, expect, test } from "vitest";
import { chunk } from "./chunk.js";

const links = (text: string) =>
  chunk(text)
    .chunks.flatMap((draft) => draft.links ?? [])
    .map(({ target, text: own }) => [target, own]);

describe("links", () => {
  test("of every form", () => {
    for (const [text, ...expected] of [
      ["[a *b* `c`](/d)", ["/d", "a b c"]],
      ["[a](</b c> \"title\") [d](e_(f) 't') [g](h\\))", ["/b c", "a"], ["e_(f)", "d"], ["h)", "g"]],
      ["[a]()"],
      ["[a][B  c] [b c][] [B c] [other]\n\n[b c]: /x", ["/x", "a"], ["/x", "b c"], ["/x", "B c"]],
      ["[[Page]] [[Other page#Part|shown]]", ["Page", "Page"], ["Other page#Part", "shown"]],
      ["<https://a.b/c> <me@a.b> <notalink>", ["https://a.b/c", "https://a.b/c"], ["me@a.b", "me@a.b"]],
      [
        "see https://a.b/c_(d), www.e.f. (http://g.h)",
        ["https://a.b/c_(d)", "https://a.b/c_(d)"],
        ["www.e.f", "www.e.f"],
        ["http://g.h", "http://g.h"],
      ],
      ['<a class="x" href="/y">the <b>text</b></a>', ["/y", "the text"]],
      ["[https://a.b](https://c.d)", ["https://c.d", "https://a.b"]],
      ["[![alt](i.png) more](/to)", ["/to", "alt more"]],
      ["| [a](/b) |\n| - |\n| [c](/d) |", ["/b", "a"], ["/d", "c"]],
      ["# [a](/b)", ["/b", "a"]],
      ["| [[a\\|b]] |\n| - |\n| [[c#d\\|e]] |", ["a", "b"], ["c#d", "e"]],
      ["[[1.0]](/a) [[1.1]][r] [[r]]\n\n[r]: /b", ["/a", "[1.0]"], ["/b", "[1.1]"], ["/b", "r"]],
      ["[a [b](/c) d](/e) [f](/g)", ["/c", "b"], ["/g", "f"]],
      ["[[[a](/b)](/c)](/d) [[e](/f)", ["/b", "a"], ["/f", "e"]],
    ] as const) {
      expect(links(`${text}\n`), text).toEqual(expected);
    }
  });

  test("none in code, images, escapes, comments, definitions and badges", () => {
    for (const text of [
      "`[a](/b)` ``[c](/d) ` ``",
      "```\n[a](/b) https://c.d\n```",
      "    [a](/b)",
      "![a](/b) ![c][d]",
      "![a [b](/c)](/d)",
      "[[toc]] [[_TOC_]]",
      "\\[a](/b)",
      "<!-- [a](/b) -->",
      "[a]: /b",
      "$$\n[a](/b)\n$$",
      "[![build](https://a.b/c.svg)](https://d.e)",
      '<img src="https://a.b/c.svg">',
      "xhttp://a.b",
    ]) {
      expect(links(`${text}\n`), text).toEqual([]);
    }
  });

  test("belong to the chunk and the line that they stand in", () => {
    const { chunks } = chunk("# A\n\ntext\n[x](/x)\n\n# B\n\n- [y](/y)\n");
    expect(chunks.map((draft) => draft.links)).toEqual([
      [{ target: "/x", text: "x", line: 4 }],
      [{ target: "/y", text: "y", line: 8 }],
    ]);
  });

  test("an unclosed backtick hides no link", () => {
    expect(links("a ` b [c](/d)\n")).toEqual([["/d", "c"]]);
  });
});
