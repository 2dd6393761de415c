import assert from "node:assert/strict";
import { type ErrorCode, type ErrorDetails, isDocsearchError } from "@docsearch/spec";

/**
 * Largest relative difference between two text scores by the same formula. Sums in another order differ by less
 * than 1e-12, sums in single precision by less than this.
 */
export const TEXT_TOLERANCE = 1e-6;

/** Asserts that a promise rejects with a `DocsearchError` of a code, and of these details when they are given. */
export async function rejectsWith<C extends ErrorCode>(
  promise: Promise<unknown>,
  code: C,
  details?: ErrorDetails[C],
): Promise<void> {
  const error = await rejection(promise, code);
  assert.ok(isDocsearchError(error, code), `expected a DocsearchError with code ${code}, got ${String(error)}`);
  assert.ok(error.message.length > 0, `${code} without a message`);
  if (details !== undefined) assert.deepEqual(error.details, details);
}

/** Asserts that a promise rejects with the platform's `AbortError`. */
export async function rejectsWithAbort(promise: Promise<unknown>): Promise<void> {
  const error = await rejection(promise, "AbortError");
  assert.equal(error instanceof Error && error.name, "AbortError", `expected an AbortError, got ${String(error)}`);
}

async function rejection(promise: Promise<unknown>, expected: string): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  return assert.fail(`expected a rejection with ${expected}, got ${JSON.stringify(value)}`);
}

/** Asserts that a number is finite and at most `tolerance` away from another. */
export function assertNear(actual: number, expected: number, tolerance: number, message = ""): void {
  assert.ok(
    Number.isFinite(actual) && Math.abs(actual - expected) <= tolerance,
    `${message}${message === "" ? "" : ": "}expected ${expected} within ${tolerance}, got ${actual}`,
  );
}

/** Asserts ids and their order, and each text score within `TEXT_TOLERANCE`. */
export function assertScores(
  actual: readonly (readonly [id: string, score: number])[],
  expected: Readonly<Record<string, number>>,
): void {
  assert.deepEqual(
    actual.map(([id]) => id),
    Object.keys(expected),
  );
  for (const [id, score] of actual) {
    assertNear(score, expected[id]!, TEXT_TOLERANCE * Math.max(1, expected[id]!), `score of ${id}`);
  }
}

/** Order of ids in every list: by UTF-16 code units. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
