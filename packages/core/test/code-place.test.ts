import { expect, test } from "vitest";
import { codePlaces, oldVersionFolders } from "../src/code-place.js";
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
  expect(codePlaces(fact(path, "c").document, new Set())).toEqual(places);
});

test("older versions: a newer one beside it, or a folder that repeats the files beside it", () => {
  const paths = [
    ...["p/v3/a.ts", "p/v3/b.ts", "p/v4/a.ts"],
    ...["q/fields.py", "q/main.py", "q/types.py", "q/v1/fields.py", "q/v1/main.py", "q/v1/types.py"],
    "api/v1/a.go",
  ];
  const old = oldVersionFolders(paths);
  expect([...old]).toEqual(["p/v3", "q/v1"]);
  expect(paths.filter((path) => codePlaces(fact(path, "c").document, old).includes("oldVersion"))).toEqual([
    ...["p/v3/a.ts", "p/v3/b.ts"],
    ...["q/v1/fields.py", "q/v1/main.py", "q/v1/types.py"],
  ]);
});
