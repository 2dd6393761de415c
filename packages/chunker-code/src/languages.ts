import type { Language } from "./language.js";
import { bash } from "./languages/bash.js";
import { c } from "./languages/c.js";
import { cpp } from "./languages/cpp.js";
import { csharp } from "./languages/csharp.js";
import { css } from "./languages/css.js";
import { elixir } from "./languages/elixir.js";
import { go } from "./languages/go.js";
import { haskell } from "./languages/haskell.js";
import { html } from "./languages/html.js";
import { java } from "./languages/java.js";
import { javascript } from "./languages/javascript.js";
import { json } from "./languages/json.js";
import { kotlin } from "./languages/kotlin.js";
import { lua } from "./languages/lua.js";
import { notebook } from "./languages/notebook.js";
import { ocaml } from "./languages/ocaml.js";
import { php } from "./languages/php.js";
import { python } from "./languages/python.js";
import { ruby } from "./languages/ruby.js";
import { rust } from "./languages/rust.js";
import { scala } from "./languages/scala.js";
import { sql } from "./languages/sql.js";
import { svelte } from "./languages/svelte.js";
import { swift } from "./languages/swift.js";
import { toml } from "./languages/toml.js";
import { tsx, typescript } from "./languages/typescript.js";
import { UNPARSED } from "./languages/unparsed.js";
import { vue } from "./languages/vue.js";
import { yaml } from "./languages/yaml.js";
import { zig } from "./languages/zig.js";

/** Languages whose definitions or borders are known. */
export const PARSED: readonly Language[] = [
  bash,
  c,
  cpp,
  csharp,
  css,
  elixir,
  go,
  haskell,
  html,
  java,
  javascript,
  json,
  kotlin,
  lua,
  notebook,
  ocaml,
  php,
  python,
  ruby,
  rust,
  scala,
  sql,
  svelte,
  swift,
  toml,
  tsx,
  typescript,
  vue,
  yaml,
  zig,
];

export const LANGUAGES: readonly Language[] = [...PARSED, ...UNPARSED];

const BY_NAME: ReadonlyMap<string, Language> = new Map(LANGUAGES.map((language) => [language.name, language]));
/** Names that others give to our languages: kernels of notebooks, and `lang` and `type` of scripts. */
const ALIASES: Readonly<Record<string, string>> = {
  "application/json": "json",
  "application/ld+json": "json",
  "c#": "csharp",
  "c++": "cpp",
  golang: "go",
  importmap: "json",
  ipython: "python",
  js: "javascript",
  jsx: "javascript",
  module: "javascript",
  python3: "python",
  shell: "bash",
  "text/babel": "javascript",
  "text/css": "css",
  "text/javascript": "javascript",
  "application/javascript": "javascript",
  ts: "typescript",
};

export function languageNamed(name: string): Language | undefined {
  const lower = name.toLowerCase();
  return BY_NAME.get(ALIASES[lower] ?? lower);
}

const ATTRIBUTE = /\b(lang|type)\s*=\s*["']?([^\s"'>]+)/gi;

/** The language of what is in a `script` or `style` element, by its opening tag; `undefined` for templates and others. */
export function embeddedLanguage(tag: string): Language | undefined {
  const attributes = new Map([...tag.matchAll(ATTRIBUTE)].map(([, name, value]) => [name!.toLowerCase(), value!]));
  const named = attributes.get("lang") ?? attributes.get("type");
  return languageNamed(named ?? (/^<style/i.test(tag) ? "css" : "javascript"));
}
