import { readFileSync } from "node:fs";
import { chunkerConformance } from "@docsearch/conformance";
import { Lines } from "@docsearch/text-split";
import { test } from "vitest";
import { readFrontMatter } from "../src/front-matter.js";
import { markdownChunker } from "../src/index.js";
import { document } from "./chunk.js";

const files = [
  "readme-badges.md",
  "table-300.md",
  "long-fence.md",
  "frontmatter-yaml.md",
  "tabs-page.mdx",
  "crlf-guide.md",
];
const samples = files.map((file) => {
  const text = readFileSync(new URL(`./fixtures/cases/${file}`, import.meta.url), "utf8");
  return { document: document(text, file), frontMatterEnd: new Lines(text).start(readFrontMatter(text).endLine) };
});

chunkerConformance({ test, load: () => markdownChunker().load(), samples });
