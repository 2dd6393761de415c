import MarkdownIt from "markdown-it/browser";
import { describe, expect, test } from "vitest";
import { type Dialect, markdownItBlocks } from "../src/parse-blocks.js";

const parseBlocks = markdownItBlocks(MarkdownIt);

/** One line for each block: indentation by depth, kind, level, and 1-based lines. */
function outline(text: string, dialect: Dialect = "markdown", firstLine = 0): string[] {
  const { blocks } = parseBlocks(text, { dialect, firstLine });
  return blocks.map((block) => {
    const lines =
      block.endLine - block.startLine > 1 ? `${block.startLine + 1}-${block.endLine}` : `${block.startLine + 1}`;
    return `${"  ".repeat(block.depth)}${block.kind}${block.level || ""} ${lines}`;
  });
}

describe("CommonMark and GFM", () => {
  test("containers hold their blocks, leaves have their lines", () => {
    const text =
      "# A\n\n> quote\n> - item\n>   ```js\n>   # code\n>   ```\n\n1. one\n\n   two\n2. three\n\n---\n\nA\n=\n";
    expect(outline(text)).toEqual([
      "heading1 1",
      "quote 3-7",
      "  paragraph 3",
      "  list 4-7",
      "    item 4-7",
      "      paragraph 4",
      "      fence 5-7",
      "list 9-13",
      "  item 9-11",
      "    paragraph 9",
      "    paragraph 11",
      "  item 12-13",
      "    paragraph 12",
      "rule 14",
      "heading1 16-17",
    ]);
  });

  test("tables, definitions, HTML and task lists", () => {
    const text = "| a |\n| - |\n| 1 |\n| 2 |\n\n[a]: /b\n\n<div>\n\n- [x] done\n";
    expect(outline(text)).toEqual(["table 1-4", "definition 6", "html 8", "list 10", "  item 10", "    paragraph 10"]);
  });

  test("a table without rows ends behind its delimiter row", () => {
    expect(outline("| a |\n| - |\n\ntext\n")).toEqual(["table 1-2", "paragraph 4"]);
  });

  test("a table in a list", () => {
    expect(outline("- | a |\n  | - |\n  | 1 |\n")).toEqual(["list 1-3", "  item 1-3", "    table 1-3"]);
  });

  test("the opening mark and the info string of a fence", () => {
    const { blocks } = parseBlocks('1. ~~~~ js title="a"\n   x\n   ~~~~\n', { dialect: "markdown", firstLine: 0 });
    expect(blocks.find(({ kind }) => kind === "fence")?.text).toBe('~~~~ js title="a"');
  });

  test("definitions by normalised label", () => {
    const text = "[Foo  Bar]: </a b>\n[x]: javascript:y\n[Foo bar]: /second\n";
    expect([...parseBlocks(text, { dialect: "markdown", firstLine: 0 }).definitions]).toEqual([
      ["FOO BAR", "/a b"],
      ["X", "javascript:y"],
    ]);
  });

  test("blocks begin behind the front matter", () => {
    expect(outline("---\na: 1\n---\n# A\n", "markdown", 3)).toEqual(["heading1 4"]);
  });

  test("all line breaks, and a byte-order mark", () => {
    expect(outline("\ufeff# A\r\n\r\ntext\r\r# B\n")).toEqual(["heading1 1", "paragraph 3", "heading1 5"]);
  });
});

describe("footnotes", () => {
  test("hold what is indented below them", () => {
    expect(outline("[^1]: First\n    line.\n\n    Second.\n\n        code\n[^b]: Other\n\nText\n")).toEqual([
      "footnote 1-6",
      "  paragraph 1-2",
      "  paragraph 4",
      "  indented 6",
      "footnote 7-8",
      "  paragraph 7",
      "paragraph 9",
    ]);
  });

  test("without text", () => {
    expect(outline("[^1]:\n\n# A\n")).toEqual(["footnote 1-2", "heading1 3"]);
  });
});

describe("directives", () => {
  test("stand beside what they enclose, and interrupt a paragraph", () => {
    expect(
      outline(':::note[Title]\ntext\n## Heading\n:::\n\n::: tip "x"\n- item\n:::\n\n:::: {.warn}\n::::\n'),
    ).toEqual([
      "directive 1",
      "paragraph 2",
      "heading2 3",
      "directive 4",
      "directive 6",
      "list 7",
      "  item 7",
      "    paragraph 7",
      "directive 8",
      "directive 10",
      "directive 11",
    ]);
  });

  test("colons in prose and code are none", () => {
    expect(outline("::: 3 : 2\n\n    :::note\n\n```\n:::note\n```\n")).toEqual([
      "paragraph 1",
      "indented 3",
      "fence 5-7",
    ]);
  });
});

