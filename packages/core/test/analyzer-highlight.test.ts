import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAnalyzer } from "../src/analyzer/analyze.js";
import { bestWindow, findMatches, highlightRanges } from "../src/analyzer/highlight.js";
import { analyzeQuery, highlightTerms } from "../src/analyzer/query.js";

const analyzer = createAnalyzer();

function matches(text: string, query: string) {
  return findMatches(analyzer, text, highlightTerms(analyzeQuery(analyzer, query)));
}

function highlighted(text: string, query: string): string[] {
  return highlightRanges(matches(text, query)).map(([start, end]) => text.slice(start, end));
}

function window(text: string, query: string, maxLength: number): string {
  const { start, end } = bestWindow(text, matches(text, query), maxLength);
  return text.slice(start, end);
}

describe("highlightRanges", () => {
  test.each([
    ["Accepting the updates of hot modules.", "hot module update", ["updates", "hot", "modules"]],
    ["The state of the art.", "what is the state", ["state"]],
    ["To be or not to be", "to be", ["To", "be", "to", "be"]],
    ["call useEffect, not my_effect", "effect", ["Effect", "effect"]],
    ["call useEffect or use effect", "useEffect", ["useEffect", "use", "effect"]],
    ["pre-processing and preprocessing", "preprocessing", ["pre-processing", "preprocessing"]],
    ["部署脚本会重启服务器并清理缓存。", "重启服务器", ["重启服务器"]],
    ["A crème lantern, CRÈME!", "creme", ["crème", "CRÈME"]],
    ["l’eau don't", "dont eau", ["eau", "don't"]],
    ["C++ is not C#", "c#", ["C#"]],
    ["nothing here", "elsewhere", []],
    ["", "word", []],
  ])("%s | %s", (text, query, expected) => {
    expect(highlighted(text, query)).toEqual(expected);
  });

  test("ranges ascend, lie in the text and do not touch", () => {
    const piece = fc.constantFrom("use", "Effect", "中", "文", "_", ".", "-", " ", "é", "'s", "🚢");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.array(piece, { maxLength: 6 }), (one, other) => {
        const text = one.join("");
        let last = -1;
        for (const [start, end] of highlightRanges(matches(text, other.join("")))) {
          expect(last < start && start < end && end <= text.length).toBe(true);
          last = end;
        }
      }),
    );
  });
});

describe("bestWindow", () => {
  test("a text that fits is shown whole", () => {
    expect(window("short text", "text", 10)).toBe("short text");
  });

  test("the beginning, when nothing matches", () => {
    expect(window("one two three four", "zebra", 9)).toBe("one two");
  });

  test("where most distinct terms are, not where one term repeats", () => {
    const text = "red red red red red.\nfiller line\nfiller line\na red fox\nfiller line\n";
    expect(window(text, "red fox", 24)).toBe("a red fox\nfiller line\n");
  });

  test("the first of equal windows", () => {
    expect(window("aaaa\nfox one\nbbbb\ncccc\nfox two\n", "fox", 8)).toBe("fox one");
  });

  test("whole words in a long line", () => {
    const text = `${"before ".repeat(20)}needle ${"after ".repeat(20)}`;
    expect(window(text, "needle", 40)).toBe("before before needle after after after");
  });

  test("a short heading alone does not make the window", () => {
    expect(window("# T\n\nmany words that go on and on and on", "zebra", 20)).toBe("# T\n\nmany words that");
  });

  test("context in text without blanks", () => {
    const text = `${"甲乙丙丁".repeat(10)}重启${"戊己庚辛".repeat(10)}`;
    expect(window(text, "重启", 12)).toBe("丁甲乙丙丁重启戊己庚辛戊");
  });

  test("more of what is before, when little comes after", () => {
    expect(window(`${"word ".repeat(20)}needle`, "needle", 30)).toBe("word word word word needle");
  });

  test("a match longer than the window shows its beginning", () => {
    const text = `see ${"x".repeat(100)} end`;
    expect(window(text, "x".repeat(100), 10)).toBe("x".repeat(10));
  });

  test("lies in the text, is no longer than asked, holds a match, and cuts no surrogate pair", () => {
    const piece = fc.constantFrom("fox ", "dog", " ", "\n", "🚢", "𠮷野", "word ", "é", "a", "-");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), fc.integer({ min: 8, max: 40 }), (pieces, maxLength) => {
        const text = pieces.join("");
        const found = matches(text, "fox dog 野");
        const { start, end } = bestWindow(text, found, maxLength);
        expect(0 <= start && start <= end && end <= text.length && end - start <= maxLength).toBe(true);
        expect(text.slice(start, end).isWellFormed()).toBe(true);
        const fits = found.filter((match) => match.end - match.start <= maxLength);
        if (fits.length > 0) {
          expect(fits.some((match) => start <= match.start && match.end <= end)).toBe(true);
        }
      }),
    );
  });
});
