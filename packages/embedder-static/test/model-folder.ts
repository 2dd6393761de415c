import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

/** The model in the package. */
export const BUNDLED: string = fileURLToPath(new URL("../data", import.meta.url));

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** An empty folder that is gone when the file's tests are. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "static-model-"));
  folders.push(folder);
  return folder;
}

const SMALL_PIECES: readonly string[] = ["red", "green", "nothing", "##ish"];

/** Rows of 16 numbers. That of "nothing" is zero. */
const SMALL_ROWS: readonly (readonly number[])[] = [
  [3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -127, 0],
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
];

export const SMALL_CONFIG = {
  format: 1,
  version: 7,
  vocab: 4,
  dim: 16,
  scale: 0.01,
  tf: "sqrt",
  qratio: { log_lo: 0, log_hi: Math.log(9) },
  normaliser: "docsearch-1",
};

/** Writes a whole model of four pieces, with `changes` in place of some of its files; returns its folder. */
export function writeModel(changes: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = temporaryFolder();
  const files = {
    "config.json": JSON.stringify(SMALL_CONFIG),
    "vocab.txt": SMALL_PIECES.map((piece) => `${piece}\n`).join(""),
    // "green" weighs nine times as much in a query.
    "qratio.u8": Uint8Array.of(0, 255, 0, 0),
    "rows.i8": new Uint8Array(Int8Array.from(SMALL_ROWS.flat()).buffer),
    ...changes,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}
