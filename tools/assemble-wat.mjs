// Assembles a WebAssembly text file into a TypeScript module that carries the bytes.
// usage: node assemble-wat.mjs SOURCE.wat TARGET.ts   (the target is written only when it changes)
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import wabt from "wabt";

const [source, target] = process.argv.slice(2);
if (source === undefined || target === undefined) throw new Error("usage: assemble-wat.mjs SOURCE.wat TARGET.ts");

const assembler = await wabt();
const module = assembler.parseWat(source, readFileSync(source, "utf8"), {
  simd: true,
  threads: true,
  bulk_memory: true,
});
module.validate();
const { buffer } = module.toBinary({ canonicalize_lebs: true, relocatable: false });
module.destroy();

const text = `// Assembled from ${basename(source)}, ${buffer.length} bytes. Do not edit.
export const KERNEL_BASE64: string =
  "${Buffer.from(buffer).toString("base64")}";
`;
mkdirSync(dirname(target), { recursive: true });
if (!existsSync(target) || readFileSync(target, "utf8") !== text) writeFileSync(target, text);
