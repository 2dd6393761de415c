import type { Language } from "../language.js";

export const toml: Language = {
  name: "toml",
  extensions: ["toml"],
  fileNames: ["pipfile", "cargo.lock", "poetry.lock", "uv.lock"],
  mediaTypes: ["application/toml", "text/x-toml"],
  syntax: {
    grammar: "toml",
    hasSymbols: false,
    rootQuery: "(document (pair . (_) @name) @key)",
    query: `
(table . "[" . (_) @name) @key
(table_array_element . "[[" . (_) @name) @key
(comment) @comment
`,
  },
};
