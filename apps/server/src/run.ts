import { enableCompileCache } from "./compile-cache.js";
import { HELP, readOptions, type ServerOptions } from "./options.js";
import { guardStdout } from "./stdout-guard.js";
import { version } from "./version.js";

/**
 * The server as a command. Ends when its client goes away or a signal tells it to; a wrong option sets the exit code 2.
 *
 * @param args as they stand behind the command's name
 */
export async function runServer(args: readonly string[]): Promise<void> {
  let options: ServerOptions;
  try {
    options = readOptions(args, process.env, process.cwd());
  } catch (error) {
    fail(error);
    return;
  }
  if (options.help) {
    process.stdout.write(HELP);
    return;
  }
  if (options.version) {
    process.stdout.write(`${version()}\n`);
    return;
  }
  try {
    enableCompileCache();
    if (options.transport === "http") await (await import("./serve-http.js")).serveHttp(options);
    else {
      // Before anything else is imported: from here on only the protocol reaches stdout.
      const wire = guardStdout();
      await (await import("./serve-stdio.js")).serveOverStdio(options, wire);
    }
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): void {
  process.stderr.write(`docsearch-mcp: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
