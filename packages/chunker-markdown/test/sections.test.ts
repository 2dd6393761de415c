import { describe, expect, test } from "vitest";
import { chunk } from "./chunk.js";

const parts = (text: string, path?: string) =>
  chunk(text, {}, path).chunks.map((draft) => [draft.headingPath.join(" > "), draft.text]);

describe("sections", () => {
  test("text above the first heading has no path", () => {
    expect(parts("Intro.\n\n# A\n\na\n\n## B\n\nb\n")).toEqual([
      ["", "Intro."],
      ["A", "# A\n\na"],
      ["A > B", "## B\n\nb"],
    ]);
  });

  test("one line of text is enough to stand alone", () => {
    expect(parts("# A\na\n## B\nb\n")).toEqual([
      ["A", "# A\na"],
      ["A > B", "## B\nb"],
    ]);
  });

  test("a bare heading joins the section under it", () => {
    expect(parts("# A\n\n## B\n\n### C\n\nc\n\n## D\n\nd\n")).toEqual([
      ["A > B > C", "# A\n\n## B\n\n### C\n\nc"],
      ["A > D", "## D\n\nd"],
    ]);
  });

  test("a bare heading with nothing under it stands alone", () => {
    expect(parts("## A\n\n## B\n\nb\n\n## C\n")).toEqual([
      ["A", "## A"],
      ["B", "## B\n\nb"],
      ["C", "## C"],
    ]);
  });

  test("rules, tags, comments, badges and imports make no body", () => {
    expect(parts("# A\n\n---\n\n<!-- c -->\n\n[![b](c)](d)\n\n<div>\n\n## B\n\nb\n")).toHaveLength(1);
    expect(parts("import A from 'a'\n\n{/* c */}\n\n# A\n\n<Tabs>\n\n## B\n\nb\n", "page.mdx")).toHaveLength(1);
    expect(parts("# A\n\n<b>text</b>\n\n## B\n\nb\n")).toHaveLength(2);
    expect(parts("# A\n\n![picture](a.png) of a pier\n\n## B\n\nb\n")).toHaveLength(2);
  });

  test("anchor and start of a merged section", () => {
    const { chunks } = chunk("# A\n\n## B\n\nb\n");
    expect(chunks).toEqual([
      {
        text: "# A\n\n## B\n\nb",
        span: { startOffset: 0, endOffset: 12, startLine: 1, endLine: 5 },
        headingPath: ["A", "B"],
        anchor: "b",
        metadata: {},
      },
    ]);
  });

  test("only further pieces are marked", () => {
    const { chunks } = chunk("# A\n\nOne two. Three four.\n\n# B\n\nb\n", { maxSize: 20 });
    expect(chunks.map(({ text, startsSection }) => [text, startsSection])).toEqual([
      ["# A\n\nOne two.", undefined],
      ["Three four.", false],
      ["# B\n\nb", undefined],
    ]);
  });

  test("the piece with the section's own heading starts it, behind a piece of the headings above", () => {
    const { chunks } = chunk("# A heading of some length\n\n## Another such heading\n\nOne two three four.\n", {
      maxSize: 90,
    });
    expect(chunks.map(({ text, startsSection }) => [text, startsSection])).toEqual([
      ["# A heading of some length", undefined],
      ["## Another such heading\n\nOne two three four.", undefined],
    ]);
  });

  test("blank texts have no chunks", () => {
    for (const text of ["", "\n\n", " \t\r\n", "\ufeff", "\u00a0\n"]) expect(chunk(text).chunks).toEqual([]);
  });
});

describe("encoding", () => {
  test("a byte-order mark is in no chunk", () => {
    expect(chunk("\ufeff# A\n\na\n").chunks[0]!.span).toEqual({
      startOffset: 1,
      endOffset: 7,
      startLine: 1,
      endLine: 3,
    });
  });

  test("CRLF and lone CR", () => {
    for (const end of ["\r\n", "\r"]) {
      const text = ["# A", "", "a", "", "```js", "x", "```", "", "## B ##", "", "b"].join(end);
      const { chunks, outline } = chunk(text);
      expect(outline.map(({ heading, line }) => [heading, line])).toEqual([
        ["A", 1],
        ["B", 9],
      ]);
      expect(chunks.map(({ span }) => [span.startLine, span.endLine])).toEqual([
        [1, 7],
        [9, 11],
      ]);
      const [zone] = chunks[0]!.zones!;
      expect(text.slice(zone!.startOffset, zone!.endOffset)).toBe(`x${end}`);
    }
  });
});
