import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { DocsearchError } from "@docsearch/spec";

/** What a number format is called in the names of model files. */
const SUFFIXES: Readonly<Record<string, string>> = { fp32: "", q8: "_quantized" };
const FINGERPRINT_BYTES = 1 << 20;

/** A model in a folder of the user's. */
export interface LocalModel {
  readonly name: string;
  /** Holds the model's folder. */
  readonly parent: string;
  readonly folder: string;
}

/** The folder that a model's name means; `undefined` for a repository on the hub. */
export function localModel(model: string): LocalModel | undefined {
  const isFolder = model.startsWith(".") || model.startsWith("file:") || isAbsolute(model);
  if (!isFolder) return undefined;
  const folder = model.startsWith("file:") ? fileURLToPath(model) : resolve(model);
  return { name: basename(folder), parent: dirname(folder), folder };
}

/** Whether the folder of a model has what is needed to load it. */
export function hasModelFiles(folder: string, dtype: string): boolean {
  return missingFiles(folder, dtype).length === 0;
}

/** Throws `BACKEND_LOAD_FAILED` naming the files that a folder should have and has not. */
export function requireModelFiles(folder: string, dtype: string, packageName: string): void {
  const missing = missingFiles(folder, dtype);
  if (missing.length === 0) return;
  throw new DocsearchError(
    "BACKEND_LOAD_FAILED",
    `the folder ${folder} is no model in ${dtype}: it has no ${missing.join(", ")}; ` +
      "expected the files of a repository with ONNX files, or choose the format it has by DOCS_MODEL_DTYPE",
    { package: packageName },
  );
}

/** Tells models of one name apart: a hash of its configuration, its tokenizer and the beginning of its weights. */
export async function modelFingerprint(folder: string, dtype: string): Promise<string> {
  const hash = createHash("sha256");
  for (const name of ["config.json", "tokenizer.json"]) hash.update(await readFile(join(folder, name))).update("\0");
  const weights = await open(join(folder, weightsFile(dtype)));
  try {
    const { size } = await weights.stat();
    const { buffer, bytesRead } = await weights.read(Buffer.alloc(FINGERPRINT_BYTES), 0, FINGERPRINT_BYTES, 0);
    hash.update(String(size)).update(buffer.subarray(0, bytesRead));
  } finally {
    await weights.close();
  }
  return hash.digest("hex").slice(0, 16);
}

/** The files that the folder of a model should have and has not. */
export function missingFiles(folder: string, dtype: string): string[] {
  const files = ["config.json", "tokenizer.json", "tokenizer_config.json", weightsFile(dtype)];
  return files.filter((name) => !existsSync(join(folder, name)));
}

function weightsFile(dtype: string): string {
  return `onnx/model${SUFFIXES[dtype] ?? `_${dtype}`}.onnx`;
}
