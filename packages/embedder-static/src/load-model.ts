import { type FileHandle, open, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isDocsearchError } from "@docsearch/spec";
import { loadFailed } from "./load-error.js";
import { type ModelConfig, parseModelConfig } from "./model-config.js";
import { type FileHashes, fileHash, MODEL_FILES, modelHash, parseManifest } from "./model-hash.js";
import { PieceTable } from "./piece-table.js";
import { fastestPooling, type MakePooling } from "./pooling.js";
import { StaticModel } from "./static-model.js";
import { Tokenizer } from "./tokenizer.js";

/** What an index has to know of a model. */
export interface ModelIdentity {
  readonly id: string;
  readonly dimensions: number;
}

/** What the small files of a folder with a manifest say of its model, some 30 ms sooner than `loadStaticModel`. */
export async function readModelIdentity(directory: string): Promise<ModelIdentity> {
  const path = (name: string): string => join(resolve(directory), name);
  const [configFile, manifestFile] = await Promise.all([
    readWhole(path("config.json")),
    readWhole(path("manifest.json")),
  ]);
  const config = parseModelConfig(configFile.toString("utf8"), path("config.json"));
  const hashes = parseManifest(manifestFile.toString("utf8"), path("manifest.json"));
  return { id: modelId(config, hashes), dimensions: config.dimensions };
}

function modelId({ format, version }: ModelConfig, hashes: FileHashes): string {
  return `static/format-${format}/version-${version}/${modelHash(hashes)}`;
}

/**
 * Loads the model in `directory`: `config.json`, `vocab.txt`, `qratio.u8` and `rows.i8`, whose sizes must agree with
 * `config.json`. Rejects with `BACKEND_LOAD_FAILED`, which names the file, what is wrong with it and what was expected.
 *
 * Hashing `rows.i8` takes longer than all the rest, so its hash is taken from `manifest.json` where there is one. The
 * other files are checked against it, which finds a table that was exchanged without its manifest.
 */
export async function loadStaticModel(
  directory: string,
  makePooling: MakePooling = fastestPooling,
): Promise<StaticModel> {
  const folder = resolve(directory);
  const path = (name: string): string => join(folder, name);
  const [configFile, vocabFile, ratioFile, manifestFile] = await Promise.all([
    readWhole(path("config.json")),
    readWhole(path("vocab.txt")),
    readWhole(path("qratio.u8")),
    readOptional(path("manifest.json")),
  ]);

  const config = parseModelConfig(configFile.toString("utf8"), path("config.json"));
  expectBytes(path("qratio.u8"), ratioFile.length, config.tokens, "one for each piece");
  const pooling = makePooling(config.tokens, config.dimensions);
  // The table is read by another thread while this one indexes the vocabulary.
  const [, pieces] = await Promise.all([
    readRows(path("rows.i8"), pooling.rows),
    indexPieces(vocabFile.toString("utf8"), config.tokens, path("vocab.txt")),
  ]);

  const manifest = manifestFile && parseManifest(manifestFile.toString("utf8"), path("manifest.json"));
  const hashes: FileHashes = {
    "config.json": fileHash(configFile),
    "vocab.txt": fileHash(vocabFile),
    "qratio.u8": fileHash(ratioFile),
    "rows.i8": manifest?.["rows.i8"] ?? fileHash(pooling.rows),
  };
  if (manifest !== undefined) expectListed(hashes, manifest, path);

  return new StaticModel({
    id: modelId(config, hashes),
    dimensions: config.dimensions,
    tokenizer: new Tokenizer(pieces),
    pooling,
    queryCodes: ratioFile,
    queryWeights: decodedWeights(config),
  });
}

async function readWhole(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw loadFailed(`${path} cannot be read`, error);
  }
}

async function readOptional(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw loadFailed(`${path} cannot be read`, error);
  }
}

async function indexPieces(text: string, count: number, path: string): Promise<PieceTable> {
  return new PieceTable(text, count, path);
}

/** Reads a file straight to where the table lives, so that its megabytes are not copied. */
async function readRows(path: string, rows: Int8Array): Promise<void> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    expectBytes(path, (await file.stat()).size, rows.length, "vocab times dim");
    let filled = 0;
    while (filled < rows.length) {
      const { bytesRead } = await file.read(rows, filled, rows.length - filled, filled);
      if (bytesRead === 0) throw loadFailed(`${path} ended after ${filled} of its ${rows.length} bytes`);
      filled += bytesRead;
    }
  } catch (error) {
    throw isDocsearchError(error) ? error : loadFailed(`${path} cannot be read`, error);
  } finally {
    await file?.close();
  }
}

function expectBytes(path: string, actual: number, expected: number, reason: string): void {
  if (actual === expected) return;
  throw loadFailed(`${path} holds ${actual} bytes where config.json promises ${expected}, ${reason}`);
}

function expectListed(hashes: FileHashes, listed: FileHashes, path: (name: string) => string): void {
  for (const name of MODEL_FILES) {
    if (hashes[name] === listed[name]) continue;
    throw loadFailed(
      `${path(name)} is not the file that manifest.json lists: its SHA-256 is ${hashes[name]} where ${listed[name]} ` +
        "was expected. Delete manifest.json to load the folder as it is",
    );
  }
}

/** `exp(log_lo + byte / 255 * (log_hi - log_lo))` for each byte. */
function decodedWeights(config: ModelConfig): Float32Array {
  const step = (config.queryLogHigh - config.queryLogLow) / 255;
  return Float32Array.from({ length: 256 }, (_, byte) => Math.exp(config.queryLogLow + byte * step));
}
