import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { PARSED } from "../src/languages.js";

const DATA = new URL("../data/", import.meta.url);

interface Entry {
  readonly package: string;
  readonly version: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly abi: number;
  readonly license: string;
}

const manifest = JSON.parse(readFileSync(new URL("manifest.json", DATA), "utf8")) as Record<string, Entry>;

test("every grammar is there once, and used", () => {
  const grammars = PARSED.flatMap(({ syntax }) => (syntax === undefined ? [] : [syntax.grammar])).sort();
  expect(Object.keys(manifest).sort()).toEqual(grammars);
  const files = readdirSync(DATA).filter((file) => file.endsWith(".wasm.br"));
  expect(files.map((file) => file.replace(".wasm.br", "")).sort()).toEqual(grammars);
});

test("the licence of every package is in the notice", () => {
  const notice = readFileSync(new URL("NOTICE.md", DATA), "utf8");
  for (const { package: name, version } of Object.values(manifest)) expect(notice).toContain(`${name}@${version}`);
});

test.each(Object.entries(manifest))("%s is what the manifest says", (grammar, { sha256, bytes, abi, license }) => {
  const module = brotliDecompressSync(readFileSync(new URL(`${grammar}.wasm.br`, DATA)));
  expect(module.length).toBe(bytes);
  expect(createHash("sha256").update(module).digest("hex")).toBe(sha256);
  expect([13, 14, 15]).toContain(abi);
  expect(["Apache-2.0", "MIT", "Unlicense"]).toContain(license);
});
