// Runs all benchmarks and writes a dated page and its raw figures to results/.
// usage: node run.mjs [rounds of the engines, default 3]
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { measureCli } from "./cli.mjs";
import { measureEmbedders } from "./embedders.mjs";
import { compareEngines } from "./engines.mjs";
import { measureIncremental } from "./incremental.mjs";
import { measureScale } from "./scale.mjs";

const date = new Date().toISOString().slice(0, 10);
const machine = `${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
const cli = measureCli();
const incremental = await measureIncremental();
const embedders = await measureEmbedders();
const engines = compareEngines(Number(process.argv[2] ?? 3));
const scale = measureScale();
const page = `# Benchmarks, ${date}

Machine: ${machine}. Corpus: the Markdown of bun-types 1.4.5, 1,398 files, 4.7 MB. Medians; \`npm run bench\` runs it again.

## Command line

${cli.markdown}

## Large trees and small changes

Copies of the corpus, each with a line of its own; and short generated files.

${incremental.markdown}

## Embedding

${embedders.markdown}

## Engines, side by side

Known-item queries from the pages' descriptions (132 prose pages, 210 lint rules); latency over 20 short queries. The
static model has seen these descriptions: the quality of the hybrid and semantic rows proves nothing.

${engines.markdown}

## Larger collections

Synthetic chunks of 60 words, vectors of 256 dimensions, hybrid query in a warm process.

${scale.markdown}
`;
console.log(page);
const results = new URL("results/", import.meta.url);
mkdirSync(results, { recursive: true });
writeFileSync(new URL(`${date}.md`, results), page);
writeFileSync(
  new URL(`${date}.json`, results),
  `${JSON.stringify({ date, machine, cli: cli.runs, incremental: incremental.runs, embedders: embedders.runs, engines: engines.runs, scale: scale.runs }, null, 1)}\n`,
);
