import { inspect } from "node:util";
import { isDocsearchError } from "@docsearch/spec";
import { EXIT } from "../exit-codes.js";
import { isInterrupted } from "../interrupt.js";
import { warn } from "./warn.js";

/** Writes what went wrong to stderr, as one line, and returns the exit code. */
export function reportError(error: unknown): number {
  // Commander throws for help and usage; it has written its text already.
  if (isCommanderError(error)) return error.exitCode === 0 ? EXIT.ok : EXIT.error;
  if (isInterrupted(error)) {
    warn(error.message);
    return error.exitCode;
  }
  if (process.env.DOCSEARCH_DEBUG === "1") process.stderr.write(`docsearch: ${inspect(error)}\n`);
  else if (isDocsearchError(error)) warn(error.message);
  else warn(`${error instanceof Error ? error.message : String(error)} (DOCSEARCH_DEBUG=1 shows where)`);
  return EXIT.error;
}

function isCommanderError(error: unknown): error is { readonly exitCode: number } {
  return (
    error instanceof Error && "exitCode" in error && String((error as { code?: unknown }).code).startsWith("commander.")
  );
}
