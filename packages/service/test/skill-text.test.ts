import { expect, test } from "vitest";
import { skillText } from "../src/skill-text.js";

test("the skill: front matter within its limits, names of sources and nothing else", () => {
  const sources = Array.from({ length: 40 }, (_, index) => `${"folder".repeat(10)}-${index}`.slice(0, 64));
  const text = skillText(sources, 7);
  const [, front = ""] = text.split("---\n");
  expect(front).toMatch(/^name: docsearch\ndescription: ".*"\n$/);
  const description: string = JSON.parse(/description: (.*)/.exec(front)?.[1] ?? "");
  expect(description.length).toBeLessThanOrEqual(1024);
  expect(description).toContain(" Sources: folder");
  expect(text).toContain("and 28 more");
  expect(skillText([], 0)).not.toContain("Sources:");
});
