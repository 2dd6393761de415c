import type { TestFunction } from "../../src/index.js";

/** Names of the red tests that a suite defines. */
export async function redTests(define: (test: TestFunction) => void): Promise<string[]> {
  const tests: [name: string, body: () => Promise<void>][] = [];
  define((name, body) => tests.push([name, body]));
  const red: string[] = [];
  for (const [name, body] of tests) {
    try {
      await body();
    } catch {
      red.push(name);
    }
  }
  return red;
}
