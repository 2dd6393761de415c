// Preloaded by `node --import`: prints the URL of every module that is resolved, one a line.
// Module hooks run in a thread of their own, so this file is loaded twice: once to register, once to be the hook.
import { writeSync } from "node:fs";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

if (isMainThread) register(import.meta.url);

/** @type {import("node:module").ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  const result = await nextResolve(specifier, context);
  writeSync(1, `${result.url}\n`);
  return result;
}
