import { isDocsearchError } from "@docsearch/spec";
import { EXIT } from "../exit-codes.js";

/** Writes what went wrong to stderr and returns the exit code. */
export function reportError(error: unknown): number {
  // Commander throws for help and usage; it has written its text already.
  if (isCommanderError(error)) return error.exitCode === 0 ? EXIT.ok : EXIT.error;
  if (isDocsearchError(error)) process.stderr.write(`docsearch: ${error.message}\n`);
  else process.stderr.write(`docsearch: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return EXIT.error;
}

function isCommanderError(error: unknown): error is { readonly exitCode: number } {
  return (
    error instanceof Error && "exitCode" in error && String((error as { code?: unknown }).code).startsWith("commander.")
  );
}
