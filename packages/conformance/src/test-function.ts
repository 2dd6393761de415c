/** `test` of vitest, node:test, mocha, bun and others: takes a name and a body that rejects when the test fails. */
export type TestFunction = (name: string, body: () => Promise<void>) => unknown;
