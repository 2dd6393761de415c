import { expect, test } from "vitest";
import { codePlaces } from "../src/ranking/code-place.js";
import { fact } from "./rule-support.js";

test.each([
  ["src/cache.py", []],
  ["user_test.go", ["tests"]],
  ["src/UserTest.java", ["tests"]],
  ["tests/test_cache.py", ["tests"]],
  ["packages/a/__tests__/b.ts", ["tests"]],
  ["index.d.ts", ["stubs"]],
  ["contest.py", []],
  ["latest.py", []],
  ["examples/todo/main.go", ["examples"]],
  ["vendor/lib/x.go", ["generated"]],
  ["api/service.pb.go", ["generated"]],
  ["bench/run.py", ["benchmarks"]],
  ["pkg/compat.py", ["legacy"]],
])("%s: %j", (path, places) => {
  expect(codePlaces(fact(path, "c").document, false)).toEqual(places);
});
