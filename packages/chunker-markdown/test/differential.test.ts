import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import MarkdownIt from "markdown-it/browser";
import { beforeAll, describe, expect, test } from "vitest";
import type { BlockTree } from "../src/block.js";
import { readFrontMatter } from "../src/front-matter.js";
import { type Dialect, markdownItBlocks } from "../src/parse-blocks.js";
import disagreements from "./fixtures/disagreements.json" with { type: "json" };
import { mdastBlocks } from "./mdast-blocks.js";

// Compares the block engine with mdast. mdast reads 0.7 MB/s, so a quarter of the files is compared here;
// MARKDOWN_DIFFERENTIAL=full compares all of them.

const parseBlocks = markdownItBlocks(MarkdownIt);
const modules = path.resolve(import.meta.dirname, "../../../node_modules");
const step = process.env.MARKDOWN_DIFFERENTIAL === "full" ? 1 : 4;

/** Top-level blocks by kind and 1-based start line, and the headings at any depth, with their level. */
function topLevel({ blocks }: BlockTree): string[] {
  return blocks
    .filter(({ depth, kind }) => depth === 0 || kind === "heading")
    .map(({ depth, kind, level, startLine }) => `${kind}${level || ""}${depth > 0 ? " inside" : ""}@${startLine + 1}`);
}

function rootHeadings(tree: BlockTree): string[] {
  return topLevel(tree).filter((block) => /^heading\d@/.test(block));
}

interface Difference {
  readonly file: string;
  readonly dialect: Dialect;
  readonly mdast: readonly string[];
  readonly ours: readonly string[];
}

function compare(file: string, dialect: Dialect, mdast: readonly string[], ours: readonly string[]): Difference[] {
  const [only, extra] = [
    mdast.filter((block) => !ours.includes(block)),
    ours.filter((block) => !mdast.includes(block)),
  ];
  return only.length + extra.length === 0 ? [] : [{ file, dialect, mdast: only, ours: extra }];
}

function readmes(): string[] {
  const store = path.join(modules, ".pnpm");
  return readdirSync(store).flatMap((entry) => {
    const inner = path.join(store, entry, "node_modules");
    const name = /^(@[^+@]+\+)?[^@]+/.exec(entry)![0].replace("+", "/");
    const file = path.join(inner, name, "README.md");
    return existsSync(file) ? [path.relative(modules, file)] : [];
  });
}

function bunPages(): string[] {
  const root = path.join(modules, "bun-types");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => /\.mdx?$/.test(file));
  return files.map((file) => path.join("bun-types", file));
}

const files = [...bunPages().toSorted(), ...readmes().toSorted()].filter((_, index) => index % step === 0);

describe(`mdast and the block engine on ${files.length} files`, () => {
  const differences: Difference[] = [];
  let headings = 0;
  let wrongHeadings = 0;

  beforeAll(() => {
    for (const file of files) {
      const text = readFileSync(path.join(modules, file), "utf8");
      const firstLine = readFrontMatter(text).endLine;
      const oracle = mdastBlocks(text);
      expect(firstLine, file).toBe(oracle.frontMatterEnd);
      const markdown = parseBlocks(text, { dialect: "markdown", firstLine });
      differences.push(...compare(file, "markdown", topLevel(oracle), topLevel(markdown)));
      const own = file.endsWith(".mdx") ? parseBlocks(text, { dialect: "mdx", firstLine }) : markdown;
      const sections = compare(file, "mdx", rootHeadings(oracle), rootHeadings(own));
      if (own !== markdown) differences.push(...sections);
      headings += rootHeadings(oracle).length;
      for (const { mdast, ours } of sections) wrongHeadings += mdast.length + ours.length;
    }
  }, 300_000);

  test("they differ only where the list of disagreements says so", () => {
    const known = disagreements.files
      .filter(({ file }) => files.includes(file))
      .map(({ why: _, ...difference }) => difference);
    expect(differences).toEqual(known);
    expect(new Set(differences.map(({ file }) => file)).size / files.length).toBeLessThan(0.005);
  });

  test("at least 99 % of the sections begin where mdast has a heading", () => {
    expect(headings).toBeGreaterThan(1000);
    expect(1 - wrongHeadings / headings).toBeGreaterThan(0.99);
  });
});

describe("shapes on which they are known to differ", () => {
  for (const { text, mdast, ours, why } of disagreements.shapes) {
    test(`${JSON.stringify(text)}: ${why}`, () => {
      expect(topLevel(mdastBlocks(text))).toEqual(mdast);
      expect(topLevel(parseBlocks(text, { dialect: "markdown", firstLine: 0 }))).toEqual(ours);
    });
  }
});
