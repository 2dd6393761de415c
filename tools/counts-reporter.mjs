// A vitest reporter that closes a run with the line `N passed, N failed, N skipped`, which any CI can read.
// The line also goes into the file named by TEST_COUNTS_FILE, if that is set.
import { writeFileSync } from "node:fs";

export default class CountsReporter {
  /**
   * A test file that cannot be loaded and an error outside any test count as one failure each:
   * they fail the run, so the line must not say that nothing failed.
   *
   * @param {readonly import("vitest/node").TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === "passed" || state === "failed" ? state : "skipped"] += 1;
      }
    }
    const line = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`;
    const file = process.env.TEST_COUNTS_FILE;
    if (file !== undefined && file !== "") writeFileSync(file, line);
    process.stdout.write(line);
  }
}
