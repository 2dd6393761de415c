// Fetches the grammars anew: packs each package of the table into a temporary folder, takes the WebAssembly module out
// of it, and writes data/LANGUAGE.wasm.br, data/manifest.json and data/NOTICE.md. No script of a package runs, nothing is installed.
// usage: node scripts/refresh-grammars.mjs    (needs the npm registry and tar; then run the tests)
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { Language, Parser } from "web-tree-sitter";

// Swift has no official module, and of two collections the one with the fewer syntax errors on real sources is taken.
const GRAMMARS = {
  bash: ["tree-sitter-bash@0.25.1", "tree-sitter-bash.wasm"],
  c: ["tree-sitter-c@0.24.1", "tree-sitter-c.wasm"],
  cpp: ["tree-sitter-cpp@0.23.4", "tree-sitter-cpp.wasm"],
  csharp: ["tree-sitter-c-sharp@0.23.5", "tree-sitter-c_sharp.wasm"],
  css: ["tree-sitter-css@0.25.0", "tree-sitter-css.wasm"],
  elixir: ["tree-sitter-elixir@0.3.5", "tree-sitter-elixir.wasm"],
  go: ["tree-sitter-go@0.25.0", "tree-sitter-go.wasm"],
  haskell: ["tree-sitter-haskell@0.23.1", "tree-sitter-haskell.wasm"],
  html: ["tree-sitter-html@0.23.2", "tree-sitter-html.wasm"],
  java: ["tree-sitter-java@0.23.5", "tree-sitter-java.wasm"],
  javascript: ["tree-sitter-javascript@0.25.0", "tree-sitter-javascript.wasm"],
  json: ["tree-sitter-json@0.24.8", "tree-sitter-json.wasm"],
  kotlin: ["@tree-sitter-grammars/tree-sitter-kotlin@1.1.0", "tree-sitter-kotlin.wasm"],
  lua: ["@tree-sitter-grammars/tree-sitter-lua@0.4.1", "tree-sitter-lua.wasm"],
  ocaml: ["tree-sitter-ocaml@0.24.2", "tree-sitter-ocaml.wasm"],
  php: ["tree-sitter-php@0.24.2", "tree-sitter-php.wasm"],
  python: ["tree-sitter-python@0.25.0", "tree-sitter-python.wasm"],
  ruby: ["tree-sitter-ruby@0.23.1", "tree-sitter-ruby.wasm"],
  rust: ["tree-sitter-rust@0.24.0", "tree-sitter-rust.wasm"],
  scala: ["tree-sitter-scala@0.24.0", "tree-sitter-scala.wasm"],
  svelte: ["tree-sitter-svelte@0.11.0", "tree-sitter-svelte.wasm"],
  swift: ["@cursorless/tree-sitter-wasms@0.7.0", "out/tree-sitter-swift.wasm"],
  toml: ["@tree-sitter-grammars/tree-sitter-toml@0.7.0", "tree-sitter-toml.wasm"],
  tsx: ["tree-sitter-typescript@0.23.2", "tree-sitter-tsx.wasm"],
  typescript: ["tree-sitter-typescript@0.23.2", "tree-sitter-typescript.wasm"],
  vue: ["@repomix/tree-sitter-wasms@0.1.17", "out/tree-sitter-vue.wasm"],
  yaml: ["@tree-sitter-grammars/tree-sitter-yaml@0.7.1", "tree-sitter-yaml.wasm"],
  zig: ["@tree-sitter-grammars/tree-sitter-zig@1.1.2", "tree-sitter-zig.wasm"],
};

const data = new URL("../data/", import.meta.url);
const folder = mkdtempSync(path.join(tmpdir(), "grammars-"));

/** Packs the package once and returns a function that reads one of its files. */
function fetchPackage(specifier) {
  const output = execFileSync("npm", ["pack", "--ignore-scripts", "--silent", specifier], { cwd: folder });
  const tarball = path.join(folder, output.toString().trim());
  const names = execFileSync("tar", ["tzf", tarball]).toString().split("\n");
  return {
    read: (file) => execFileSync("tar", ["xzOf", tarball, `package/${file}`], { maxBuffer: 64_000_000 }),
    licenseFile: names.map((name) => name.replace("package/", "")).find((name) => /^licen[cs]e(?:\.\w+)?$/i.test(name)),
  };
}

/** The licences of all packages, each text once. */
function noticeOf(licenses) {
  const byText = new Map();
  for (const [specifier, text] of licenses) byText.set(text, [...(byText.get(text) ?? []), specifier]);
  const parts = [...byText].map(([text, specifiers]) => `## ${specifiers.join(", ")}\n\n\`\`\`\n${text}\n\`\`\`\n`);
  return `# Licences of the grammars\n\nThe grammars in this folder are taken unchanged, but compressed, from the npm packages below.\n\n${parts.join("\n")}`;
}

try {
  await Parser.init();
  const packages = new Map();
  const licenses = new Map();
  const manifest = {};
  for (const [language, [specifier, file]] of Object.entries(GRAMMARS)) {
    if (!packages.has(specifier)) packages.set(specifier, fetchPackage(specifier));
    const { read, licenseFile } = packages.get(specifier);
    licenses.set(specifier, read(licenseFile).toString().replaceAll("\r", "").trim());
    const module = read(file);
    const { name, version, license } = JSON.parse(read("package.json").toString());
    const abi = Language.loadSync(new WebAssembly.Module(module)).abiVersion;
    const compressed = brotliCompressSync(module, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: module.length,
        [constants.BROTLI_PARAM_LGWIN]: 24,
      },
    });
    writeFileSync(new URL(`${language}.wasm.br`, data), compressed);
    const sha256 = createHash("sha256").update(module).digest("hex");
    manifest[language] = { package: name, version, file, sha256, bytes: module.length, abi, license };
    console.log(
      `${language.padEnd(12)} ${name}@${version}  ${module.length} -> ${compressed.length} bytes, ABI ${abi}`,
    );
  }
  const names = Object.keys(GRAMMARS).map((language) => `${language}.wasm.br`);
  for (const file of readdirSync(data)) {
    if (file.endsWith(".wasm.br") && !names.includes(file)) rmSync(new URL(file, data));
  }
  writeFileSync(new URL("NOTICE.md", data), noticeOf(licenses));
  writeFileSync(new URL("manifest.json", data), `${JSON.stringify(manifest, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
