import { readFile } from "node:fs/promises";
import { endianness } from "node:os";
import { join, resolve } from "node:path";
import { loadFailed } from "./load-error.js";
import { type ModelConfig, parseModelConfig } from "./model-config.js";
import { type FileHashes, fileHash, MODEL_FILES, modelHash, parseManifest } from "./model-hash.js";
import { buildPieceIndex, decodePieceIndex, type PieceIndex } from "./piece-index.js";
import { PieceTable } from "./piece-table.js";
import { fastestPooling, type MakePooling } from "./pooling.js";
import { RowFile } from "./row-file.js";
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
 * `config.json`, and `vocab.index` where there is one. Rejects with `BACKEND_LOAD_FAILED`, which names the file, what is
 * wrong with it and what was expected.
 *
 * Hashing `rows.i8` takes longer than all the rest, so its hash is taken from `manifest.json` where there is one, and the
 * rows are then read when texts need them. The other files are checked against it, which finds a table that was
 * exchanged without its manifest.
 */
export async function loadStaticModel(
  directory: string,
  makePooling: MakePooling = fastestPooling,
): Promise<StaticModel> {
  const folder = resolve(directory);
  const path = (name: string): string => join(folder, name);
  const [configFile, vocabFile, ratioFile, manifestFile, indexFile] = await Promise.all([
    readWhole(path("config.json")),
    readWhole(path("vocab.txt")),
    readWhole(path("qratio.u8")),
    readOptional(path("manifest.json")),
    readOptional(path("vocab.index")),
  ]);

  const config = parseModelConfig(configFile.toString("utf8"), path("config.json"));
  expectBytes(path("qratio.u8"), ratioFile.length, config.tokens, "one for each piece");
  const pooling = makePooling(config.tokens, config.dimensions);
  const rows = new RowFile(path("rows.i8"), pooling.rows, config.dimensions);
  try {
    const manifest = manifestFile && parseManifest(manifestFile.toString("utf8"), path("manifest.json"));
    if (manifest === undefined) rows.needAll();
    const hashes: FileHashes = {
      "config.json": fileHash(configFile),
      "vocab.txt": fileHash(vocabFile),
      "qratio.u8": fileHash(ratioFile),
      "rows.i8": manifest?.["rows.i8"] ?? fileHash(pooling.rows),
    };
    if (manifest !== undefined) expectListed(hashes, manifest, path);

    const text = vocabFile.toString("utf8");
    const lines = text.endsWith("\n") ? text : `${text}\n`;
    const index =
      (indexFile && storedIndex(indexFile, config.tokens, hashes["vocab.txt"])) ??
      buildPieceIndex(lines, config.tokens, path("vocab.txt"));
    return new StaticModel({
      id: modelId(config, hashes),
      dimensions: config.dimensions,
      tokenizer: new Tokenizer(new PieceTable(lines, index)),
      pooling,
      rows,
      queryCodes: ratioFile,
      queryWeights: decodedWeights(config),
    });
  } catch (error) {
    rows.close();
    throw error;
  }
}

/** The index in `vocab.index`: building it takes as long as all the rest of loading. It is a cache, so any other is left. */
function storedIndex(file: Buffer, count: number, vocabHash: string): PieceIndex | undefined {
  // Its numbers have the low byte first, as all the machines have for which V8 is commonly built.
  if (endianness() !== "LE" || file.length % 4 !== 0) return undefined;
  const copy = file.byteOffset % 4 === 0 ? file : Buffer.from(file);
  return decodePieceIndex(new Int32Array(copy.buffer, copy.byteOffset, copy.length / 4), count, vocabHash);
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
