import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { UNPARSED } from "../src/languages/unparsed.js";
import { PARSED } from "../src/languages.js";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const manifest = JSON.parse(readFileSync(new URL("../data/manifest.json", import.meta.url), "utf8")) as Record<
  string,
  { readonly package: string; readonly version: string }
>;

/** What stands between the marks of `name` in the page. */
function section(name: string): string {
  return readme.split(`<!-- ${name} -->\n`)[1]!.split(`<!-- /${name} -->`)[0]!;
}

test("the table of languages is that of the code", () => {
  const rows = PARSED.map(({ name, extensions = [], fileNames = [], syntax }) => {
    const grammar = syntax === undefined ? undefined : manifest[syntax.grammar];
    const files = [...extensions.map((extension) => `.${extension}`), ...fileNames]
      .map((file) => `\`${file}\``)
      .join(" ");
    return `| ${name} | ${files} | ${grammar === undefined ? "own scanner" : `${grammar.package} ${grammar.version}`} |\n`;
  });
  expect(section("languages")).toBe(`| language | files | grammar |\n| --- | --- | --- |\n${rows.join("")}`);
  expect(readme).toContain(`${PARSED.length} languages are parsed`);
});

test("the list of other languages is that of the code", () => {
  expect(section("unparsed")).toBe(`${UNPARSED.map(({ name }) => name).join(", ")}.\n`);
});
