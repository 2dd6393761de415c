// Writes what data/ has beside the model itself: vocab.index, where the pieces of vocab.txt are found, and manifest.json,
// the SHA-256 of every file of the model. Run it after a change of the model; the test data.test.ts fails until then, and
// tells by the embedder's new id that indexes have to be made anew.
// usage: node scripts/write-manifest.mjs
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { importSource } from "../../../tools/import-source.mjs";

const FILES = ["config.json", "idf.u8", "qratio.u8", "rows.i8", "vocab.txt"];

const data = new URL("../data/", import.meta.url);
const sha256 = (name) =>
  createHash("sha256")
    .update(readFileSync(new URL(name, data)))
    .digest("hex");
const manifest = { sha256: Object.fromEntries(FILES.map((name) => [name, sha256(name)])) };
writeFileSync(new URL("manifest.json", data), `${JSON.stringify(manifest, null, 2)}\n`);

const { buildPieceIndex, encodePieceIndex } = await importSource(new URL("../src/piece-index.ts", import.meta.url));
const { vocab } = JSON.parse(readFileSync(new URL("config.json", data), "utf8"));
const lines = readFileSync(new URL("vocab.txt", data), "utf8");
writeFileSync(
  new URL("vocab.index", data),
  encodePieceIndex(buildPieceIndex(lines, vocab, "vocab.txt"), manifest.sha256["vocab.txt"]),
);
