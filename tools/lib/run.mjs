// Starts programs, on every system alike.
import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Runs a program to its end. What it prints goes to this process's output, or is returned when `capture` is set.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, capture?: boolean }} [options] `env` is added to the environment.
 * @returns {Promise<{ code: number, output: string }>} code 127 when the program could not be started
 */
export function run(command, args, options = {}) {
  const { cwd = ROOT, env = {}, capture = false } = options;
  // npm's and pnpm's commands are scripts on Windows, which only a shell can start; a shell wants its arguments quoted.
  const shell = process.platform === "win32" && command !== process.execPath;
  const quoted = shell ? args.map((arg) => (/[\s"]/.test(arg) ? `"${arg.replaceAll('"', '\\"')}"` : arg)) : args;
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(command, quoted, {
      cwd,
      env: { ...process.env, ...env },
      shell,
      stdio: ["ignore", capture ? "pipe" : "inherit", capture ? "pipe" : "inherit"],
    });
    child.stdout?.setEncoding("utf8").on("data", (text) => (output += text));
    child.stderr?.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", (error) => resolve({ code: 127, output: `${output}${command}: ${error.message}\n` }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
