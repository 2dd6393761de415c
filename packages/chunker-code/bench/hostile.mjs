// usage: node bench/hostile.mjs [extension ...]    (after a build)
// Time and outcome on texts that drive parsers into their worst case, for each language.
import { codeChunker } from "../dist/index.js";

const SHAPES = {
  parentheses: () => "(".repeat(100_000),
  "nested calls": () => `${"f(".repeat(50_000)}1${")".repeat(50_000)}`,
  blocks: () => "if (a) {\n".repeat(20_000),
  "objects and lists": () => "{ a: [".repeat(30_000),
  "open string": () => `a = "${"x y\n".repeat(100_000)}`,
  quotes: () => '"'.repeat(100_000),
  "one line": () => "word + ".repeat(200_000),
  definitions: () => "class A { function f() {} }\n".repeat(10_000),
  comments: () => "// one\n# two\n".repeat(30_000),
  bytes: () =>
    Buffer.from(Array.from({ length: 200_000 }, (_, n) => 1 + ((n * 7919 + n * n) % 255))).toString("latin1"),
};
const EXTENSIONS =
  "ts tsx js py go rs java c cpp cs rb php kt swift scala sh lua ex hs ml zig sql css html json yaml toml vue svelte ipynb";
const wanted = process.argv.length > 2 ? process.argv.slice(2) : EXTENSIONS.split(" ");
const options = { maxSize: 1500, overlap: 0, measure: (text) => text.length };
const chunker = await codeChunker().load();
for (const extension of wanted) {
  for (const [name, make] of Object.entries(SHAPES)) {
    const text = make();
    const before = process.cpuUsage();
    const { chunks, diagnostics } = chunker.chunk(
      {
        id: "a",
        collection: "bench",
        text,
        contentHash: "",
        mediaType: "text/plain",
        path: `a.${extension}`,
        metadata: {},
      },
      options,
    );
    const { user, system } = process.cpuUsage(before);
    const said = diagnostics.map(({ message }) => message).join("; ");
    const time = ((user + system) / 1000).toFixed(0).padStart(6);
    console.log(`${time} ms  ${extension.padEnd(7)}${name.padEnd(18)} ${chunks.length} chunks  ${said}`);
  }
}
