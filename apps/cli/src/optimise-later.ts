import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 wait longer before it optimises a function. An index of a thousand files is done in two seconds, and by
 * default V8 spends a third of them on optimising what then runs for a moment; a long run loses nothing.
 */
export function optimiseLater(): void {
  setFlagsFromString("--interrupt-budget=1000000");
}
