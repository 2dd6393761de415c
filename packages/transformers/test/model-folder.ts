import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** URL of the module that stands in for transformers.js. */
export const FAKE: string = new URL("./fixtures/fake-transformers.mjs", import.meta.url).href;

/** What the fake was asked for. */
export interface FakeCall {
  readonly pid: number;
  readonly call: "tokenizer" | "tokenize" | "model" | "run";
  readonly name?: string;
  readonly text?: string;
  readonly pair?: string;
  readonly rows?: number;
  readonly width?: number;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface Setting {
  /** Options for a model in a folder called as the fake is to behave. */
  readonly options: { readonly module: string; readonly cacheDirectory: string; readonly model: string };
  calls(kind: FakeCall["call"]): FakeCall[];
}

/** A new folder that is gone when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "docsearch-transformers-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Files that make a folder look like a model. */
export function writeModelFolder(folder: string, dimensions: number, weights = "weights"): void {
  mkdirSync(join(folder, "onnx"), { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify({ hidden_size: dimensions }));
  for (const name of ["tokenizer.json", "tokenizer_config.json"]) writeFileSync(join(folder, name), "{}");
  for (const name of ["model", "model_quantized"]) writeFileSync(join(folder, `onnx/${name}.onnx`), weights);
}

export function setUp(behaviour = "sound", dimensions = 8): Setting {
  const folder = temporaryFolder();
  const model = join(folder, "models", behaviour);
  writeModelFolder(model, dimensions);
  const cacheDirectory = join(folder, "cache");
  return { options: { module: FAKE, cacheDirectory, model }, calls: (kind) => callsIn(cacheDirectory, kind) };
}

export function callsIn(cacheDirectory: string, kind: FakeCall["call"]): FakeCall[] {
  const log = join(cacheDirectory, "calls.jsonl");
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as FakeCall).filter(({ call }) => call === kind);
}

/** Whether there is a process of that number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
