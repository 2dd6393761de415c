import { expect, test } from "vitest";
import { isTrue, parseGitConfig } from "../src/git/config.js";

test("sections, subsections, quotes, escapes, comments and continued lines", () => {
  const text = [
    "\ufeff# comment \\",
    "[core] ; comment",
    "\tbare",
    "\tExcludesFile = ~/my rules   # comment",
    '\teditor = "a # b" c \\"d\\" \\\\ \\t',
    "\tlong = one \\",
    "two\r",
    "\tpath = C:\\\\",
    '[includeIf "gitdir:~/work/"]',
    "\tpath = work",
    '[remote "a\\"b"]',
    "url=x",
    "[section.sub] name = v",
    "not a variable",
    "[broken",
  ].join("\n");
  expect(parseGitConfig(text)).toEqual([
    { name: "core.bare", value: "true" },
    { name: "core.excludesfile", value: "~/my rules" },
    { name: "core.editor", value: 'a # b c "d" \\ \t' },
    { name: "core.long", value: "one two" },
    { name: "core.path", value: "C:\\" },
    { name: "includeif.gitdir:~/work/.path", value: "work" },
    { name: 'remote.a"b.url', value: "x" },
    { name: "section.sub.name", value: "v" },
  ]);
});

test("a variable before any section is passed over", () => {
  expect(parseGitConfig("a = b\n[c]\n")).toEqual([]);
});

test.each([
  ["true", true],
  ["Yes", true],
  ["on", true],
  ["1", true],
  ["0", false],
  ["false", false],
  ["", false],
  ["sometimes", false],
])("%j as a boolean: %j", (value, expected) => {
  expect(isTrue(value)).toBe(expected);
});
