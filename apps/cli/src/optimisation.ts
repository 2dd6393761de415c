// When V8 compiles a function for speed. Its defaults are for processes that live long.

import { statSync } from "node:fs";
import { setFlagsFromString } from "node:v8";

/** Some 25,000 chunks, through which a search goes in milliseconds as the code is. In a larger index compiling pays. */
const SMALL_INDEX_BYTES = 64e6;

/**
 * Makes V8 wait longer before it optimises a function. An index of a thousand files is done in two seconds, and by
 * default V8 spends a third of them on optimising what then runs for a moment; a long run loses nothing.
 */
export function optimiseLater(): void {
  setFlagsFromString("--interrupt-budget=1000000");
}

/**
 * Keeps V8 from optimising functions for one search in a small index. What it begins to compile in the background is
 * done after the answer is there, and the process waits for it: a twentieth of the whole time.
 */
export function optimiseNothing(location: string): void {
  const file = statSync(location, { throwIfNoEntry: false });
  if (file?.isFile() === true && file.size < SMALL_INDEX_BYTES) setFlagsFromString("--no-opt");
}
