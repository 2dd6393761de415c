import { reportError } from "./output/report-error.js";
import { buildProgram } from "./program.js";

// A reader that has seen enough (`| head`) closes the pipe: that is a normal end.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(process.exitCode);
});

try {
  await buildProgram().parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportError(error);
}
