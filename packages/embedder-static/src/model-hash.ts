import { createHash } from "node:crypto";
import { loadFailed } from "./load-error.js";

/** The files that vectors come from. `idf.u8` is part of the format too, for late interaction. */
export const MODEL_FILES = ["config.json", "vocab.txt", "qratio.u8", "rows.i8"] as const;

export type ModelFile = (typeof MODEL_FILES)[number];

/** SHA-256 of each file of a model, in hexadecimal. */
export type FileHashes = Readonly<Record<ModelFile, string>>;

export function fileHash(content: NodeJS.ArrayBufferView): string {
  return createHash("sha256").update(content).digest("hex");
}

/** 64 bits over the hashes of the files, as 16 hexadecimal digits: the part of an embedder's id that no two share. */
export function modelHash(hashes: FileHashes): string {
  const lines = MODEL_FILES.map((name) => `${hashes[name]}  ${name}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex").slice(0, 16);
}

/** Reads `manifest.json`: `{ "sha256": { "config.json": "…", … } }`. Throws `BACKEND_LOAD_FAILED`. */
export function parseManifest(json: string, file: string): FileHashes {
  let hashes: Partial<Record<string, unknown>> | null | undefined;
  try {
    hashes = (JSON.parse(json) as { readonly sha256?: Partial<Record<string, unknown>> } | null)?.sha256;
  } catch (error) {
    throw loadFailed(`${file} is not JSON`, error);
  }
  const hashOf = (name: ModelFile): string => {
    const hash = hashes?.[name];
    if (typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash)) return hash;
    throw loadFailed(`${file} has no SHA-256 of ${name} in its field sha256`);
  };
  return {
    "config.json": hashOf("config.json"),
    "vocab.txt": hashOf("vocab.txt"),
    "qratio.u8": hashOf("qratio.u8"),
    "rows.i8": hashOf("rows.i8"),
  };
}