describe("MkDocs", () => {
  test("admonitions hold what is indented", () => {
    expect(
      outline(
        '!!! note "Title"\n\n    Text\n\n    # no section\n\n    ```js\n    x\n    ```\n??? tip\n    More\n\nText\n',
      ),
    ).toEqual([
      "admonition 1-9",
      "  paragraph 3",
      "  heading1 5",
      "  fence 7-9",
      "admonition 10-11",
      "  paragraph 11",
      "paragraph 13",
    ]);
  });

  test("tabs, and what is no tab", () => {
    expect(outline('=== "npm"\n\n    ```sh\n    x\n    ```\n\n=== "pnpm"\n\n    y\n\nTitle\n===\n')).toEqual([
      "tab 1-5",
      "  fence 3-5",
      "tab 7-9",
      "  paragraph 9",
      "heading1 11-12",
    ]);
  });

  test("nested, and at the end of the text", () => {
    expect(outline("!!! a\n    !!! b\n        text")).toEqual([
      "admonition 1-3",
      "  admonition 2-3",
      "    paragraph 3",
    ]);
    expect(outline("!!! a")).toEqual(["admonition 1"]);
  });
});

describe("math", () => {
  test("on one line and on several", () => {
    expect(outline("$$x = 1$$\n\n$$\n# no heading\n---\n$$\n\ntext\n")).toEqual(["math 1", "math 3-6", "paragraph 8"]);
  });

  test("what does not end in its paragraph is text", () => {
    expect(outline("$$ 5\n\n# A\n\n$$\n")).toEqual(["paragraph 1", "heading1 3", "paragraph 5"]);
  });
});

describe("depth", () => {
  test("what is nested deeper than the parser goes has no blocks, its container keeps the lines", () => {
    const blocks = outline(`${">".repeat(500)} text\n`);
    expect(blocks.length).toBe(100);
    expect(new Set(blocks.map((block) => block.trim()))).toEqual(new Set(["quote 1"]));
  });
});

describe("MDX", () => {
  test("statements, tags, expressions and comments", () => {
    const text = [
      "import A from 'a'",
      "import {",
      "  b,",
      '} from "b"',
      "",
      "export const meta = {",
      "  title: 'x',",
      "",
      "  tags: [`a }`],",
      "}",
      "",
      "<Tabs",
      '  items={{ a: "b>" }}',
      ">",
      "## Inside",
      "text",
      "</Tabs>",
      "",
      "{/* note */}",
      "{list.map((x) => (",
      "",
      "  <li>{x}</li>",
      "))}",
    ].join("\n");
    expect(outline(text, "mdx")).toEqual([
      "esm 1-4",
      "esm 6-10",
      "jsx 12-14",
      "heading2 15",
      "paragraph 16",
      "jsx 17",
      "comment 19",
      "expression 20-23",
    ]);
  });

  test("indentation inside tags is no code", () => {
    const text =
      "<Steps>\n  <Step>\n    # Heading\n\n    ```sh\n    run\n    ```\n\n        - deep\n  </Step>\n</Steps>\n";
    expect(outline(text, "mdx")).toEqual([
      "jsx 1",
      "jsx 2",
      "heading1 3",
      "fence 5-7",
      "list 9",
      "  item 9",
      "    paragraph 9",
      "jsx 10",
      "jsx 11",
    ]);
  });

  test("prose that begins like a statement", () => {
    for (const text of [
      "import errors in the log mean trouble.",
      "import the file, then run it.",
      "export default settings to a file.",
      "export class members by hand.",
      "export type checks.",
    ]) {
      expect(outline(`${text}\n`, "mdx"), text).toEqual(["paragraph 1"]);
    }
  });

  test("statements", () => {
    for (const text of [
      "import 'a.css'",
      "import * as a from 'a'",
      "import type { A } from 'a'",
      "import A, { b } from 'a'",
      "export { a } from 'b'",
      "export * from 'b'",
      "export default Layout",
      "export default ({ children }) => <div>{children}</div>",
      "export default function Page() {}",
      "export async function load() {}",
      "export function A<T>(x) {}",
      "export interface A { b: c }",
      "export type A = b",
      "export let a = 1, b = 2",
    ]) {
      expect(outline(`${text}\n`, "mdx"), text).toEqual(["esm 1"]);
    }
  });

  test("a heading ends a run of statements", () => {
    expect(outline("import A from 'a'\n# Title\n", "mdx")).toEqual(["esm 1", "heading1 2"]);
  });

  test("text on the line of a tag makes a paragraph or HTML of it", () => {
    expect(outline("<Note>text</Note>\n\n<A /> <B>\n\n<summary>text\n", "mdx")).toEqual([
      "paragraph 1",
      "jsx 3",
      "html 5",
    ]);
  });

  test("what does not parse is Markdown", () => {
    expect(
      outline("the limit {per minute\n\n{ open\n\n# A\n\n<Open\n\n# B\n\nexport const a = {\n\n# C\n", "mdx"),
    ).toEqual(["paragraph 1", "paragraph 3", "heading1 5", "paragraph 7", "heading1 9", "paragraph 11", "heading1 13"]);
  });

  test("scripts and styles stay whole", () => {
    expect(outline("<style>\n# a\n\n# b\n</style>\n", "mdx")).toEqual(["html 1-5"]);
  });
});
