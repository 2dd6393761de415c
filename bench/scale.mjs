// Larger collections than a real corpus here has: runs the store's own benchmark on synthetic chunks.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { table } from "./figures.mjs";

const SCRIPT = fileURLToPath(new URL("../packages/store-sqlite/bench/store.mjs", import.meta.url));
/** Bars of the design for a hybrid query, p50 in milliseconds. The query's embedding takes under 0.1 ms. */
const BARS = { 10000: 5, 100000: 10, 1000000: 40 };

/** @param {readonly number[]} sizes */
export function measureScale(sizes = [10_000, 100_000]) {
  const runs = {};
  for (const size of sizes) {
    process.stderr.write(`bench: ${size} synthetic chunks\n`);
    runs[size] = figuresOf(execFileSync(process.execPath, [SCRIPT, String(size)], { encoding: "utf8" }));
  }
  const rows = sizes.map((size) => {
    const figure = (name) => runs[size][name][0];
    const hybrid = figure("text, 12 terms") + figure("vector");
    return [
      size.toLocaleString("en"),
      figure("chunks/s"),
      figure("text, 4 terms"),
      figure("text, 12 terms"),
      figure("vector"),
      `${hybrid.toFixed(2)} (${BARS[size]})`,
      figure("replace one document"),
      figure("MB"),
      figure("RSS MB"),
    ];
  });
  const headings = [
    "chunks",
    "load, chunks/s",
    "text, 4 terms, ms",
    "text, 12 terms, ms",
    "vector, ms",
    "hybrid, ms (bar)",
    "replace a document, ms",
    "file, MB",
    "RSS serving, MB",
  ];
  return { markdown: table(headings, rows), runs };
}

/** Lines of the form `name: figure / figure`; of two with one name the later counts. */
function figuresOf(output) {
  const lines = output.trim().split("\n");
  return Object.fromEntries(
    lines.map((line) => {
      const [name, figures] = line.split(": ");
      return [name, figures.split(" / ").map(Number)];
    }),
  );
}
