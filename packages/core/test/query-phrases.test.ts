import fc from "fast-check";
import { expect, test } from "vitest";
import { containsPhrase, quotedPhrases } from "../src/analyzer/phrases.js";

test.each([
  ['say "hot reload" now', ["hot reload"]],
  ['"a" b "c d"', ["a", "c d"]],
  ['“curly” and "straight"', ["curly", "straight"]],
  ['"open', []],
  ['a "" b', []],
  ['"--" "ok"', ["ok"]],
  ["'single'", []],
  ['5" screen', []],
])("quoted phrases of %s", (query, expected) => {
  expect(quotedPhrases(query)).toEqual(expected);
});

test.each([
  ["The hot reload works.", "hot reload", true],
  ["The HOT,\n  Reload!", "hot reload", true],
  ["The reload is hot.", "hot reload", false],
  ["hot module reload", "hot reload", false],
  ["Updates come", "update", false],
  ["A Crème lantern", "creme LANTERN", true],
  ["state-of-the-art", "of the", true],
  ["שָׁלוֹם עוֹלָם", "שלום עולם", true],
  ["مَرْحَبًا بِالعَالَم", "مرحبا بالعالم", true],
  ["Ёлка стоит", "елка стоит", true],
  ["call foo.bar()", "foo bar", true],
  ["call foo.bar()", "foo.bar()", true],
  ["max_retry_count = 5", "max_retry_count", true],
  ["maxRetryCount = 5", "max_retry_count", true],
  ["the retry count", "retry_count", false],
  ["useEffect runs", "use effect", false],
  ["the skipper's duty", "skipper's duty", true],
  ["C++ templates", "C++ templates", true],
  ["C templates", "C++ templates", false],
  ["部署脚本会重启服务器。", "重启服务器", true],
  ["部署脚本会重启服务器。", "重服", false],
  ["白猫。", "猫", true],
  ["React组件API", "组件 api", true],
  ["word", "", true],
  ["", "word", false],
])("%j contains %j: %s", (text, phrase, expected) => {
  expect(containsPhrase(text, phrase)).toBe(expected);
});

test("a text contains every run of its words", () => {
  const word = fc.constantFrom("hot", "Reload", "C++", "don't", "naïve", "中文", "node.js", "x_y", "3.11");
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(), (words, one, other) => {
      const from = Math.min(one % words.length, other % words.length);
      const to = Math.max(one % words.length, other % words.length) + 1;
      expect(containsPhrase(words.join(" "), words.slice(from, to).join("  "))).toBe(true);
    }),
  );
});
