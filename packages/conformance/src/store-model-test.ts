import type { IndexSchema, VectorStore } from "@docsearch/spec";
import { SCHEMA } from "./builders.js";
import { compareStep } from "./model-comparison.js";
import { randomSteps } from "./model-generator.js";
import { describeStep, type ModelStep } from "./model-step.js";
import { createRandom } from "./random.js";
import type { TestFunction } from "./test-function.js";

export interface StoreModelTestOptions {
  readonly test: TestFunction;
  /** Opens a store for writing, with nothing in it. Called often while a failing sequence is shortened. */
  readonly open: (schema: IndexSchema) => Promise<VectorStore>;
  /** Opens an empty store that is known to be right: the memory store of `@docsearch/core`. */
  readonly oracle: (schema: IndexSchema) => Promise<VectorStore>;
  /** Closes a store and opens the same index again. Absent: the store cannot. */
  readonly reopen?: (store: VectorStore) => Promise<VectorStore>;
  /** Waits until searches see what was written. */
  readonly settle?: (store: VectorStore) => Promise<void>;
  /** Default 1. Another seed makes other sequences. */
  readonly seed?: number;
  /** Number of tests, each with one sequence. Default 50. */
  readonly sequences?: number;
  /** Calls in a sequence. Default 40. */
  readonly steps?: number;
}

/**
 * Defines tests that run random sequences of writes, searches, listings and reads on a store and on an oracle and
 * compare every answer. The error of a failing test has the seed, and the sequence without the steps that it
 * fails without.
 */
export function storeModelTest(options: StoreModelTestOptions): void {
  const { test, reopen, seed = 1, sequences = 50, steps = 40 } = options;
  for (let sequence = 0; sequence < sequences; sequence++) {
    test(`model: sequence ${sequence + 1} of seed ${seed}`, async () => {
      const random = createRandom(seed * 1_000_003 + sequence);
      const planned = randomSteps(random, steps, reopen !== undefined);
      const failure = await firstFailure(planned, options);
      if (failure === undefined) return;
      const short = await shrink(planned.slice(0, failure.index + 1), options);
      const { error, index } = (await firstFailure(short, options)) ?? failure;
      const lines = short.map((step, i) => `${i + 1}. ${describeStep(step)}`);
      throw new Error(
        `The store differs from the oracle (seed ${seed}, sequence ${sequence + 1}) at step ${index + 1} of:\n` +
          `${lines.join("\n")}\n${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    });
  }
}

interface Failure {
  readonly index: number;
  readonly error: unknown;
}

/** Runs a sequence on a new store and a new oracle, to the first step in which they differ. */
async function firstFailure(
  steps: readonly ModelStep[],
  { open, oracle: openOracle, reopen, settle }: StoreModelTestOptions,
): Promise<Failure | undefined> {
  let store = await open(SCHEMA);
  const oracle = await openOracle(SCHEMA);
  try {
    for (const [index, step] of steps.entries()) {
      try {
        if (step.call === "reopen" && reopen !== undefined) store = await reopen(store);
        else await compareStep(step, store, oracle);
        if (step.call === "write" || step.call === "clear") await settle?.(store);
      } catch (error) {
        return { index, error };
      }
    }
    return undefined;
  } finally {
    await store.close();
    await oracle.close();
  }
}

/** Leaves out steps, then parts of writes, as long as what remains still fails. */
async function shrink(steps: readonly ModelStep[], options: StoreModelTestOptions): Promise<readonly ModelStep[]> {
  let shortest = steps;
  const tryInstead = async (candidate: readonly ModelStep[]): Promise<boolean> => {
    const failure = await firstFailure(candidate, options);
    if (failure !== undefined) shortest = candidate.slice(0, failure.index + 1);
    return failure !== undefined;
  };
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    let start = 0;
    while (start < shortest.length) {
      const shorter = await tryInstead([...shortest.slice(0, start), ...shortest.slice(start + size)]);
      if (!shorter) start += size;
    }
  }
  for (let at = 0; at < shortest.length; at++) {
    let smaller = true;
    while (smaller) {
      smaller = false;
      for (const step of withoutOnePart(shortest[at]!)) {
        smaller = await tryInstead(shortest.with(at, step));
        if (smaller) break;
      }
    }
  }
  return shortest;
}

/** A write without one of its changes, or without one chunk of a change. */
function withoutOnePart(step: ModelStep): ModelStep[] {
  if (step.call !== "write") return [];
  const { changes } = step;
  const withoutChange =
    changes.length > 1 ? changes.map((_, i) => ({ ...step, changes: changes.toSpliced(i, 1) })) : [];
  const withoutChunk = changes.flatMap((change, i) =>
    change.type === "delete"
      ? []
      : change.chunks.map((_, n) => {
          const chunks = change.chunks.toSpliced(n, 1);
          return { ...step, changes: changes.with(i, { ...change, chunks }) };
        }),
  );
  return [...withoutChange, ...withoutChunk];
}
