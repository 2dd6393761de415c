// Writes a BERT of any size with random weights, to measure how fast models of that shape are.
// usage: node scripts/make-bert.mjs FOLDER LAYERS HIDDEN HEADS VOCABULARY      a file with a token on each line
// then:  docsearch models --measure --embedder transformers --embedder-model FOLDER
import { readFileSync } from "node:fs";
import { writeBert } from "./bert.mjs";
import { vocabularyOf } from "./tokenizer-files.mjs";

const [folder, layers, hidden, heads, vocabularyFile] = process.argv.slice(2);
const sizes = [layers, hidden, heads].map(Number);
if (folder === undefined || vocabularyFile === undefined || sizes.some((size) => !(size >= 1))) {
  process.stderr.write("usage: node scripts/make-bert.mjs FOLDER LAYERS HIDDEN HEADS VOCABULARY\n");
  process.exit(2);
}
const [layerCount, hiddenSize, headCount] = /** @type {[number, number, number]} */ (sizes);
const words = readFileSync(vocabularyFile, "utf8").split("\n").filter(Boolean);
writeBert(folder, "embedder", {
  ...{ layers: layerCount, hidden: hiddenSize, heads: headCount, positions: 512, seed: 1 },
  vocabulary: vocabularyOf(words),
});
