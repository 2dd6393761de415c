import { EXIT } from "./exit-codes.js";
import { reportError } from "./output/report-error.js";
import { warn } from "./output/warn.js";
import { buildProgram } from "./program.js";

let hasLostOutput = false;

// A reader that has seen enough (`| head`) closes the pipe. That is a normal end: what is still written goes nowhere,
// and the command closes its index as always. No `process.exit` here: it would cut off native code at work.
// An output that takes no more for another reason, as a full disk, has lost results: that is an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  if (!hasLostOutput) warn(`the output cannot be written: ${error.message}`);
  hasLostOutput = true;
});
// Nobody is left to be told.
process.stderr.on("error", () => {});
process.on("exit", () => {
  if (hasLostOutput) process.exitCode = EXIT.error;
});

try {
  await buildProgram().parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportError(error);
}
