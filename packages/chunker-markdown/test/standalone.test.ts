import { describe, expect, test } from "vitest";
import { chunk, shown } from "./chunk.js";

const only = (text: string, path?: string) => {
  const { chunks } = chunk(text, {}, path);
  expect(chunks).toHaveLength(1);
  return chunks[0]!;
};

describe("standalone text", () => {
  test("is absent when it is the text", () => {
    expect(only("# A\n\na `<!-- b -->`\n")).not.toHaveProperty("standaloneText");
  });

  test("leaves out comments", () => {
    expect(shown(only("a\n\n<!-- x -->\n\nb <!-- y --> c\n\n<div>\n<!-- z\n-->\nd</div>\n\n<!-- open\n"))).toBe(
      "a\n\nb  c\n\n<div>\n\nd</div>",
    );
  });

  test("keeps what looks like an open comment in running text", () => {
    expect(only("a <!-- b\n\nc\n")).not.toHaveProperty("standaloneText");
  });

  test("leaves out scripts, styles and rows of images", () => {
    const text = '<script>\nx\n\ny\n</script>\n\n[![a](b)](c) ![d][e]\n\n<p>\n  <img src="f">\n</p>\n\ntext ![g](h)\n';
    expect(shown(only(text))).toBe("text ![g](h)");
  });

  test("keeps images with words, tags, and HTML with text", () => {
    const text = "![a](b) words\n\n<p><img src=x> words</p>\n\n<div>\n\ntext\n\n</div>\n";
    expect(only(text)).not.toHaveProperty("standaloneText");
  });

  test("leaves out MDX statements and comments", () => {
    const text = "import A from 'a'\n\n# T\n\n{/* note */}\n\nbody\n\nexport const b = 1\n";
    const draft = only(text, "page.mdx");
    expect(shown(draft)).toBe("# T\n\nbody");
    expect(draft.text).toBe(text.trimEnd());
    expect(draft.zones?.map(({ startOffset, endOffset }) => text.slice(startOffset, endOffset))).toEqual([
      "import A from 'a'\n",
      "export const b = 1",
    ]);
    expect(chunk(text, {}, "page.md").chunks.map((draft) => [draft.text, draft.standaloneText])).toEqual([
      ["import A from 'a'", undefined],
      [text.slice(19).trimEnd(), undefined],
    ]);
  });

  test("leaves out MDX comments among text and tags, in MDX only", () => {
    const text = "a {/* x\ny */} b <!-- z --> c\n\n<Card>{/* d */}e</Card>\n\n`{/* f */}`\n\ng {/* h\n";
    expect(shown(only(text, "page.mdx"))).toBe("a  b  c\n\n<Card>e</Card>\n\n`{/* f */}`\n\ng {/* h");
    expect(only("a {/* x */} b\n")).not.toHaveProperty("standaloneText");
  });

  test("of a piece that is hidden as a whole is the heading, or absent", () => {
    expect(only("<!-- only this -->\n")).not.toHaveProperty("standaloneText");
    const { chunks } = chunk("# A\n\nSome text.\n\n<!-- a note of its own -->\n", { maxSize: 28 });
    expect(chunks.map(({ text, standaloneText }) => [text, standaloneText])).toEqual([
      ["# A\n\nSome text.", undefined],
      ["<!-- a note of its own -->", "A"],
    ]);
    const same = chunk("# ab\n\nSome text.\n\n<!-- ab -->\n", { maxSize: 5 }).chunks.filter(
      ({ text }) => text === "ab",
    );
    expect(same.map((draft) => "standaloneText" in draft)).toEqual([false, false]);
  });
});

describe("MDX faults", () => {
  const faults = (text: string) =>
    chunk(text, {}, "page.mdx").diagnostics.map(({ message, span }) => [message, span?.startLine]);

  test("the first one is reported", () => {
    expect(faults("a\n\nthe limit {per minute, x < 5\n")).toEqual([
      [
        'Invalid MDX: "{" in line 3 opens nothing that ends in its paragraph. The paragraph is read as Markdown; write `\\{` if it is meant as text.',
        3,
      ],
    ]);
  });

  test("valid pages have none", () => {
    const text = "a {b} <C d={e}>f</C> `{` \\{ \\< [g](<h i>) {`}`} <></>\n\n```\n{ <\n```\n\n{'}'}\n";
    expect(faults(text)).toEqual([]);
    expect(chunk("x < 5 {\n").diagnostics).toEqual([]);
  });
});
