import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";

export const BIN: string = join(import.meta.dirname, "..", "bin", "docsearch.js");

/** Makes folders that are gone when the tests of a file have run. Their paths are real ones. */
export function temporaryFolders(): (files?: Readonly<Record<string, string>>) => string {
  const made: string[] = [];
  afterAll(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });
  return (files = {}) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "docsearch-cli-")));
    made.push(folder);
    writeFiles(folder, files);
    return folder;
  };
}

/** Writes files by path, and the folders they need. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** A file in which the output goes instead of a pipe. */
  readonly stdout?: string;
  /** Whether stderr has the lines that say how far a run is. On a machine that is busy any run may take so long. */
  readonly withProgress?: boolean;
}

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the built command in a folder, with nothing of this process's environment but what Node needs. */
export function start(cwd: string, args: readonly string[], options: RunOptions = {}): ChildProcessWithoutNullStreams {
  const env = { PATH: process.env.PATH ?? "", HOME: cwd, ...options.env };
  const stdout = options.stdout === undefined ? "pipe" : openSync(options.stdout, "w");
  const stdio = ["pipe", stdout, "pipe"] as const;
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    env,
    stdio: [...stdio],
  }) as ChildProcessWithoutNullStreams;
  // A command that ends before it has read everything closes the pipe.
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  return child;
}

/** Runs the built command to its end. */
export async function docsearch(cwd: string, args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = start(cwd, args, options);
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  const shown = options.withProgress === true ? stderr : stderr.replace(/^indexing: .*\n/gm, "");
  return { code, signal, stdout, stderr: shown };
}

/** Runs a command that must go well and print JSON, and returns what it printed. */
// biome-ignore lint/suspicious/noExplicitAny: each command has a shape of its own, which its tests pin
export async function json(cwd: string, args: readonly string[], options: RunOptions = {}): Promise<any> {
  const { code, stdout, stderr } = await docsearch(cwd, [...args, "--json"], options);
  if (code !== 0) throw new Error(`exit code ${code}: ${args.join(" ")}\n${stderr}`);
  return JSON.parse(stdout);
}

/** Paths of the documents that a search for a word finds, best first, each once. */
export async function found(cwd: string, word: string, args: readonly string[] = []): Promise<string[]> {
  const { stdout } = await docsearch(cwd, ["search", word, "--mode", "keyword", "--json", ...args]);
  const paths = JSON.parse(stdout).results.map(({ path }: { readonly path: string }) => path);
  return [...new Set<string>(paths)];
}

/** Pages that are cut into more chunks than are embedded at a time, so that a run has a second part. */
export function longPages(): Record<string, string> {
  const paragraphs = Array.from({ length: 300 }, (_, i) => `Paragraph ${i} of a page about kelp, ${"x".repeat(60)}.`);
  return Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`page-${i}.md`, paragraphs.join("\n\n")]));
}
