import { reportError } from "./output/report-error.js";
import { buildProgram } from "./program.js";

// A reader that has seen enough (`| head`) closes the pipe. That is a normal end: what is still written goes nowhere,
// and the command closes its index as always. No `process.exit` here: it would cut off native code at work.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

try {
  await buildProgram().parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportError(error);
}
