import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { TestModule } from "vitest/node";
import CountsReporter from "../counts-reporter.mjs";
import { makeTree } from "./tree.js";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

function fakeModule(states: readonly string[], errors: readonly Error[] = []): TestModule {
  const tests = states.map((state) => ({ result: () => ({ state }) }));
  return { errors: () => errors, children: { allTests: () => tests } } as unknown as TestModule;
}

test("the line counts tests by their result", () => {
  const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.stubEnv("TEST_COUNTS_FILE", "");
  new CountsReporter().onTestRunEnd(
    [fakeModule(["passed", "failed", "skipped"]), fakeModule(["passed", "pending"])],
    [],
  );
  expect(written.mock.calls).toEqual([["2 passed, 1 failed, 2 skipped\n"]]);
});

test("a file that does not load and an error outside a test are failures; the line goes to the named file too", () => {
  const root = makeTree({});
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.stubEnv("TEST_COUNTS_FILE", join(root, "counts"));
  new CountsReporter().onTestRunEnd([fakeModule([], [new Error("no such module")]), fakeModule(["passed"])], [1, 2]);
  expect(readFileSync(join(root, "counts"), "utf8")).toBe("1 passed, 3 failed, 0 skipped\n");
});
