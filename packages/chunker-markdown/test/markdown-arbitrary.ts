import fc from "fast-check";

/** Marks and words that make structure when they meet. */
export const MARKS: readonly string[] = [
  "# ",
  "## ",
  "#",
  "\n",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  "- ",
  "1. ",
  "> ",
  "```",
  "````",
  "~~~",
  "`",
  "    ",
  "\t",
  "  ",
  "| a | b |\n",
  "| - | - |\n",
  "|",
  "---",
  "===",
  "***",
  "$$",
  ":::",
  ":::note",
  "!!! note\n",
  '=== "Tab"\n',
  "[^1]: ",
  "[a]: b",
  "[a]",
  "[a](b)",
  "[[",
  "]]",
  "<!--",
  "-->",
  "<div>",
  "</div>",
  "<Tab a={1}>",
  "</Tab>",
  "{",
  "}",
  "{/* c */}",
  "import a from 'b'\n",
  "export const c = {\n",
  "<script>",
  "</script>",
  "![i](j)",
  "http://a.b/c",
  "\\",
  "&amp;",
  "word",
  "Dr. Who said so. Then",
  "日本語の文。次の文",
  "é",
  "e\u0301",
  "👩‍👩‍👧",
  "🇩🇪",
  "\u00a0",
  "\ufeff",
  "+++\n",
  "a: b\n",
];

const word = fc.constantFrom(
  "pier",
  "quay",
  "tide",
  "harbour",
  "lamp",
  "Zoë",
  "港",
  "naïve",
  "🚢",
  "*bold*",
  "`code`",
  "[link](/to)",
);
const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => `${words.join(" ")}.`);
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 5 }).map((sentences) => sentences.join(" "));
const line = fc.array(word, { minLength: 0, maxLength: 6 }).map((words) => words.join(" ").replaceAll("`", ""));
const code = fc
  .record({ info: fc.constantFrom("", "js", "sh title=x"), lines: fc.array(line, { minLength: 1, maxLength: 12 }) })
  .map(({ info, lines }) => `\`\`\`${info}\n${lines.join("\n")}\n\`\`\``);
const list = fc
  .record({ mark: fc.constantFrom("- ", "1. "), items: fc.array(paragraph, { minLength: 1, maxLength: 6 }) })
  .map(({ mark, items }) => items.map((item) => mark + item).join("\n"));
const table = fc
  .array(fc.tuple(word, word), { minLength: 1, maxLength: 12 })
  .map((rows) => ["| a | b |", "| - | - |", ...rows.map(([a, b]) => `| ${a} | ${b} |`)].join("\n"));
const heading = fc
  .tuple(fc.integer({ min: 1, max: 4 }), sentence)
  .map(([level, text]) => `${"#".repeat(level)} ${text}`);
const indent = (by: string) => (text: string) => text.replace(/^(?=.)/gm, by);
const leaf = fc.oneof(
  paragraph,
  code,
  list,
  table,
  heading,
  fc.constantFrom("---", "<!-- note -->", "<div>", "</div>", "$$\nx\n$$"),
);
const nested = fc.oneof(
  leaf.map(indent("> ")),
  leaf.map((text) => `- item\n\n${indent("  ")(text)}`),
  leaf.map((text) => `!!! note\n\n${indent("    ")(text)}`),
  leaf.map((text) => `:::tip\n\n${text}\n\n:::`),
  leaf.map((text) => `<Tab name="a">\n\n${text}\n\n</Tab>`),
);

/** Documents of blocks as people write them. */
export const markdown: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: nested }), { maxLength: 10 })
  .map((blocks) => `${blocks.join("\n\n")}\n`);
